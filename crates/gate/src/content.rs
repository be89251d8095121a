//! What the work of a task amounts to, as a fact that gates decide by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Stands for path and content of every file that the task changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// Takes the text as it is.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Enough of it to tell two apart when people look at them.
    pub fn short(&self) -> &str {
        &self.0[..self.0.floor_char_boundary(12)]
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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
