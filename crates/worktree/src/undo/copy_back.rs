//! Restores copies of files that are in no repository.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use super::copies::{CopiedFile, CopiedKind, Copy};
use super::place::{beside, write_new};
use super::plan::{Kept, KeptWhy, Plan, Selection};
use super::restore::Restored;
use crate::tree_error::TreeError;

/// Plans the restore of a copy. All paths are absolute, also those of `selection`. The plan doesn't
/// remove files that were created later, because a copy doesn't list them.
pub fn plan_copy(
    copies_dir: &Path,
    copy: &Copy,
    selection: &Selection,
    is_protected: &dyn Fn(&Path) -> bool,
) -> Plan {
    let mut plan = Plan::default();
    for (number, file) in copy.files.iter().enumerate() {
        if !selection.takes(&file.path) || is_as_copied(&stored(copies_dir, copy, number), file) {
            continue;
        }
        let mut keep = |why| plan.keep.push(Kept { path: file.path.clone(), why });
        if is_protected(&file.path) {
            keep(KeptWhy::Protected);
        } else if is_of_repository(&file.path) && file.path.symlink_metadata().is_ok() {
            keep(KeptWhy::OfRepository);
        } else {
            plan.write.push(file.path.clone());
        }
    }
    plan
}

/// Carries out the plan of a restore.
pub fn restore_copy(copies_dir: &Path, copy: &Copy, plan: &Plan) -> Restored {
    let mut restored = Restored::default();
    for (number, file) in copy.files.iter().enumerate() {
        if !plan.write.contains(&file.path) {
            continue;
        }
        match put(&stored(copies_dir, copy, number), file) {
            Ok(()) => restored.written += 1,
            Err(error) => {
                let error = TreeError::files("write", &file.path)(error);
                restored.failed.push((file.path.clone(), error));
            }
        }
    }
    restored
}

/// Whether a path is inside of a `.git` directory. Such files aren't replaced, because an existing
/// repository refers to commits that were made since the copy.
fn is_of_repository(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}

fn stored(copies_dir: &Path, copy: &Copy, number: usize) -> std::path::PathBuf {
    copy.directory(copies_dir).join(number.to_string())
}

fn is_as_copied(stored: &Path, file: &CopiedFile) -> bool {
    let Ok(found) = fs::symlink_metadata(&file.path) else { return false };
    match &file.kind {
        CopiedKind::Link { target } => {
            fs::read_link(&file.path).is_ok_and(|current| current == *target)
        }
        CopiedKind::File { mode, bytes } => {
            let looks_the_same = found.is_file()
                && found.len() == *bytes
                && found.permissions().mode() & 0o7777 == *mode;
            looks_the_same
                && matches!((fs::read(&file.path), fs::read(stored)), (Ok(a), Ok(b)) if a == b)
        }
    }
}

fn put(stored: &Path, file: &CopiedFile) -> io::Result<()> {
    let parent = file.path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(parent)?;
    // The path had no link in it when it was copied. A link that was added since would lead
    // elsewhere.
    if parent.canonicalize()? != parent {
        return Err(io::Error::other("its path now goes through a link"));
    }
    let new = beside(&file.path).ok_or(io::ErrorKind::InvalidInput)?;
    let made = match &file.kind {
        CopiedKind::Link { target } => symlink(target, &new),
        CopiedKind::File { mode, .. } => fs::read(stored)
            .and_then(|bytes| write_new(&new, &bytes))
            .and_then(|()| fs::set_permissions(&new, Permissions::from_mode(*mode))),
    };
    made.and_then(|()| fs::rename(&new, &file.path)).inspect_err(|_| {
        // The temporary file may not exist.
        drop(fs::remove_file(&new));
    })
}
