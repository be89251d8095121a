//! The interface of backends, which are the places where learnings are stored.

use std::path::{Path, PathBuf};

pub use verger_event::BackendKind;
use verger_memory::Learning;
use verger_memory::text::{Placed, Problem};

use crate::mark::Mark;
use crate::shared_file::FileError;

/// A place that stores learnings. A stored learning never changes; the statistics count its usage.
pub trait Backend {
    fn kind(&self) -> BackendKind;

    /// The path of the file or directory to which new learnings are added.
    fn location(&self) -> PathBuf;

    fn health(&self) -> Result<Health, FileError>;

    /// Stores all of the learnings, or none of them.
    fn append(&self, learnings: &[Learning]) -> Result<(), FileError>;

    /// The paths of the existing files from which learnings are read.
    fn sources(&self) -> Vec<PathBuf>;

    /// Reads all sources. `known` has marks from earlier reads; only the content after the mark of
    /// a source is read.
    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source>;
}

/// The state of a usable backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The backend has learnings, or can accept them.
    Ready,
    /// The backend is empty; the first learning creates its files.
    New,
    /// The backend can be used, but git is not set up to merge two branches of its file
    /// automatically.
    NoMergeAttribute,
}

/// One file of a backend, and the result of reading it.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    pub state: SourceState,
}

/// The result of reading a source.
#[derive(Debug)]
pub enum SourceState {
    /// The source has no new content after its mark.
    Same,
    /// The entries after the mark. The content before the mark is unchanged.
    Appended(Entries),
    /// All entries of the source, because it had no mark or was replaced.
    Whole(Entries),
    /// The source couldn't be read.
    Unreadable(FileError),
}

/// The learnings of a source, and the problems with parts that couldn't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    pub learnings: Vec<Placed>,
    pub problems: Vec<Problem>,
    /// The position in the file at which reading ended.
    pub mark: Mark,
}

/// The mark of the source `path` in a list of known marks.
pub(crate) fn mark_of<'a>(known: &'a [(PathBuf, Mark)], path: &Path) -> Option<&'a Mark> {
    known.iter().find(|(known, _)| known == path).map(|(_, mark)| mark)
}
