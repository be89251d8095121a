//! Marks sessions as changed, so that the index reads them.
//!
//! The mark of a session is the empty file `changed/<stem>`. A writer creates the mark before it
//! appends. If the index removes the mark meanwhile, the writer creates it again afterwards. The
//! index removes a mark before it reads the segment, so it reads every record that was appended
//! while the mark existed. Usually the mark exists already, and a writer does only two lookups.

#[cfg(feature = "index")]
use verger_store::StoreError;

#[cfg(feature = "index")]
use crate::dir::Dir;
use crate::probe::Probe;
use crate::store::LocalStore;

const CHANGED: &str = "changed";

impl<P: Probe> LocalStore<P> {
    /// Marks the session as changed, so that the index reads it. A failure to create the mark is
    /// noted. The index then lacks the new records until the session's next record or a rebuild.
    pub(crate) fn mark_changed(&self, stem: &str) {
        if !self.root.has(&format!("{CHANGED}/{stem}")) {
            let made = self.root.subdir(CHANGED).and_then(|dir| dir.append(stem));
            self.note_unfinished(made.map(drop));
        }
    }
}

/// The segment stems of the sessions that are marked as changed.
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

    /// Removes the marks. The caller must have stored the stems in the index before, and must read
    /// the segments only afterwards.
    pub(crate) fn take(&self, root: &Dir) -> Result<(), StoreError> {
        let Some(dir) = root.existing_subdir(CHANGED)? else { return Ok(()) };
        self.0.iter().try_for_each(|stem| dir.remove(stem))
    }
}
