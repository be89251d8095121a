//! The content of a task: a hash of the working files, and how much they differ from the task's
//! start.

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
    /// No file differs, and no content of the task was moved elsewhere.
    None,
    /// This many files differ.
    Files(usize),
    /// No file differs, but content of the task was stashed or left on another branch.
    MovedOut,
    /// The difference couldn't be determined.
    Unknown,
}

impl Content {
    /// The content of a task that changed nothing.
    pub fn nothing() -> Self {
        Self { hash: ContentHash::of_nothing(), difference: Difference::None }
    }

    /// A placeholder for content that couldn't be determined. It differs from every approved
    /// content.
    pub fn unknown() -> Self {
        Self { hash: ContentHash::new("unknown"), difference: Difference::Unknown }
    }
}
