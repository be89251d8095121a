//! What the work of a task amounts to, as a fact that gates decide by.

use verger_event::ContentHash;

/// The content of a task at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// What stands for it.
    pub hash: ContentHash,
    /// How it differs from where the task started.
    pub difference: Difference,
}

/// How the working files differ from where the task started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Not at all, and nothing was made that is not there any more.
    None,
    /// In this many files.
    Files(usize),
    /// Not at all, but content of the task was moved elsewhere: stashed, or left on a branch.
    MovedOut,
}
