//! The search index over the learnings of a project and of a person, which is updated from the
//! backends. The index is derived: if it is lost, searches find nothing until it is rebuilt, but no
//! learning is lost.

mod filing;
mod origin;
mod ownership;
mod succession;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use verger_memory::text::{Placed, Problem};
use verger_memory::{Learning, LearningId};
use verger_recall::{Change, Document, Hit, Query, Recall, RecallError, Writer};

use crate::backend::{Backend, Source, SourceState};
use crate::mark::Mark;
use crate::marks::Marks;
use crate::shared_file::FileError;
pub use filing::{Filed, Filter, Standing};
use filing::{document, filed, standing_change};
use origin::Origin;

/// The maximum number of learnings in segments that a limited update merges.
const HURRIED_MERGE: u32 = 500;

/// The search index over the learnings of several backends.
#[derive(Debug, Clone)]
pub struct Catalogue {
    dir: PathBuf,
}

/// The amount of work that an update may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// The update does all of the work. It waits if another process updates the index.
    Whole,
    /// The update reads at most this many bytes. It does nothing if another process updates the
    /// index.
    AtMost {
        /// The maximum number of bytes to read.
        bytes: u64,
    },
}

/// The result of an update.
#[derive(Debug)]
pub struct Refreshed {
    /// The state of the index after the update.
    pub outcome: Outcome,
    /// The parts of the sources that couldn't be read. Only newly read sources are included.
    pub faults: Vec<Fault>,
}

/// The state of the index after an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The index was up to date.
    Same,
    /// The index was updated with more learnings, or with new standings.
    Updated {
        /// The number of learnings that were added or changed.
        learnings: usize,
    },
    /// The index was rebuilt.
    Rebuilt {
        /// The number of learnings in the new index.
        learnings: usize,
    },
    /// The index is out of date, because the update would exceed [`Effort::AtMost`].
    TooMuch {
        /// The number of bytes that a complete update would read.
        bytes: u64,
    },
    /// The index is out of date, and another process is updating it.
    Busy,
}

/// Content of a backend that couldn't be read.
#[derive(Debug)]
pub enum Fault {
    /// A part of a file couldn't be read.
    Lines {
        /// The path of the file with that part.
        path: PathBuf,
        /// The line of the part, and the problem with it.
        problem: Problem,
    },
    /// A whole file couldn't be read.
    File(FileError),
}

/// A source of standings: it knows the standing of each learning from the statistics.
pub trait Standings {
    /// The standing of a learning.
    fn of(&self, learning: &LearningId) -> Standing;

    /// The learnings whose standing may have changed since the index was written. `known` is the
    /// value of [`Self::state`] at that time. `None` if the standing of any learning may have
    /// changed.
    fn changed_since(&self, known: &[u8]) -> Option<Vec<LearningId>>;

    /// The number of bytes that [`Self::changed_since`] would have to read.
    fn unread_since(&self, known: &[u8]) -> u64;

    /// The position up to which the statistics were read, in an encoded form that the index stores.
    fn state(&self) -> Vec<u8>;
}

impl Catalogue {
    /// The catalogue whose index is in the directory `dir`.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Finds the learnings that fit a query best, best first. Reads only learnings that the filter
    /// accepts.
    pub fn search(
        &self,
        query: &Query<'_>,
        filter: &Filter,
        limit: usize,
        is_wanted: impl Fn(&Hit) -> bool,
    ) -> Result<Vec<(Hit, Filed)>, RecallError> {
        let Some(recall) = Recall::open(&self.dir)? else { return Ok(vec![]) };
        search(&recall, query, filter, limit, is_wanted)
    }

    /// The learnings with these ids, as far as the index has them.
    pub fn find<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<Vec<Filed>, RecallError> {
        let Some(recall) = Recall::open(&self.dir)? else { return Ok(vec![]) };
        let found = recall.find(ids)?;
        Ok(found.iter().filter_map(|(attributes, stored)| filed(*attributes, stored)).collect())
    }

