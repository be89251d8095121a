//! The folder of an index: its file names, its lock, and atomic replacement of a file.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::error::RecallError;

const SEGMENT_SUFFIX: &str = ".segment";

pub(crate) fn manifest_path(dir: &Path) -> PathBuf {
    dir.join("manifest")
}

pub(crate) fn segment_path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("{number}{SEGMENT_SUFFIX}"))
}

/// Opens a file for reading. Doesn't follow links and doesn't block, so that only regular files are
/// read.
pub(crate) fn open(path: &Path) -> Result<File, RecallError> {
    options().read(true).open(path).map_err(RecallError::io("open", path))
}

/// Reads a whole file. `None` if the file doesn't exist.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, RecallError> {
    let file = match open(path) {
        Err(error) if error.is_missing_file() => return Ok(None),
        other => other?,
    };
    let mut content = vec![];
    io::Read::read_to_end(&mut &file, &mut content).map_err(RecallError::io("read", path))?;
    Ok(Some(content))
}

/// Creates a file that only the current user can access, or empties an existing file.
pub(crate) fn create(path: &Path) -> Result<File, RecallError> {
    let options = options().write(true).create(true).truncate(true).to_owned();
    options.open(path).map_err(RecallError::io("make", path))
}

/// Replaces the content of a file atomically.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), RecallError> {
    let new = path.with_extension("new");
    let mut file = create(&new)?;
    io::Write::write_all(&mut file, content).map_err(RecallError::io("write", &new))?;
    std::fs::rename(&new, path).map_err(RecallError::io("rename", &new))
}

pub(crate) fn make_dir(dir: &Path) -> Result<(), RecallError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(RecallError::io("make the folder", dir))
}

/// The lock of an index's folder, which a writer holds. It is released when the value is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until no other writer holds the lock.
    pub(crate) fn wait(dir: &Path) -> Result<Self, RecallError> {
        let (file, path) = lock_file(dir)?;
        file.lock().map_err(RecallError::io("lock", &path))?;
        Ok(Self { _file: file })
    }

    /// Takes the lock without waiting; `None` if another writer holds it.
    pub(crate) fn at_once(dir: &Path) -> Result<Option<Self>, RecallError> {
        let (file, path) = lock_file(dir)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(RecallError::io("lock", &path)(error)),
        }
    }
}

fn lock_file(dir: &Path) -> Result<(File, PathBuf), RecallError> {
    let path = dir.join("lock");
    let options = options().write(true).create(true).to_owned();
    let file = options.open(&path).map_err(RecallError::io("open", &path))?;
    Ok((file, path))
}

/// The numbers of all segment files in the folder.
pub(crate) fn segment_numbers(dir: &Path) -> Result<Vec<u64>, RecallError> {
    let entries = std::fs::read_dir(dir).map_err(RecallError::io("list", dir))?;
    let mut numbers = vec![];
    for entry in entries {
        let name = entry.map_err(RecallError::io("list", dir))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(SEGMENT_SUFFIX));
        numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
    }
    Ok(numbers)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.mode(0o600).custom_flags(flags.bits().cast_signed());
    options
}
