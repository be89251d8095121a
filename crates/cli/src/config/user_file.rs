//! Replaces a user's file atomically. If the path is a link, its target is replaced.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::invocation::command_error::CommandError;

const NEW_FILE_MODE: u32 = 0o600;
const PROGRAM_MODE: u32 = 0o700;
const OWNER_MAY_WRITE: u32 = 0o200;
const OWNER_MAY_RUN: u32 = 0o100;

/// The reason why a file was not replaced. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotReplaced {
    #[error("{action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("change {}: it is read-only", path.display())]
    ReadOnly { path: PathBuf },
    #[error("change {}: it is a link to a file that is not there", path.display())]
    BrokenLink { path: PathBuf },
}

impl From<NotReplaced> for CommandError {
    fn from(error: NotReplaced) -> Self {
        Self::Failed { hint: error.hint(), source: error.into() }
    }
}

impl NotReplaced {
    /// The command that helps with the problem.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::ReadOnly { path } => format!("chmod u+w {}", path.display()),
            Self::Io { path, source, .. } if source.kind() == ErrorKind::StorageFull => {
                format!("df -h {}", path.parent().unwrap_or(path).display())
            }
            Self::Io { path, .. } | Self::BrokenLink { path } => {
                format!("ls -ld {}", path.display())
            }
        }
    }
}

/// Replaces the content of a file and keeps its mode. Only the owner can read a new file.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), NotReplaced> {
    put(path, bytes, NEW_FILE_MODE)
}

/// Like [`replace`], for a program: the new file is executable for its owner from the start.
pub(crate) fn replace_program(path: &Path, bytes: &[u8]) -> Result<(), NotReplaced> {
    put(path, bytes, PROGRAM_MODE)
}

/// Whether the file exists and its owner may run it.
pub(crate) fn is_runnable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.mode() & OWNER_MAY_RUN != 0)
}

fn put(path: &Path, bytes: &[u8], least_mode: u32) -> Result<(), NotReplaced> {
    let path = followed(path)?;
    let mode = match fs::metadata(&path) {
        Ok(metadata) if metadata.mode() & OWNER_MAY_WRITE == 0 => {
            return Err(NotReplaced::ReadOnly { path });
        }
        Ok(metadata) => (metadata.mode() & 0o777) | least_mode,
        Err(_) => least_mode,
    };
    let directory = path.parent().unwrap_or(Path::new("/"));
    make_directory(directory)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = directory.join(format!(".{name}.{}.new", std::process::id()));
    write_new(&temporary, mode, bytes)
        .and_then(|()| fs::rename(&temporary, &path).map_err(failed("replace", &path)))
        // If a step failed, the temporary file is removed.
        .inspect_err(|_| drop(fs::remove_file(&temporary)))?;
    File::open(directory).and_then(|dir| dir.sync_all()).map_err(failed("sync", directory))
}

/// A lock for reading and replacing verger's own files. Dropping it releases the lock.
pub(crate) struct Lock {
    _directory: File,
}

pub(crate) fn lock(directory: &Path) -> Result<Lock, NotReplaced> {
    make_directory(directory)?;
    let file = File::open(directory).map_err(failed("open", directory))?;
    file.lock().map_err(failed("lock", directory))?;
    Ok(Lock { _directory: file })
}

fn make_directory(directory: &Path) -> Result<(), NotReplaced> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
    made.map_err(failed("make the directory", directory))
}

/// The target of a link, or the path itself for a file.
fn followed(path: &Path) -> Result<PathBuf, NotReplaced> {
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("open", path)(error)),
        Err(_) if path.is_symlink() => Err(NotReplaced::BrokenLink { path: path.to_owned() }),
        Err(_) => Ok(path.to_owned()),
    }
}

fn write_new(path: &Path, mode: u32, bytes: &[u8]) -> Result<(), NotReplaced> {
    let make = || OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let opened = make().or_else(|error| match error.kind() {
        // A killed process with the same id left the file behind.
        ErrorKind::AlreadyExists => fs::remove_file(path).and_then(|()| make()),
        _ => Err(error),
    });
    let mut file = opened.map_err(failed("make", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed("write", path))
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> NotReplaced {
    move |source| NotReplaced::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_looked_at_where_the_file_would_be() {
        let hint = |kind: ErrorKind| failed("write", Path::new("/d/f.new"))(kind.into()).hint();
        assert_eq!(hint(ErrorKind::StorageFull), "df -h /d");
        assert_eq!(hint(ErrorKind::PermissionDenied), "ls -ld /d/f.new");
    }
}
