//! The search index over the learnings of a project and of a person, updated from the backends. The
//! index is derived: if it is lost, searches find nothing until it is rebuilt, but no learning is
//! lost.

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

/// The maximum number of learnings in a merge of segments during a limited update.
const HURRIED_MERGE: u32 = 500;

/// The index over several backends.
#[derive(Debug, Clone)]
pub struct Catalogue {
    dir: PathBuf,
}

/// How much work an update may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Does all of the work. Waits for another process that updates the index.
    Whole,
    /// Reads at most this many bytes. Does nothing if another process updates the index.
    AtMost {
        /// The maximum number of bytes.
        bytes: u64,
    },
}

/// The result of an update.
#[derive(Debug)]
pub struct Refreshed {
    /// The state of the index after the update.
    pub outcome: Outcome,
    /// Parts of the newly read sources that couldn't be read.
    pub faults: Vec<Fault>,
}

/// The state of the index after an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The index was up to date.
    Same,
    /// The index has more learnings, or new standings.
    Updated {
        /// The number of changed learnings.
        learnings: usize,
    },
    /// The index was rebuilt.
    Rebuilt {
        /// The number of learnings in it.
        learnings: usize,
    },
    /// The index is out of date, because the update would exceed [`Effort::AtMost`].
    TooMuch {
        /// The number of bytes to read.
        bytes: u64,
    },
    /// The index is out of date, and another process is updating it.
    Busy,
}

/// Content that couldn't be read.
#[derive(Debug)]
pub enum Fault {
    /// A part of a file.
    Lines {
        /// The file.
        path: PathBuf,
        /// The position and the problem.
        problem: Problem,
    },
    /// A whole file.
    File(FileError),
}

/// The standings of learnings according to the statistics.
pub trait Standings {
    /// The standing of a learning.
    fn of(&self, learning: &LearningId) -> Standing;

    /// The learnings whose standing may have changed since the index was written. `known` is the
    /// value of [`Self::state`] at that time. `None` if any learning may have changed.
    fn changed_since(&self, known: &[u8]) -> Option<Vec<LearningId>>;

    /// The number of bytes that [`Self::changed_since`] has to read.
    fn unread_since(&self, known: &[u8]) -> u64;

    /// The position up to which the statistics were read, encoded for the index.
    fn state(&self) -> Vec<u8>;
}

impl Catalogue {
    /// The index in this directory.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Finds the learnings that fit a query best, best first. Only learnings that the filter
    /// accepts are read.
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

    /// The learnings with these ids, if the index has them.
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

    /// Updates the index.
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
        // An index that can't be opened is rebuilt.
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
    /// Adds new content. `None` if the index must be rebuilt.
    fn update(&self, origin: &Origin, effort: Effort) -> Result<Option<Refreshed>, RecallError> {
        let sources: Vec<_> = self.backends.iter().flat_map(|backend| backend.sources()).collect();
        // The index may cover an old log that is no longer read.
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
        // Statistics that change no standing are saved only by an unlimited update, because the log
        // of learnings given to sessions grows with every session.
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

    /// The changes for new learnings and for new standings. A replaced learning stays superseded,
    /// even if the statistics don't know about the replacement.
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
        // A merge may add a learning later than its replacement.
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
