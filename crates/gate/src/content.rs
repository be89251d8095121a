//! The content of a task: a hash of the working files, and the number of files that differ from the
//! start of the task.

use verger_event::ContentHash;

/// The content of a task at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The hash of the working files.
    pub hash: ContentHash,
    /// The difference of the working files from the start of the task.
    pub difference: Difference,
}

/// The difference between the working files now and at the start of the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// No file differs, and no change of the task is elsewhere, such as in a stash.
    None,
    /// This many files differ.
    Files(usize),
    /// No file differs, but changes of the task were stashed or left on another branch.
    MovedOut,
    /// The difference couldn't be determined.
    Unknown,
}

impl Content {
    /// The content of a task that changed no files.
    pub fn nothing() -> Self {
        Self { hash: ContentHash::of_nothing(), difference: Difference::None }
    }

    /// A placeholder for content that couldn't be determined. It differs from every content that a
    /// reviewer approved.
    pub fn unknown() -> Self {
        Self { hash: ContentHash::new("unknown"), difference: Difference::Unknown }
    }
}
