//! The private directory, which has the data for comparing a working tree with earlier states. Only
//! the user can read the directory. Everything in it may be removed at any time.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::tree_error::TreeError;

/// The age at which the scratch directory of a killed process is removed.
const LEFTOVER_AGE: Duration = Duration::from_mins(10);
const SCRATCH_PREFIX: &str = "tmp-";

pub(crate) const START_PREFIX: &str = "start-";
pub(crate) const CONTENT_PREFIX: &str = "content-";
pub(crate) const BEGUN_PREFIX: &str = "begun-";
/// The kinds of private files, and for each the number of files to keep, the newest first. Older
/// files are removed, because a session may last for weeks.
const KEPT: &[(&str, usize)] = &[(START_PREFIX, 16), (CONTENT_PREFIX, 64), (BEGUN_PREFIX, 16)];

/// A scratch directory that only one call uses. It is removed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    private: PathBuf,
    path: PathBuf,
    made: SystemTime,
}

impl Scratch {
    pub(crate) fn new(private: &Path) -> Result<Self, TreeError> {
        make_directory(private, true).map_err(TreeError::files("make the directory", private))?;
        let process = std::process::id();
        let mut number = 0_u32;
        loop {
            let path = private.join(format!("{SCRATCH_PREFIX}{process}-{number}"));
            match make_directory(&path, false) {
                Ok(()) => {
                    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
                    let made = modified.map_err(TreeError::files("look at", &path))?;
                    return Ok(Self { private: private.to_owned(), path, made });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(TreeError::files("make the directory", &path)(error)),
            }
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The time when the scratch directory was created, by the file system's clock.
    pub(crate) fn made(&self) -> SystemTime {
        self.made
    }

    /// Pretends that the scratch directory was created later.
    #[cfg(test)]
    pub(crate) fn later(self, by: Duration) -> Self {
        let mut later = self;
        later.made += by;
        later
    }

    /// Writes a file into the private directory, completely or not at all.
    pub(crate) fn publish(&self, name: &str, bytes: &[u8]) -> Result<(), TreeError> {
        let (from, to) = (self.path(name), self.private.join(name));
        let write = || {
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&from)?;
            file.write_all(bytes)?;
            fs::rename(&from, &to)
        };
        write().map_err(TreeError::files("write", &to))
    }

    /// Sets the time of a file in the private directory to now, so that it isn't swept.
    pub(crate) fn stay(&self, name: &str) {
        // A missing file has no time to set.
        if let Ok(file) = File::options().write(true).open(self.private.join(name)) {
            drop(file.set_modified(self.made));
        }
    }

    /// Removes the scratch directories of killed processes and the oldest files of each kind.
    pub(crate) fn sweep(&self) {
        // Entries that cannot be listed or removed now stay until a later sweep.
        let Ok(entries) = fs::read_dir(&self.private) else { return };
        let aged = entries.flatten().filter_map(|entry| {
            let modified = entry.metadata().and_then(|found| found.modified()).ok()?;
            let age = self.made.duration_since(modified).unwrap_or_default();
            Some((age, entry.file_name().into_string().ok()?))
        });
        let mut aged: Vec<_> = aged.collect();
        aged.sort();
        let of =
            |prefix: &'static str| aged.iter().filter(move |(_, name)| name.starts_with(prefix));
        for (_, name) in of(SCRATCH_PREFIX).filter(|(age, _)| *age > LEFTOVER_AGE) {
            drop(fs::remove_dir_all(self.private.join(name)));
        }
        for (prefix, kept) in KEPT {
            for (_, name) in of(prefix).skip(*kept) {
                drop(fs::remove_file(self.private.join(name)));
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that cannot be removed now is swept later.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// Reads a file of the private directory. `None` if the file is missing or larger than `limit`.
pub(crate) fn read_private(private: &Path, name: &str, limit: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(private.join(name)).ok()?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= limit).then_some(bytes)
}

fn make_directory(path: &Path, with_parents: bool) -> io::Result<()> {
    DirBuilder::new().recursive(with_parents).mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_go_and_calls_that_run_stay() {
        let directory = tempfile::tempdir().unwrap();
        let left = Scratch::new(directory.path()).unwrap();
        fs::write(left.path("index"), "index").unwrap();
        let second = Scratch::new(directory.path()).unwrap();
        second.sweep();
        assert!(left.path("index").exists());
        fs::write(directory.path().join("start"), "kept").unwrap();
        let second = second.later(LEFTOVER_AGE * 2);
        let path = left.path.clone();
        std::mem::forget(left);
        second.sweep();
        assert!(!path.exists());
        drop(second);
        let names = fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["start"]);
    }

    #[test]
    fn only_the_newest_starts_and_contents_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(directory.path()).unwrap();
        let now = scratch.made();
        for number in 0..20_u32 {
            let name = format!("start-{number}");
            scratch.publish(&name, b"").unwrap();
            let age = Duration::from_mins(1) * number;
            let file = File::options().write(true).open(directory.path().join(name)).unwrap();
            file.set_modified(now - age).unwrap();
        }
        scratch.publish("hashes", b"").unwrap();
        scratch.sweep();
        let kept = (0..20).filter(|n| directory.path().join(format!("start-{n}")).exists());
        assert_eq!(kept.collect::<Vec<_>>(), (0..16).collect::<Vec<_>>());
        assert!(directory.path().join("hashes").exists());
    }

    #[test]
    fn a_file_that_is_too_large_is_as_none() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("file"), "12345").unwrap();
        let read = |limit| read_private(directory.path(), "file", limit);
        assert_eq!((read(4), read(5)), (None, Some(b"12345".to_vec())));
    }
}
