//! A review by a program that verger runs.

use serde::{Deserialize, Serialize};

/// The program that made a review. The log stores this for later audits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerProgram {
    /// The program as the user configured it. Empty if none is configured.
    pub program: String,
    /// The path of the file that was run, if one was found.
    pub path: Option<String>,
    /// The SHA-256 of the file at `path`. `None` if the file couldn't be read.
    pub sha256: Option<String>,
    /// The arguments of the program.
    pub arguments: Vec<String>,
}

/// The end of a run of the reviewer's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The end of the run, in words that follow the name of the program, such as `exited with 0`.
    pub ending: String,
    /// The duration of the run, if the program was started.
    pub took_millis: Option<u64>,
}
