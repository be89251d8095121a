//! The undo points in all repositories that the log names, for uninstalling verger.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::Event;
use verger_store::with_causes;
use verger_store_local::LocalStore;
use verger_worktree::Git;
use verger_worktree::undo::{self, NoUndo};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::count;
use crate::sessions::event_picker::each_record;

/// The time limit of each call of git.
const TIME_LIMIT: Duration = Duration::from_mins(2);

/// A repository with undo points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepositoryPoints {
    /// One of the repository's working trees.
    pub(crate) root: PathBuf,
    /// The number of points, or the reason why it is unknown.
    pub(crate) points: Result<usize, String>,
}

impl RepositoryPoints {
    pub(crate) fn text(&self) -> String {
        let root = self.root.display();
        match &self.points {
            Ok(points) => {
                format!("{} in {root} (refs/verger/undo/)", count(*points, "undo point"))
            }
            Err(why) => format!("undo points in {root}, which could not be looked at: {why}"),
        }
    }

    /// A command that removes the points and doesn't need verger.
    pub(crate) fn remedy(&self) -> String {
        let git = format!("git -C {}", self.root.display());
        format!(
            "{git} for-each-ref --format='delete %(refname)' refs/verger/undo | {git} update-ref --stdin"
        )
    }
}

/// The undo points in every working tree that a record of an undo point names. A missing repository
/// counts as one without points.
pub(crate) fn known(
    context: &Context,
    store: &LocalStore,
) -> Result<Vec<RepositoryPoints>, CommandError> {
    let mut roots = BTreeSet::new();
    for segment in store.project_segments()? {
        each_record(store, &segment, &mut |record| {
            if let Event::UndoPointTaken { root, .. } = record.draft.event {
                roots.insert(PathBuf::from(root));
            }
        })?;
    }
    let git = git(context);
    let mut seen = BTreeSet::new();
    let mut known = vec![];
    for root in roots.into_iter().filter(|root| root.exists()) {
        let points = match undo::points(&root, &git) {
            // Working trees of the same repository share their points.
            Ok(points) => Ok(points.iter().filter(|point| seen.insert(point.id)).count()),
            Err(NoUndo::NotARepository(_)) => Ok(0),
            Err(error) => Err(with_causes(&error)),
        };
        if points != Ok(0) {
            known.push(RepositoryPoints { root, points });
        }
    }
    Ok(known)
}

/// Removes the points of a repository, and returns their number.
pub(crate) fn remove(context: &Context, root: &Path) -> Result<usize, String> {
    undo::forget_all(root, &git(context)).map_err(|error| with_causes(&error))
}

fn git(context: &Context) -> Git {
    Git::new("git", context.environment.all().iter().cloned(), TIME_LIMIT)
}
