//! The errors of an index.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why an index can't be read or written. Each message names the failed action. The
/// documents aren't affected, because the index is derived from them.
#[derive(Debug, Error)]
pub enum RecallError {
    /// A system call failed.
    #[error("{action} {}", path.display())]
    Io {
        /// The action, such as `open`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The content isn't as it was written.
    #[error("use {}, which is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The check that failed.
        what: &'static str,
    },
    /// The file was written by another version of this program.
    #[error("use {}, which has format {found}: this program reads {known}", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that is read here.
        known: u32,
    },
    /// A document has a field that is too large for the index.
    #[error("index {id}, which is too large")]
    TooLarge {
        /// The document.
        id: String,
    },
}

impl RecallError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn damaged(path: &Path, what: &'static str) -> Self {
        Self::Damaged { path: path.to_owned(), what }
    }

    /// Whether the error is a missing file, which a writer may have removed after the manifest was
    /// read.
    pub(crate) fn is_missing_file(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
