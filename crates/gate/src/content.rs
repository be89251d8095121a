//! The content of a task: the fact about the working files that gates decide by.

use verger_event::ContentHash;

/// The content of a task at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The hash of the content.
    pub hash: ContentHash,
    /// The difference from the start of the task.
    pub difference: Difference,
}

/// The difference between the working files now and at the start of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// None, and no content of the task was moved elsewhere.
    None,
    /// This many files differ.
    Files(usize),
    /// None, but content of the task was moved elsewhere: stashed, or left on a branch.
    MovedOut,
    /// The difference couldn't be determined.
    Unknown,
}

impl Content {
    /// The content of a task that changed nothing.
    pub fn nothing() -> Self {
        Self { hash: ContentHash::of_nothing(), difference: Difference::None }
    }

    /// The content of a task for which it couldn't be determined. It equals no content that was
    /// approved.
    pub fn unknown() -> Self {
        Self { hash: ContentHash::new("unknown"), difference: Difference::Unknown }
    }
}
