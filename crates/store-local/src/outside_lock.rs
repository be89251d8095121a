//! Locks for files outside of the data directory, such as those of a project. The lock file itself
//! is in the data directory, so that it can't be committed.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use verger_event::hex;
use verger_store::StoreError;

use crate::dir::Dir;
use crate::failure::failed;
use crate::lock;

const LOCKS: &str = "locks";

/// A lock that is held until this value is dropped.
#[derive(Debug)]
pub struct OutsideLock {
    _file: File,
}

impl OutsideLock {
    /// Locks the file at `path`, which must be canonical. The lock file is in the data directory
    /// `data`. Returns `None` if the lock isn't free within `wait`.
    pub fn acquire(data: &Path, path: &Path, wait: Duration) -> Result<Option<Self>, StoreError> {
        let dir = Dir::root(data)?.subdir(LOCKS)?;
        let name = lock_name(path.as_os_str());
        let taken = lock::acquire(dir.append(&name)?, wait);
        let taken = taken.map_err(failed("lock", dir.path_of(&name)))?;
        Ok(taken.map(|file| Self { _file: file }))
    }
}

fn lock_name(path: &OsStr) -> String {
    format!("{}.lock", name_of_path(path))
}

/// A name derived from a path, for a file in which verger stores data about that path.
pub fn name_of_path(path: &OsStr) -> String {
    let hash = Sha256::digest(path.as_encoded_bytes());
    hex(&hash[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_locked_once_and_others_are_free() {
        let data = tempfile::tempdir().unwrap();
        let lock = |path: &str| {
            OutsideLock::acquire(data.path(), Path::new(path), Duration::ZERO).unwrap()
        };
        let held = lock("/a/learnings.md");
        assert!(held.is_some());
        assert!(lock("/a/learnings.md").is_none());
        assert!(lock("/b/learnings.md").is_some());
        drop(held);
        assert!(lock("/a/learnings.md").is_some());
    }
}
