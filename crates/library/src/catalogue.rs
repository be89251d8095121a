//! The search index over the learnings of a project and of its person, kept in step with the places
//! that have them. It is derived: without it nothing is found, and nothing is lost.

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

/// A caller in a hurry merges no more learnings than this into one segment.
const HURRIED_MERGE: u32 = 500;

/// The index over some backends.
#[derive(Debug, Clone)]
pub struct Catalogue {
    dir: PathBuf,
}

/// How much may be done to bring the index up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Whatever it takes, also waiting for somebody who is at it.
    Whole,
    /// Reading at most this many bytes, and nothing when somebody else is at it.
    AtMost {
        /// The bytes.
        bytes: u64,
    },
}

/// What was done.
#[derive(Debug)]
pub struct Refreshed {
    /// How the index stands.
    pub outcome: Outcome,
    /// What could not be read of what was read now.
    pub faults: Vec<Fault>,
}

/// How the index stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was up to date.
    Same,
    /// It has these many more learnings, or new standings.
    Updated {
        /// How many.
        learnings: usize,
    },
    /// It was made anew.
    Rebuilt {
        /// Of how many.
        learnings: usize,
    },
    /// It is behind, because there is too much to read for somebody in a hurry.
    TooMuch {
        /// How many bytes.
        bytes: u64,
    },
    /// It is behind, and somebody else is bringing it up to date.
    Busy,
}

/// Something that could not be read.
#[derive(Debug)]
pub enum Fault {
    /// A part of a file.
    Lines {
        /// The file.
        path: PathBuf,
        /// Where, and what is wrong.
        problem: Problem,
    },
    /// A whole file.
    File(FileError),
}

/// What the statistics say about learnings.
pub trait Standings {
    /// How one stands.
    fn of(&self, learning: &LearningId) -> Standing;

    /// Those that may stand differently than when the index was made, `known` being what
    /// [`Self::state`] was then; nothing when any of them may.
    fn changed_since(&self, known: &[u8]) -> Option<Vec<LearningId>>;

    /// How many bytes that takes.
    fn unread_since(&self, known: &[u8]) -> u64;

    /// Says how far the statistics were read.
    fn state(&self) -> Vec<u8>;
}

impl Catalogue {
    /// The index in this directory.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Finds the learnings that fit a query best, best first; of those, the ones that are wanted.
    /// Only they are read.
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

    /// These learnings, as far as the index has them.
    pub fn find<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<Vec<Filed>, RecallError> {
        let Some(recall) = Recall::open(&self.dir)? else { return Ok(vec![]) };
        let found = recall.find(ids)?;
        Ok(found.iter().filter_map(|(attributes, stored)| filed(*attributes, stored)).collect())
    }

    /// How many bytes of the backends the index does not know yet.
    pub fn unread(&self, backends: &[&dyn Backend]) -> u64 {
        unread(backends, &self.origin())
    }

    fn origin(&self) -> Origin {
        let recall = Recall::open(&self.dir).ok().flatten();
        recall.map(|recall| Origin::read(recall.source())).unwrap_or_default()
    }

    /// Brings the index up to date.
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
        // An index that cannot be opened is made anew.
        let recall = Recall::open(&self.dir).ok().flatten();
        // Whoever has the time looks at all of it: a search notices only what it reads.
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
    /// Adds what is new; nothing when more than that changed.
    fn update(&self, origin: &Origin, effort: Effort) -> Result<Option<Refreshed>, RecallError> {
        let sources: Vec<_> = self.backends.iter().flat_map(|backend| backend.sources()).collect();
        // A log of long ago may be there and not be read any more.
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
        // Statistics that move nothing are written down by whoever has the time: the log of what
        // sessions are given grows with every one of them.
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

    /// New learnings, and other standings. What another learning replaced stays so, whatever else is
    /// done to it: the statistics need not know.
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
        // A merge may bring a learning later than the one that replaces it.
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
