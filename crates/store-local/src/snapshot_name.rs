//! Where the snapshot of a fold is, and what its files are called.

use verger_store::StoreError;

use crate::dir::Dir;

const SESSIONS: &str = "sessions";
const CURRENT: &str = ".json";
const PREVIOUS: &str = ".json.1";

/// A snapshot, in both of its generations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SnapshotName {
    directory: &'static str,
    base: String,
}

impl SnapshotName {
    /// Of the fold that every turn of a session needs.
    pub(crate) fn of_session(stem: &str) -> Self {
        Self { directory: SESSIONS, base: stem.to_owned() }
    }

    pub(crate) fn current(&self) -> String {
        format!("{}{CURRENT}", self.base)
    }

    pub(crate) fn previous(&self) -> String {
        format!("{}{PREVIOUS}", self.base)
    }

    /// The directory that it is in, made when it is missing.
    pub(crate) fn directory(&self, root: &Dir) -> Result<Dir, StoreError> {
        root.subdir(self.directory)
    }

    pub(crate) fn existing_directory(&self, root: &Dir) -> Result<Option<Dir>, StoreError> {
        root.existing_subdir(self.directory)
    }
}
