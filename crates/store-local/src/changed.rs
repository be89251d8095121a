//! Marks of changed sessions, for the index.
//!
//! `changed/<stem>` is an empty file. A writer creates it before it appends, and again afterwards
//! if the index removed it in between. The index removes a mark before it reads the segment, so it
//! reads a record that was appended while the mark existed. Usually the mark exists already, and a
//! writer does only two lookups.

#[cfg(feature = "index")]
use verger_store::StoreError;

#[cfg(feature = "index")]
use crate::dir::Dir;
use crate::probe::Probe;
use crate::store::LocalStore;

const CHANGED: &str = "changed";

impl<P: Probe> LocalStore<P> {
    /// Marks the session as changed, so that the index reads it. A mark that can't be created is
    /// noted. The index then lacks the new records until the session's next record or a rebuild.
    pub(crate) fn mark_changed(&self, stem: &str) {
        if !self.root.has(&format!("{CHANGED}/{stem}")) {
            let made = self.root.subdir(CHANGED).and_then(|dir| dir.append(stem));
            self.note_unfinished(made.map(drop));
        }
    }
}

/// The stems of the segments that have a mark.
#[cfg(feature = "index")]
#[derive(Default)]
pub(crate) struct Marks(Vec<String>);

#[cfg(feature = "index")]
impl Marks {
    pub(crate) fn read(root: &Dir) -> Result<Self, StoreError> {
        let dir = root.existing_subdir(CHANGED)?;
        Ok(Self(dir.map(|dir| dir.names()).transpose()?.unwrap_or_default()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn stems(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    /// Removes the marks. The caller must have stored their stems in the index, and must not have
    /// read the segments yet.
    pub(crate) fn take(&self, root: &Dir) -> Result<(), StoreError> {
        let Some(dir) = root.existing_subdir(CHANGED)? else { return Ok(()) };
        self.0.iter().try_for_each(|stem| dir.remove(stem))
    }
}
