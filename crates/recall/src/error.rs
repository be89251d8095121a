//! What can go wrong with an index.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why an index cannot be read or written: each message says what could not be done. In every case the documents are safe: the index is derived
/// from them.
#[derive(Debug, Error)]
pub enum RecallError {
    /// The system refused.
    #[error("{action} {}", path.display())]
    Io {
        /// What was tried, such as `open`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("use {}, which is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not hold.
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

    /// A file that the manifest names is not there (any more).
    pub(crate) fn is_missing_file(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
