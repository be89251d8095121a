//! A review made by a program that verger runs.

use serde::{Deserialize, Serialize};

/// The program that reviewed: who it was, when somebody asks later.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewerProgram {
    /// As the user set it; nothing where none is set.
    pub program: String,
    /// The file that was run, where one was found.
    pub path: Option<String>,
    /// The SHA-256 of that file, where it could be read.
    pub sha256: Option<String>,
    /// What it was given.
    pub arguments: Vec<String>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// In words that follow the name of the program, such as `exited with 0`.
    pub ending: String,
    /// How long it took.
    pub took_millis: Option<u64>,
}
