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
    /// Nobody could tell.
    Unknown,
}

impl Content {
    /// A task that changed nothing.
    pub fn nothing() -> Self {
        Self { hash: ContentHash::of_nothing(), difference: Difference::None }
    }

    /// A task of which it could not be found out. It equals no content that was approved.
    pub fn unknown() -> Self {
        Self { hash: ContentHash::new("unknown"), difference: Difference::Unknown }
    }
}
