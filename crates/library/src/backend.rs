//! A place that keeps learnings.

use std::path::{Path, PathBuf};

pub use verger_event::BackendKind;
use verger_memory::Learning;
use verger_memory::text::{Placed, Problem};

use crate::mark::Mark;
use crate::shared_file::FileError;

/// A place that keeps learnings. What becomes of them is kept in the statistics, not here: a
/// learning that is in a backend stays there as it was written.
pub trait Backend {
    fn kind(&self) -> BackendKind;

    /// The file or directory where learnings are put.
    fn location(&self) -> PathBuf;

    fn health(&self) -> Result<Health, FileError>;

    /// Adds learnings, all or none.
    fn append(&self, learnings: &[Learning]) -> Result<(), FileError>;

    /// The files that it is read from, those that exist.
    fn sources(&self) -> Vec<PathBuf>;

    /// Reads every source, or what is new in those that the marks are of.
    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source>;
}

/// How a place is doing that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It has learnings, or is ready for them.
    Ready,
    /// There is nothing yet; the first learning makes it.
    New,
    /// It can be used, but git will not merge two branches of it by itself.
    NoMergeAttribute,
}

/// One file of a backend.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    pub state: SourceState,
}

/// What was read of a source.
#[derive(Debug)]
pub enum SourceState {
    /// Nothing is new since its mark.
    Same,
    /// What is before its mark is as it was; these came after it.
    Appended(Entries),
    /// All of it.
    Whole(Entries),
    /// It could not be read.
    Unreadable(FileError),
}

/// The learnings of a source, and where it cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    pub learnings: Vec<Placed>,
    pub problems: Vec<Problem>,
    /// Where reading ended.
    pub mark: Mark,
}

/// The mark of a source that was read before.
pub(crate) fn mark_of<'a>(known: &'a [(PathBuf, Mark)], path: &Path) -> Option<&'a Mark> {
    known.iter().find(|(known, _)| known == path).map(|(_, mark)| mark)
}
