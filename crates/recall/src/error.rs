//! The errors of reading and writing an index.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The reason why an index can't be read or written. The documents aren't affected, because the
/// index is derived from them.
#[derive(Debug, Error)]
pub enum RecallError {
    /// A system call on a file or folder failed.
    #[error("{action} {}", path.display())]
    Io {
        /// The action that failed, such as `open`.
        action: &'static str,
        /// The path of the file or folder.
        path: PathBuf,
        /// The error from the operating system.
        source: io::Error,
    },
    /// The content of a file isn't as verger wrote it.
    #[error("use {}, which is damaged: {what}", path.display())]
    Damaged {
        /// The path of the damaged file.
        path: PathBuf,
        /// The check of the file that failed.
        what: &'static str,
    },
    /// A file of the index has a format of another version of this program.
    #[error("use {}, which has format {found}: this program reads {known}", path.display())]
    OtherFormat {
        /// The path of the file with the other format.
        path: PathBuf,
        /// The format number in the file.
        found: u32,
        /// The format number that this program reads.
        known: u32,
    },
    /// A document has a field that is too large for the index.
    #[error("index {id}, which is too large")]
    TooLarge {
        /// The id of the document.
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

    /// Whether the error is a missing file. A writer may have removed the file after the manifest
    /// was read.
    pub(crate) fn is_missing_file(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