    /// The number of bytes in the backends that the index doesn't cover yet.
    pub fn unread(&self, backends: &[&dyn Backend]) -> u64 {
        unread(backends, &self.origin())
    }

    fn origin(&self) -> Origin {
        let recall = Recall::open(&self.dir).ok().flatten();
        recall.map(|recall| Origin::read(recall.source())).unwrap_or_default()
    }

    /// Updates the index from the backends and the standings.
    pub fn refresh(
        &self,
        backends: &[&dyn Backend],
        standings: &dyn Standings,
        effort: Effort,
    ) -> Result<Refreshed, RecallError> {
        let writer = match effort {
            Effort::Whole => Writer::wait(&self.dir)?,
            Effort::AtMost { .. } => match Writer::at_once(&self.dir)? {
                Some(writer) => writer,
                None => return Ok(Refreshed { outcome: Outcome::Busy, faults: vec![] }),
            },
        };
        // If the index can't be opened, it is rebuilt.
        let recall = Recall::open(&self.dir).ok().flatten();
        // Only an unlimited update verifies the whole index. A search detects damage only in the
        // parts that it reads.
        let recall = recall.filter(|recall| effort != Effort::Whole || recall.verify().is_ok());
        let origin = recall.map(|recall| Origin::read(recall.source())).unwrap_or_default();
        let bytes = unread(backends, &origin) + standings.unread_since(&origin.standings);
        if matches!(effort, Effort::AtMost { bytes: most } if bytes > most) {
            return Ok(Refreshed { outcome: Outcome::TooMuch { bytes }, faults: vec![] });
        }
        let refresh = Refresh { catalogue: self, writer: &writer, backends, standings };
        if let Some(refreshed) = refresh.update(&origin, effort)? {
            return Ok(refreshed);
        }
        let bytes = unread(backends, &Origin::default());
        match effort {
            Effort::AtMost { bytes: most } if bytes > most => {
                Ok(Refreshed { outcome: Outcome::TooMuch { bytes }, faults: vec![] })
            }
            _ => refresh.rebuild(),
        }
    }
}

struct Refresh<'a> {
    catalogue: &'a Catalogue,
    writer: &'a Writer,
    backends: &'a [&'a dyn Backend],
    standings: &'a dyn Standings,
}

