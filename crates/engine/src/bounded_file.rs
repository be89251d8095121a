//! Reads and writes small files, and refuses pipes or other objects put in their place.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use verger_config::MAX_FILE_BYTES;

const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Reads the file, at most one byte more than a configuration may have. `None` if there is no file.
pub fn read_bounded(path: &Path) -> io::Result<Option<Vec<u8>>> {
    read_beyond(MAX_FILE_BYTES, path)
}

/// Reads the file, at most one byte more than `limit`. `None` if there is no file.
pub(crate) fn read_beyond(limit: usize, path: &Path) -> io::Result<Option<Vec<u8>>> {
    open(path)?.map(|file| read(file, limit)).transpose()
}

/// Like [`read_bounded`], but refuses a file that other users may write to.
pub(crate) fn read_private(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    if file.metadata()?.mode() & WRITABLE_BY_OTHERS != 0 {
        return Err(io::Error::other("other users may write to it (chmod 600 makes it private)"));
    }
    read(file, MAX_FILE_BYTES).map(Some)
}

/// Writes a small file, and replaces its content.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
    // Non-blocking, because a pipe in place of the file may have no reader.
    let file = rustix::fs::open(path, flags | OFlags::NONBLOCK, Mode::from_raw_mode(0o600))?;
    File::from(file).write_all(bytes)
}

fn open(path: &Path) -> io::Result<Option<File>> {
    // Non-blocking: a pipe in place of the file must not hold up the agent.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if file.metadata()?.is_file() {
        Ok(Some(file))
    } else {
        Err(io::Error::other("it is not a file"))
    }
}

fn read(file: File, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(4096);
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
