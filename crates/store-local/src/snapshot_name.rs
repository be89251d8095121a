//! The directories and file names of snapshots.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use verger_event::{Fold, Form};
use verger_store::StoreError;

use crate::dir::Dir;

const SESSIONS: &str = "sessions";
/// The name of the directory with the projects' segments and snapshots.
const PROJECTS: &str = "projects";
/// The suffix of the file with the previous snapshot.
const PREVIOUS: &str = ".1";

/// The name of a snapshot. The current and the previous snapshot file have names derived from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SnapshotName {
    directory: &'static str,
    base: String,
    form: Form,
}

impl SnapshotName {
    /// The name of the snapshot of a session's state, which every turn needs.
    pub(crate) fn of_session(stem: &str) -> Self {
        Self { directory: SESSIONS, base: stem.to_owned(), form: Form::Readable }
    }

    /// The name of the snapshot of an additional fold of a session. Segment stems have no full
    /// stop, so the two kinds of names can't be confused.
    pub(crate) fn beside_session<F: Fold>(stem: &str, name: &str) -> Self {
        Self::beside(SESSIONS, stem, name, F::FORM)
    }

    /// The name of the snapshot of a fold of a project.
    pub(crate) fn beside_project<F: Fold>(stem: &str, name: &str) -> Self {
        Self::beside(PROJECTS, stem, name, F::FORM)
    }

    fn beside(directory: &'static str, stem: &str, name: &str, form: Form) -> Self {
        debug_assert!(is_word(name), "{name:?} does not go into a file's name");
        Self { directory, base: format!("{stem}.{name}"), form }
    }

    pub(crate) fn current(&self) -> String {
        format!("{}{}", self.base, ending(self.form))
    }

    pub(crate) fn previous(&self) -> String {
        self.current() + PREVIOUS
    }

    /// The directory in which this snapshot is stored.
    pub(crate) fn place<'a>(&self, root: &'a Dir) -> SnapshotPlace<'a> {
        SnapshotPlace { root, directory: self.directory, opened: OnceCell::new() }
    }
}

/// A directory with snapshots. It is opened at most once per turn.
pub(crate) struct SnapshotPlace<'a> {
    root: &'a Dir,
    directory: &'static str,
    opened: OnceCell<Dir>,
}

impl SnapshotPlace<'_> {
    pub(crate) fn existing(&self) -> Result<Option<&Dir>, StoreError> {
        if self.opened.get().is_none() {
            let Some(dir) = self.root.existing_subdir(self.directory)? else { return Ok(None) };
            self.opened.get_or_init(|| dir);
        }
        Ok(self.opened.get())
    }

    /// Opens the directory; creates it if it is missing.
    pub(crate) fn made(&self) -> Result<&Dir, StoreError> {
        if let Some(dir) = self.existing()? {
            return Ok(dir);
        }
        let dir = self.root.subdir(self.directory)?;
        Ok(self.opened.get_or_init(|| dir))
    }
}

/// The names of the snapshots of a session's additional folds. They are found by listing files, not
/// from a list of known names: snapshots of a newer or older program also contain data of the
/// session and must be removed with it.
pub(crate) fn beside_one(root: &Dir, stem: &str) -> Result<Vec<SnapshotName>, StoreError> {
    let is_of_it = |file: &str| parse(file).is_some_and(|(of, ..)| of == stem);
    Ok(beside_in(root, SESSIONS, is_of_it)?.remove(stem).unwrap_or_default())
}

/// The names of the snapshots of all sessions' additional folds, by the stem of the segment.
#[cfg(feature = "index")]
pub(crate) fn beside_sessions(root: &Dir) -> Result<ByStem, StoreError> {
    beside_in(root, SESSIONS, is_beside)
}

/// The names of the snapshots of all projects, by the stem of the segment.
#[cfg(feature = "index")]
pub(crate) fn beside_projects(root: &Dir) -> Result<ByStem, StoreError> {
    beside_in(root, PROJECTS, is_beside)
}

type ByStem = BTreeMap<String, Vec<SnapshotName>>;

fn beside_in(
    root: &Dir,
    directory: &'static str,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<ByStem, StoreError> {
    let mut found = ByStem::new();
    let Some(dir) = root.existing_subdir(directory)? else { return Ok(found) };
    for (stem, name, form) in dir.names_where(is_wanted)?.iter().filter_map(|file| parse(file)) {
        let names = found.entry(stem.to_owned()).or_default();
        let name = SnapshotName::beside(directory, stem, name, form);
        // In the sorted list, the current and the previous file of a snapshot are next to each
        // other, so the name is added only once.
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    Ok(found)
}

/// Whether a file is a snapshot of a project or of a session's additional fold, current or
/// previous.
pub(crate) fn is_beside(file: &str) -> bool {
    parse(file).is_some()
}

/// Parses the name of a snapshot file. Returns the segment's stem, the fold's name and the
/// snapshot's form.
fn parse(file: &str) -> Option<(&str, &str, Form)> {
    let file = file.strip_suffix(PREVIOUS).unwrap_or(file);
    let of = |form| Some((file.strip_suffix(ending(form))?, form));
    let (base, form) = of(Form::Readable).or_else(|| of(Form::Compact))?;
    let (stem, name) = base.split_once('.')?;
    is_word(name).then_some((stem, name, form))
}

fn ending(form: Form) -> &'static str {
    match form {
        Form::Readable => ".json",
        Form::Compact => ".bin",
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase())
}
