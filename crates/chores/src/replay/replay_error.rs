//! The errors that can end a replay.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum ReplayError {
    #[error("{path} could not be read")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} could not be written")]
    Write { path: PathBuf, source: io::Error },
    #[error("{path} has no session files (*.jsonl.gz) that match")]
    NoSessions { path: PathBuf },
    #[error("{path}:{line} is not a line of a session file")]
    NotALine { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("{path}:{line} has an event before the first session")]
    NoMeta { path: PathBuf, line: usize },
    #[error("{path}:{line} is not a label")]
    NotALabel { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("there is no program {path}")]
    NoProgram { path: PathBuf },
    #[error("`{command}` did not run")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed: {output}")]
    Failed { command: String, output: String },
    #[error("a job of the replay panicked")]
    Panicked,
}
