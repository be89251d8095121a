//! A review made by a program that verger runs.

use serde::{Deserialize, Serialize};

/// The program that made a review, for later audits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerProgram {
    /// The program as the user set it; empty if none is set.
    pub program: String,
    /// The file that was run, if one was found.
    pub path: Option<String>,
    /// The SHA-256 of that file, if it could be read.
    pub sha256: Option<String>,
    /// The arguments.
    pub arguments: Vec<String>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The ending, in words that follow the name of the program, such as `exited with 0`.
    pub ending: String,
    /// The duration of the run.
    pub took_millis: Option<u64>,
}
