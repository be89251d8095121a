//! Collects the files at given paths: files themselves, and everything below directories.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use verger_exec::Deadline;

use super::about::{LeftOut, Reason};

/// The maximum number of directory entries that a walk visits. Further entries are left out.
const MAX_ENTRIES: usize = 10_000;

/// Directories with file systems of the kernel, which store no content. Reading some of their files
/// would block.
const NO_DISK: &[&str] = &["/dev", "/proc", "/sys"];

/// The files that a walk through given paths found.
#[derive(Default)]
pub(super) struct Walk {
    /// The paths of files and links, in order. Only the last component of a path may be a link.
    pub(super) files: Vec<PathBuf>,
    seen: BTreeSet<PathBuf>,
    pub(super) left_out: Vec<LeftOut>,
    entries: usize,
}

impl Walk {
    pub(super) fn over(paths: &[PathBuf], time: Deadline<'_>) -> Self {
        let mut walk = Self::default();
        for path in paths.iter().filter_map(|path| reached(path)) {
            let Ok(found) = fs::symlink_metadata(&path) else { continue };
            if walk.entries >= MAX_ENTRIES {
                walk.leave_out(path.parent().unwrap_or(&path), Reason::TooMany);
                break;
            }
            // Writing to a link changes its target, so the target is collected too.
            let real = path.canonicalize().ok().filter(|_| found.is_symlink());
            walk.take(&path, &found, found.dev(), time);
            if let Some(real) = real
                && let Ok(found) = fs::metadata(&real)
            {
                walk.take(&real, &found, found.dev(), time);
            }
        }
        walk
    }

    fn take(&mut self, path: &Path, found: &Metadata, device: u64, time: Deadline<'_>) {
        self.entries += 1;
        if NO_DISK.iter().any(|kernel| path.starts_with(kernel)) || found.dev() != device {
            self.leave_out(path, Reason::Elsewhere);
        } else if found.is_symlink() || found.is_file() {
            if self.seen.insert(path.to_owned()) {
                self.files.push(path.to_owned());
            }
        } else if found.is_dir() {
            self.enter(path, device, time);
        }
    }

    fn enter(&mut self, directory: &Path, device: u64, time: Deadline<'_>) {
        if directory.join(".git").exists() {
            self.leave_out(directory, Reason::Repository);
            return;
        }
        let Ok(entries) = fs::read_dir(directory) else {
            self.leave_out(directory, Reason::Unreadable);
            return;
        };
        let mut paths = vec![];
        for entry in entries.flatten() {
            if self.entries + paths.len() >= MAX_ENTRIES {
                self.leave_out(directory, Reason::TooMany);
                break;
            }
            paths.push(entry.path());
        }
        paths.sort();
        for path in paths {
            if time.is_over() {
                self.leave_out(&path, Reason::NoTime);
                break;
            }
            if let Ok(found) = fs::symlink_metadata(&path) {
                self.take(&path, &found, device, time);
            }
        }
    }

    fn leave_out(&mut self, path: &Path, reason: Reason) {
        self.left_out.push(LeftOut { path: path.to_owned(), reason });
    }
}

/// The path with its parent directories resolved. `None` if the parent directory doesn't exist.
fn reached(path: &Path) -> Option<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Some(parent.canonicalize().ok()?.join(name)),
        // The path is `/` or ends in `..`.
        _ => path.canonicalize().ok(),
    }
}
