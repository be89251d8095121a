//! The interface of a backend, which stores learnings.

use std::path::{Path, PathBuf};

pub use verger_event::BackendKind;
use verger_memory::Learning;
use verger_memory::text::{Placed, Problem};

use crate::mark::Mark;
use crate::shared_file::FileError;

/// A place that stores learnings. A stored learning never changes; its usage is counted in the
/// statistics.
pub trait Backend {
    fn kind(&self) -> BackendKind;

    /// The file or directory that new learnings are added to.
    fn location(&self) -> PathBuf;

    fn health(&self) -> Result<Health, FileError>;

    /// Adds all learnings, or none.
    fn append(&self, learnings: &[Learning]) -> Result<(), FileError>;

    /// The existing files that learnings are read from.
    fn sources(&self) -> Vec<PathBuf>;

    /// Reads every source. If a source has a mark, reads only the content after the mark.
    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source>;
}

/// The health of a usable backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The backend has learnings, or can accept them.
    Ready,
    /// The backend is empty; the first learning creates its files.
    New,
    /// The backend can be used, but git can't merge two branches of its file automatically.
    NoMergeAttribute,
}

/// One file of a backend.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    pub state: SourceState,
}

/// The result of reading a source.
#[derive(Debug)]
pub enum SourceState {
    /// The source has no content after its mark.
    Same,
    /// The content before the mark is unchanged. These entries come after the mark.
    Appended(Entries),
    /// All entries of the source.
    Whole(Entries),
    /// The source couldn't be read.
    Unreadable(FileError),
}

/// The learnings of a source, and problems with the parts that couldn't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    pub learnings: Vec<Placed>,
    pub problems: Vec<Problem>,
    /// The position where reading ended.
    pub mark: Mark,
}

/// The known mark of a source.
pub(crate) fn mark_of<'a>(known: &'a [(PathBuf, Mark)], path: &Path) -> Option<&'a Mark> {
    known.iter().find(|(known, _)| known == path).map(|(_, mark)| mark)
}
