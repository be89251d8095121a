//! Reads, writes and locks the files in a job's directory.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;
use rustix::process::{Flock, FlockType, fcntl_getlk};

pub(crate) const ORDER: &str = "order";
pub(crate) const INPUT: &str = "input";
pub(crate) const LOCK: &str = "lock";
pub(crate) const BEGUN: &str = "begun";
pub(crate) const STDOUT: &str = "stdout";
pub(crate) const STDERR: &str = "stderr";
pub(crate) const STATUS: &str = "status";

const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// The size limit for reading a file of a job. A supervisor writes no larger files.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Creates a directory beside `path` under an unused name. The caller renames the directory to
/// `path`.
pub(crate) fn make_draft(path: &Path) -> io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    builder.mode(DIRECTORY_MODE);
    if let Some(parent) = path.parent() {
        builder.recursive(true).create(parent)?;
    }
    beside(path, "new", |draft| builder.recursive(false).create(draft))
}

/// Renames a directory to an unused name beside it.
pub(crate) fn move_aside(path: &Path) -> io::Result<PathBuf> {
    beside(path, "old", |aside| std::fs::rename(path, aside))
}

/// Calls `make` with names beside `path` until one of them is unused.
fn beside(
    path: &Path,
    end: &str,
    mut make: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<PathBuf> {
    for number in 0_u64.. {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.{end}", std::process::id()));
        let name = PathBuf::from(name);
        match make(&name) {
            Ok(()) => return Ok(name),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty
                ) => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Creates a file with this content. Fails if the file exists.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path)?;
    file.write_all(bytes)
}

/// Writes a file atomically: other processes see the old or the new content, never a part.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = PathBuf::from(temporary);
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(FILE_MODE)
        .open(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)
}

/// Reads a file. `None` if the file does not exist.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = vec![];
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Locks the file for the lifetime of this process. `None` if another process holds the lock. The
/// lock belongs to the process (`fcntl`) and not to the open file, because only such a lock can be
/// tested without taking it.
pub(crate) fn lock(path: &Path) -> io::Result<Option<File>> {
    let file =
        OpenOptions::new().write(true).create(true).truncate(false).mode(FILE_MODE).open(path)?;
    match rustix::fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::AGAIN | Errno::ACCESS) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether another process holds the lock on the file.
pub(crate) fn is_locked(path: &Path) -> io::Result<bool> {
    match File::open(path) {
        Ok(file) => Ok(fcntl_getlk(&file, &Flock::from(FlockType::WriteLock))?.is_some()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
