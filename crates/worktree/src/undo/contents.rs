//! Selects the contents of an undo point: the files that it stores, and the left-out files that it
//! names.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::Saving;
use super::about::{LeftOut, Reason};
use super::import::{Entries, Entry, Import};
use super::reading::Reading;
use crate::project::path_from;
use crate::repository::Asking;
use crate::status::{Dirty, Status};
use crate::tree_error::TreeError;
use crate::version::{RepositoryPath, Version};

/// The divisor of the time limit for reading files. Git takes ten times as long to pack them.
const COPYING: u32 = 8;

/// The entries of a working tree that go into the import stream.
#[derive(Default)]
pub(super) struct Contents {
    /// The files that differ from the checked-out commit.
    pub(super) files: Entries,
    /// The index entries that differ from the checked-out commit.
    pub(super) index: Entries,
    /// The versions of the files in an unfinished merge, in the directories `1`, `2` and `3`.
    pub(super) unmerged: Entries,
    pub(super) left_out: Vec<LeftOut>,
    /// The paths in `left_out`.
    named: BTreeSet<RepositoryPath>,
    reading: Reading,
}

impl Contents {
    pub(super) fn write<W: Write>(
        import: &mut Import<W>,
        status: &Status,
        submodules: &[RepositoryPath],
        asking: &Asking<'_>,
        saving: &Saving<'_>,
    ) -> Result<Self, TreeError> {
        let mut contents = Self::default();
        let time = asking.git().deadline_of_part(COPYING);
        for (path, difference) in &status.staged {
            let is_kept = difference.now == Version::Absent
                || !(saving.is_protected)(&asking.top_level().join(OsStr::from_bytes(path)));
            if is_kept {
                contents.index.insert(path.clone(), Entry::from(&difference.now));
            } else {
                contents.leave_out(path, Reason::Protected);
            }
        }
        for (path, versions) in &status.unmerged {
            for (stage, version) in (1..).zip(versions).filter(|(_, v)| **v != Version::Absent) {
                let path = [format!("{stage}/").as_bytes(), path].concat();
                contents.unmerged.insert(path, Entry::from(version));
            }
        }
        contents.files = contents.index.clone();
        // Tracked files are stored first, because untracked ones can reach the point's size limit.
        let is_tracked = |state: &Dirty| !matches!(state, Dirty::There { index: Version::Absent });
        let (tracked, untracked): (Vec<_>, Vec<_>) =
            status.dirty.iter().partition(|(_, state)| is_tracked(state));
        for (path, state) in tracked.into_iter().chain(untracked) {
            if asking.is_late() {
                return Err(TreeError::TimedOut);
            }
            let entry = match state {
                Dirty::Gone { .. } => Some(Entry::Absent),
                Dirty::There { .. } | Dirty::Unmerged if time.is_over() => {
                    contents.leave_out(path, Reason::NoTime);
                    Some(Entry::Absent)
                }
                Dirty::There { .. } | Dirty::Unmerged => {
                    contents.look(import, path, asking.top_level(), saving)?
                }
            };
            contents.files.extend(entry.map(|entry| (path.clone(), entry)));
        }
        for path in status.nested.iter().chain(submodules) {
            contents.leave_out(path, Reason::Repository);
        }
        Ok(contents)
    }

    /// The entry that the point stores for a file. `None` if the index's entry is already the same.
    fn look<W: Write>(
        &mut self,
        import: &mut Import<W>,
        path: &RepositoryPath,
        top_level: &Path,
        saving: &Saving<'_>,
    ) -> Result<Option<Entry>, TreeError> {
        let full = top_level.join(OsStr::from_bytes(path));
        let writing = TreeError::files("copy", &full);
        let Ok(found) = fs::symlink_metadata(&full) else { return Ok(Some(Entry::Absent)) };
        if found.is_dir() {
            // A directory is a submodule here. Its own repository stores its content.
            return Ok(None);
        }
        if found.is_symlink() {
            let Ok(target) = fs::read_link(&full) else { return Ok(Some(Entry::Absent)) };
            let mark = import.bytes(target.as_os_str().as_bytes()).map_err(writing)?;
            return Ok(Some(Entry::Bytes { mode: "120000", mark }));
        }
        if !found.is_file() {
            // Pipes and sockets have no content.
            return Ok(Some(Entry::Absent));
        }
        if (saving.is_protected)(&full) {
            self.leave_out(path, Reason::Protected);
            return Ok(Some(Entry::Absent));
        }
        let bytes = match self.reading.read(&full, saving.limits) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.leave_out(path, reason);
                return Ok(Some(Entry::Absent));
            }
        };
        let mode = if found.permissions().mode() & 0o100 == 0 { "100644" } else { "100755" };
        let mark = import.bytes(&bytes).map_err(writing)?;
        Ok(Some(Entry::Bytes { mode, mark }))
    }

    fn leave_out(&mut self, path: &RepositoryPath, reason: Reason) {
        if self.named.insert(path.clone()) {
            self.left_out.extend(path_from(path).map(|path| LeftOut { path, reason }));
        }
    }
}
