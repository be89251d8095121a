//! The interface of a backend, which stores learnings.

use std::path::{Path, PathBuf};

pub use verger_event::BackendKind;
use verger_memory::Learning;
use verger_memory::text::{Placed, Problem};

use crate::mark::Mark;
use crate::shared_file::FileError;

/// A place that stores learnings. Their use is counted in the statistics, not here: a learning in a
/// backend never changes.
pub trait Backend {
    fn kind(&self) -> BackendKind;

    /// The file or directory that new learnings are added to.
    fn location(&self) -> PathBuf;

    fn health(&self) -> Result<Health, FileError>;

    /// Adds all of the learnings, or none.
    fn append(&self, learnings: &[Learning]) -> Result<(), FileError>;

    /// The existing files that learnings are read from.
    fn sources(&self) -> Vec<PathBuf>;

    /// Reads every source. Of a source with a mark, it reads only new content.
    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source>;
}

/// The health of a usable place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It has learnings, or is ready for them.
    Ready,
    /// It is empty; the first learning creates it.
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

/// The result of reading a source.
#[derive(Debug)]
pub enum SourceState {
    /// Nothing is new since its mark.
    Same,
    /// The content before its mark is unchanged; these entries come after it.
    Appended(Entries),
    /// All entries of the source.
    Whole(Entries),
    /// It could not be read.
    Unreadable(FileError),
}

/// The learnings of a source, and the problems of the parts that can't be read.
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
