//! The journal of changed sessions: which segments the index has not seen yet.
//!
//! `changed/<stem>` is an empty file. A writer makes it before it appends, and again after it if the
//! index took it away in between. The index takes a mark away before it reads the segment, so a record
//! that was appended while the mark was there is read with it. In the usual case, the mark is there
//! already and costs two lookups. Marks of idle sessions are lines of `changed/list`: names of segments
//! have a hyphen, so that no mark is called so.

#[cfg(feature = "index")]
use std::io::Read as _;

#[cfg(feature = "index")]
use verger_store::StoreError;

#[cfg(feature = "index")]
use crate::dir::Dir;
#[cfg(feature = "index")]
use crate::failure::failed;
use crate::probe::Probe;
use crate::store::LocalStore;

const CHANGED: &str = "changed";
#[cfg(feature = "index")]
const LIST: &str = "list";

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

/// The marks that were found, in both forms.
#[cfg(feature = "index")]
#[derive(Default)]
pub(crate) struct Marks {
    files: Vec<String>,
    listed: Vec<String>,
}

#[cfg(feature = "index")]
impl Marks {
    pub(crate) fn read(root: &Dir) -> Result<Self, StoreError> {
        let Some(dir) = root.existing_subdir(CHANGED)? else { return Ok(Self::default()) };
        let mut files = dir.names()?;
        let listed = files.iter().position(|name| name == LIST).map(|at| files.remove(at));
        let listed = listed.map(|_| read_list(&dir)).transpose()?.unwrap_or_default();
        Ok(Self { files, listed })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.listed.is_empty()
    }

    pub(crate) fn stems(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.listed)
    }

    /// Takes the marks away. The index must have noted the sessions by then, and read none of them.
    pub(crate) fn take(&self, root: &Dir) -> Result<(), StoreError> {
        let Some(dir) = root.existing_subdir(CHANGED)? else { return Ok(()) };
        self.files.iter().try_for_each(|stem| dir.remove(stem))?;
        if self.listed.is_empty() { Ok(()) } else { dir.remove(LIST) }
    }
}

#[cfg(feature = "index")]
fn read_list(dir: &Dir) -> Result<Vec<String>, StoreError> {
    let mut text = String::new();
    if let Some(mut file) = dir.read(LIST)? {
        file.read_to_string(&mut text).map_err(failed("read", dir.path_of(LIST)))?;
    }
    Ok(text.lines().map(str::to_owned).collect())
}
