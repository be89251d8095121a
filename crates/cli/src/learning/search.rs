//! Searches the learnings of a project. The index is first updated completely, however long that
//! takes, so that everything can be found.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verger_library::{
    Backend, Catalogue, Effort, Filed, Filter, Library, Standing, Statistics, Suspects, Weighed,
    weighed,
};
use verger_memory::ranking::Merits;
use verger_memory::{LearningId, Status};
use verger_recall::{Hit, Query};
use verger_store::with_causes;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::known::{KnownLearnings, problems};
use crate::learning::project::ProjectLearnings;

/// The number of hits from the index that are ranked. More than the results, because age and use
/// can change the index's order.
const LOOKED_AT: usize = 30;
/// The number of hits from archives. It is larger, because the index of archives also contains
/// learnings that are stored elsewhere.
const LOOKED_AT_IN_ARCHIVES: usize = 1000;
/// The name of the directory of the archives' index. The directory is in the main index's
/// directory.
const ARCHIVES: &str = "archives";

/// The parameters of a search.
pub(crate) struct Sought<'a> {
    pub(crate) query: Query<'a>,
    pub(crate) filter: Filter,
    pub(crate) archives: Archives,
    /// The maximum number of results.
    pub(crate) most: usize,
}

/// Whether the archives that others wrote are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Archives {
    Left,
    Searched,
}

/// The results of a search.
pub(crate) struct Found {
    /// Relevant learnings come before barely relevant ones. Each group is ordered by score.
    pub(crate) weighed: Vec<Weighed>,
    pub(crate) statistics: Statistics,
    pub(crate) suspects: Suspects,
    /// The replacement of each superseded learning.
    pub(crate) replaced: HashMap<LearningId, LearningId>,
    /// The parts that could not be read, each in a line.
    pub(crate) problems: Vec<String>,
}

/// The hits of an index, and the parts that could not be read while it was updated.
type Answered = (Vec<(Hit, Filed)>, Vec<String>);

impl ProjectLearnings {
    pub(crate) fn search(
        &self,
        context: &Context,
        sought: &Sought<'_>,
    ) -> Result<Found, CommandError> {
        let dir = self.index(context)?;
        let mut statistics = Statistics::read(&dir, &self.ground);
        let mut problems = problems(&std::mem::take(&mut statistics.faults));
        let archives = match sought.archives {
            Archives::Left => None,
            Archives::Searched => Some(self.with_archives(context)),
        };
        let library = &self.project.library;
        let archives = archives.filter(|with| sources(with) != sources(library));
        let (found, unread) = match &archives {
            None => {
                let (filter, most) = (&sought.filter, sought.most.max(LOOKED_AT));
                ask(&dir, library, &statistics, &sought.query, filter, most)?
            }
            Some(archives) => self.ask_archives(&dir, archives, &statistics, sought)?,
        };
        problems.extend(unread);
        let now = context.clock.now();
        let mut weighed: Vec<_> = weighed(found, &statistics, now, |_| true).collect();
        weighed.sort_by(|one, other| {
            let fits = other.hit.fits().cmp(&one.hit.fits());
            fits.then(other.merits.score().total_cmp(&one.merits.score()))
        });
        let (replaced, suspects) = (self.replaced(&weighed), Suspects::read(&dir));
        Ok(Found { weighed, statistics, suspects, replaced, problems })
    }

    /// The learnings that replaced the found ones. They are read from the files, because the index
    /// only knows that a learning was replaced.
    fn replaced(&self, found: &[Weighed]) -> HashMap<LearningId, LearningId> {
        if found.iter().all(|one| one.filed.standing != Standing::Superseded) {
            return HashMap::new();
        }
        let held = KnownLearnings::read(&self.project).held.into_iter();
        held.filter_map(|held| match held.account.status {
            Status::Superseded { by } => Some((held.account.learning.id, by)),
            Status::Active | Status::Archived => None,
        })
        .collect()
    }

    /// The hits in archives. Archives have their own index, because sessions don't get archived
    /// learnings. A learning that only an archive contains counts as archived.
    fn ask_archives(
        &self,
        dir: &Path,
        archives: &Library,
        statistics: &Statistics,
        sought: &Sought<'_>,
    ) -> Result<Answered, CommandError> {
        let wanted = &sought.filter.standings;
        let anywhere = Filter { standings: vec![], ..sought.filter.clone() };
        let (dir, most) = (dir.join(ARCHIVES), LOOKED_AT_IN_ARCHIVES);
        let (mut found, problems) =
            ask(&dir, archives, statistics, &sought.query, &anywhere, most)?;
        let in_use = KnownLearnings::read(&self.project);
        for (_, filed) in &mut found {
            if filed.standing.is_in_use() && in_use.find(&filed.learning.id).is_none() {
                filed.standing = Standing::Archived;
            }
        }
        found.retain(|(_, filed)| wanted.is_empty() || wanted.contains(&filed.standing));
        Ok((found, problems))
    }
}

/// Searches an index. If the index can't be updated, it is searched in its current state, because
/// an agent may not be allowed to write.
fn ask(
    dir: &Path,
    library: &Library,
    statistics: &Statistics,
    query: &Query<'_>,
    filter: &Filter,
    most: usize,
) -> Result<Answered, CommandError> {
    let places: Vec<_> = library.places().collect();
    let catalogue = Catalogue::new(dir.to_owned());
    let problems = match catalogue.refresh(&places, statistics, Effort::Whole) {
        Ok(refreshed) => problems(&refreshed.faults),
        Err(error) => vec![format!("the index was not updated: cannot {}", with_causes(&error))],
    };
    Ok((catalogue.search(query, filter, most, |_| true)?, problems))
}

/// The scores by which a learning was ranked.
pub(crate) fn scores_json(merits: &Merits) -> Value {
    json!({
        "relevance": merits.relevance,
        "recency": merits.recency(),
        "usefulness": merits.usefulness,
        "composite": merits.score(),
    })
}

fn sources(library: &Library) -> Vec<PathBuf> {
    library.places().flat_map(Backend::sources).collect()
}
