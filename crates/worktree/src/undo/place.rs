//! Writes and removes single files of the working tree for a restore. A file is never written
//! through a symbolic link, and never partly.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::tree_error::TreeError;
use crate::version::{RepositoryPath, Version};

const LINK_MODE: &str = "120000";
const EXECUTABLE_MODE: &str = "100755";

/// Removes a file or a link. Also removes the parent directories that become empty.
pub(super) fn remove(top_level: &Path, path: &Path) -> Result<(), TreeError> {
    let full = top_level.join(path);
    if !is_reached_directly(top_level, path) {
        return Ok(());
    }
    match fs::remove_file(&full) {
        Err(error) if !is_absence(&error) => return Err(TreeError::files("remove", &full)(error)),
        _ => {}
    }
    let above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    // Removes parent directories that are now empty, up to the first one that isn't empty.
    above
        .map(|above| fs::remove_dir(top_level.join(above)))
        .take_while(Result::is_ok)
        .for_each(drop);
    Ok(())
}

/// Moves the extracted file `from` to its path in the working tree.
pub(super) fn put(
    top_level: &Path,
    path: &RepositoryPath,
    version: &Version,
    from: &Path,
) -> Result<(), TreeError> {
    let Version::Present { mode, .. } = version else { return Ok(()) };
    let full = top_level.join(OsStr::from_bytes(path));
    let writing = || TreeError::files("write", &full);
    make_directories(top_level, Path::new(OsStr::from_bytes(path))).map_err(writing())?;
    let new = beside(&full).ok_or(TreeError::Answer { step: "write the files" })?;
    let placed = if mode == LINK_MODE {
        link_target(from).and_then(|target| symlink(target, &new))
    } else {
        copy_file(from, &new, &full, mode == EXECUTABLE_MODE)
    };
    // Removes an empty directory that is in the way. A directory with content stays, and the rename
    // fails.
    drop(fs::remove_dir(&full));
    let placed = placed.and_then(|()| fs::rename(&new, &full));
    placed.map_err(|error| {
        // The temporary file may not exist.
        drop(fs::remove_file(&new));
        writing()(error)
    })
}

/// The target of a link to restore. `from` is the link itself if git checked it out, or a file
/// whose content is the target if it was copied.
fn link_target(from: &Path) -> io::Result<PathBuf> {
    if fs::symlink_metadata(from)?.is_symlink() {
        return fs::read_link(from);
    }
    Ok(PathBuf::from(OsStr::from_bytes(&fs::read(from)?)))
}

/// Copies the file `from` to `new`. The copy gets the permissions of the existing file `full`,
/// except for the executable bit.
fn copy_file(from: &Path, new: &Path, full: &Path, is_executable: bool) -> io::Result<()> {
    write_new(new, &fs::read(from)?)?;
    let current = fs::symlink_metadata(full).ok().filter(fs::Metadata::is_file);
    let model = current.map_or_else(|| fs::metadata(new), Ok)?;
    let mode = model.permissions().mode() & 0o777;
    let mode = if is_executable { mode | ((mode & 0o444) >> 2) } else { mode & !0o111 };
    fs::set_permissions(new, Permissions::from_mode(mode))
}

/// Creates a file. Never writes through an existing link.
pub(super) fn write_new(new: &Path, bytes: &[u8]) -> io::Result<()> {
    // A process that was killed may have left a file with this name.
    drop(fs::remove_file(new));
    File::create_new(new)?.write_all(bytes)
}

/// Creates the missing parent directories of a path. A file in place of a directory was removed
/// before, if an undo point has it.
fn make_directories(top_level: &Path, path: &Path) -> io::Result<()> {
    let above: Vec<_> = path.ancestors().skip(1).filter(|at| !at.as_os_str().is_empty()).collect();
    for directory in above.into_iter().rev().map(|above| top_level.join(above)) {
        match fs::symlink_metadata(&directory) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if is_absence(&error) => fs::create_dir(&directory)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether there is a file or a link at a path. A directory doesn't count.
pub(super) fn is_taken(top_level: &Path, path: &Path) -> bool {
    let found = fs::symlink_metadata(top_level.join(path));
    is_reached_directly(top_level, path) && found.is_ok_and(|found| !found.is_dir())
}

/// Whether no parent directory of a path below the top level is a link.
fn is_reached_directly(top_level: &Path, path: &Path) -> bool {
    let above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    above
        .map(|above| fs::symlink_metadata(top_level.join(above)))
        .all(|found| found.is_ok_and(|found| found.is_dir()))
}

pub(super) fn beside(full: &Path) -> Option<PathBuf> {
    let name = format!(".verger-undo-{}", std::process::id());
    Some(full.parent()?.join(name))
}

pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
