//! What becomes of files when git brings others back.

use serde::{Deserialize, Serialize};

/// Which files are gone with it that the last commit does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum New {
    /// None.
    Stay,
    /// Those that are staged.
    Staged,
    /// All.
    All,
}

/// What becomes of files when another commit is the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tree {
    /// They stay as they are.
    Stays,
    /// They are as they were there.
    Follows,
}