impl Refresh<'_> {
    /// Adds the new content of the backends to the index. `None` if the index must be rebuilt.
    fn update(&self, origin: &Origin, effort: Effort) -> Result<Option<Refreshed>, RecallError> {
        let sources: Vec<_> = self.backends.iter().flat_map(|backend| backend.sources()).collect();
        // An old log that the index covers may no longer be read.
        let is_read = |(path, _): &(PathBuf, Mark)| sources.contains(path);
        if origin.is_unknown() || !origin.sources.0.iter().all(is_read) {
            return Ok(None);
        }
        let Some(moved) = self.standings.changed_since(&origin.standings) else { return Ok(None) };
        let mut next = Origin { sources: Marks::default(), standings: self.standings.state() };
        let (mut learnings, mut faults) = (vec![], vec![]);
        for Source { path, state } in self.read(&origin.sources.0) {
            let known = origin.mark(&path);
            match (state, known) {
                (SourceState::Same, Some(mark)) => next.add(path, *mark),
                (SourceState::Appended(entries), _) | (SourceState::Whole(entries), None) => {
                    learnings.extend(entries.learnings.into_iter().map(|placed| placed.learning));
                    faults.extend(lines(&path, entries.problems));
                    next.add(path, entries.mark);
                }
                (SourceState::Unreadable(error), None) => faults.push(Fault::File(error)),
                (_, _) => return Ok(None),
            }
        }
        let changes = self.changes(&learnings, &moved)?;
        // If the statistics grew but no standing changed, only an unlimited update stores the new
        // position. The reason is that the log of statistics grows with every session.
        let is_written =
            next == *origin || (effort != Effort::Whole && next.sources == origin.sources);
        if changes.is_empty() && is_written {
            return Ok(Some(Refreshed { outcome: Outcome::Same, faults }));
        }
        let most = if effort == Effort::Whole { u32::MAX } else { HURRIED_MERGE };
        self.writer.update(&next.write(), &changes, most)?;
        let outcome = Outcome::Updated { learnings: learnings.len() };
        Ok(Some(Refreshed { outcome, faults }))
    }

    fn rebuild(&self) -> Result<Refreshed, RecallError> {
        let mut origin = Origin { sources: Marks::default(), standings: self.standings.state() };
        let (mut documents, mut faults, mut replaced) = (vec![], vec![], vec![]);
        for Source { path, state } in self.read(&[]) {
            match state {
                SourceState::Whole(entries) | SourceState::Appended(entries) => {
                    for Placed { learning, .. } in entries.learnings {
                        replaced.extend(learning.supersedes.iter().cloned());
                        let standing = self.standings.of(&learning.id);
                        documents.push(document(learning, standing));
                    }
                    faults.extend(lines(&path, entries.problems));
                    origin.add(path, entries.mark);
                }
                SourceState::Unreadable(error) => faults.push(Fault::File(error)),
                SourceState::Same => {}
            }
        }
        mark_replaced(&mut documents, &replaced);
        self.writer.rebuild(&origin.write(), &documents)?;
        let outcome = Outcome::Rebuilt { learnings: documents.len() };
        Ok(Refreshed { outcome, faults })
    }

    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        self.backends.iter().flat_map(|backend| backend.read(known)).collect()
    }

    /// The changes to the index for new learnings and for new standings. A replaced learning stays
    /// superseded, even if the statistics don't know about the replacement.
    fn changes(&self, new: &[Learning], moved: &[LearningId]) -> Result<Vec<Change>, RecallError> {
        if new.is_empty() && moved.is_empty() {
            return Ok(vec![]);
        }
        let put = |learning: &Learning| {
            Change::Put(Box::new(document(learning.clone(), self.standings.of(&learning.id))))
        };
        let touched = new.iter().map(|learning| &learning.id).chain(moved);
        let known = self.catalogue.find(touched.map(LearningId::as_str))?;
        let known = known.into_iter().filter(|filed| filed.standing == Standing::Superseded);
        // After a merge in git, a learning may be added later than its replacement.
        let replacing = self.catalogue.replacing(new.iter().map(|learning| &learning.id))?;
        let replacing = new.iter().chain(replacing.iter().map(|filed| &filed.learning));
        let replaced = replacing.flat_map(|learning| learning.supersedes.iter().cloned());
        let replaced = replaced.chain(known.map(|filed| filed.learning.id));
        Ok((new.iter().map(put))
            .chain(moved.iter().map(|id| standing_change(id, self.standings.of(id))))
            .chain(replaced.map(|id| standing_change(&id, Standing::Superseded)))
            .collect())
    }
}

fn search(
    recall: &Recall,
    query: &Query<'_>,
    filter: &Filter,
    limit: usize,
    is_wanted: impl Fn(&Hit) -> bool,
) -> Result<Vec<(Hit, Filed)>, RecallError> {
    let hits = recall.search(query, limit, &|attributes| filter.accepts(attributes))?;
    let found = hits.into_iter().filter(is_wanted).map(|hit| {
        let filed = filed(hit.attributes, &recall.stored(&hit)?);
        Ok(filed.map(|filed| (hit, filed)))
    });
    found.filter_map(Result::transpose).collect()
}

fn mark_replaced(documents: &mut [Document], replaced: &[LearningId]) {
    let replaced: HashSet<_> = replaced.iter().map(LearningId::as_str).collect();
    for document in documents.iter_mut().filter(|one| replaced.contains(one.id.as_str())) {
        document.mark = Standing::Superseded.mark();
    }
}

fn lines(path: &Path, problems: Vec<Problem>) -> impl Iterator<Item = Fault> {
    let path = path.to_owned();
    problems.into_iter().map(move |problem| Fault::Lines { path: path.clone(), problem })
}

fn unread(backends: &[&dyn Backend], origin: &Origin) -> u64 {
    let sources = backends.iter().flat_map(|backend| backend.sources());
    sources.map(|path| origin.sources.unread(&path)).sum()
}
