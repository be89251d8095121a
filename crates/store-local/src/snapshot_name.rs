//! Where the snapshot of a fold is, and what its files are called.

use verger_store::StoreError;

use crate::dir::Dir;

const SESSIONS: &str = "sessions";
/// Beside the segments.
const PROJECTS: &str = "projects";
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

    /// Of another fold of a session. No session's name has a full stop, so that nobody takes one for
    /// the other.
    pub(crate) fn beside_session(stem: &str, name: &str) -> Self {
        Self::beside(SESSIONS, stem, name)
    }

    /// Of a fold of a project.
    pub(crate) fn beside_project(stem: &str, name: &str) -> Self {
        Self::beside(PROJECTS, stem, name)
    }

    fn beside(directory: &'static str, stem: &str, name: &str) -> Self {
        debug_assert!(is_word(name), "{name:?} does not go into a file's name");
        Self { directory, base: format!("{stem}.{name}") }
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

/// Whether a file is such a snapshot of a session or of a project, in whichever generation.
pub(crate) fn is_beside(file: &str) -> bool {
    let base = file.strip_suffix(PREVIOUS).or_else(|| file.strip_suffix(CURRENT));
    base.and_then(|base| base.split_once('.')).is_some_and(|(_, name)| is_word(name))
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase())
}
