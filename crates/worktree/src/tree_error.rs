//! The errors of reading a working tree.

use std::io;
use std::path::{Path, PathBuf};

use verger_exec::RunError;

/// The reason why a working tree can't be read or compared.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    #[error("compare the working tree within its time")]
    TimedOut,
    #[error("compare the working tree: too much differs")]
    TooMuch,
    #[error("run git")]
    Run(#[source] RunError),
    #[error("{step}: git says {message:?}")]
    Refused { step: &'static str, message: String },
    #[error("{step}: git's answer is not understood")]
    Answer { step: &'static str },
    #[error("{doing} {}", path.display())]
    Files { doing: &'static str, path: PathBuf, source: io::Error },
}

impl TreeError {
    pub(crate) fn files<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Files { doing, path: path.to_owned(), source }
    }
}

impl From<RunError> for TreeError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::TimedOut => Self::TimedOut,
            RunError::TooMuchOutput { .. } => Self::TooMuch,
            other => Self::Run(other),
        }
    }
}
