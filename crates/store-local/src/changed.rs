//! Marks of changed sessions: which segments the index has not seen yet.
//!
//! `changed/<stem>` is an empty file. A writer makes it before it appends, and again after it if the
//! index took it away in between. The index takes a mark away before it reads the segment, so a record
//! that was appended while the mark was there is read with it. In the usual case, the mark is there
//! already and costs two lookups.

#[cfg(feature = "index")]
use verger_store::StoreError;

#[cfg(feature = "index")]
use crate::dir::Dir;
use crate::probe::Probe;
use crate::store::LocalStore;

const CHANGED: &str = "changed";

impl<P: Probe> LocalStore<P> {
    /// Makes sure that the index looks at the session. A mark that can't be made is noted: the index is
    /// behind then, until the session's next record or a rebuild.
    pub(crate) fn mark_changed(&self, stem: &str) {
        if !self.root.has(&format!("{CHANGED}/{stem}")) {
            let made = self.root.subdir(CHANGED).and_then(|dir| dir.append(stem));
            self.note_unfinished(made.map(drop));
        }
    }
}

/// The marks that were found: the stems of the segments.
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

    /// Takes the marks away. The index must have noted the sessions by then, and read none of them.
    pub(crate) fn take(&self, root: &Dir) -> Result<(), StoreError> {
        let Some(dir) = root.existing_subdir(CHANGED)? else { return Ok(()) };
        self.0.iter().try_for_each(|stem| dir.remove(stem))
    }
}
