//! Reads and appends to files that people also edit and git replaces.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use verger_store::StoreError;
use verger_store_local::{OutsideLock, ends_in_newline, write_whole};

use crate::mark::Mark;

/// The directory that contains shared files, and the parameters for writing the files safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// The directory that contains the files: a project's root, or verger's data directory. No link
    /// may lead out of it.
    pub root: PathBuf,
    /// Verger's data directory, which has the lock files.
    pub data: PathBuf,
    /// The maximum time for which a writer waits for the lock of another writer.
    pub lock_wait: Duration,
}

impl Ground {
    /// The ground for files in the data directory, with the same parameters.
    pub(crate) fn in_data(&self) -> Self {
        Self { root: self.data.clone(), ..self.clone() }
    }
}

/// The error for a file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("use {}: a link leads out of {}", path.display(), root.display())]
    Outside { path: PathBuf, root: PathBuf },
    #[error("use {}: it is not a file", path.display())]
    NotAFile { path: PathBuf },
    #[error("write to {}: another process is writing to it", path.display())]
    Busy { path: PathBuf },
    #[error("lock {}", path.display())]
    Lock {
        path: PathBuf,
        #[source]
        source: Box<StoreError>,
    },
}

/// A file below the root of a [`Ground`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFile {
    ground: Ground,
    relative: PathBuf,
}

/// The result of reading a shared file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The file doesn't exist.
    Missing,
    /// The file has no content after the mark, and the content before it is unchanged.
    Same,
    /// The content after the mark. The content before the mark is unchanged.
    Appended(Piece),
    /// The whole content of the file, because there was no mark or the content before it changed.
    Whole(Piece),
}

/// The content of a file from some position up to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub bytes: Vec<u8>,
    /// The number in the file of the first line of `bytes`.
    pub first_line: usize,
    /// The mark at the end of `bytes`.
    pub mark: Mark,
}

impl SharedFile {
    pub fn new(ground: &Ground, relative: impl Into<PathBuf>) -> Self {
        Self { ground: ground.clone(), relative: relative.into() }
    }

    /// The shared file of this name in the same directory.
    pub(crate) fn beside(&self, name: &str) -> Self {
        Self { ground: self.ground.clone(), relative: self.relative.with_file_name(name) }
    }

    pub fn path(&self) -> PathBuf {
        self.ground.root.join(&self.relative)
    }

    /// Whether the file exists. Fails if the file can't be opened for reading and writing.
    pub(crate) fn is_there(&self) -> Result<bool, FileError> {
        if !self.ground.root.exists() {
            return Ok(false);
        }
        let path = self.resolved()?;
        match opened(&path, OpenOptions::new().read(true).append(true)) {
            Ok(_) => Ok(true),
            Err(FileError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Appends whole lines in one write, under a lock. First adds a newline if the file doesn't end
    /// in one. A new file begins with `heading`. Returns the file, so that the caller can sync it
    /// to disk.
    pub(crate) fn append(&self, heading: &str, lines: &str) -> Result<File, FileError> {
        let path = self.resolved()?;
        if let Some(directory) = path.parent() {
            let made = DirBuilder::new().recursive(true).create(directory);
            made.map_err(failed("make the directory", directory))?;
        }
        let _lock = self.lock(&path)?;
        let file = opened(&path, OpenOptions::new().read(true).append(true).create(true))?;
        let size = file.metadata().map_err(failed("look at", &path))?.len();
        let front = if size == 0 {
            heading
        } else if ends_in_newline(&file, size).map_err(failed("read", &path))? {
            ""
        } else {
            "\n"
        };
        let text = [front, lines].concat();
        write_whole(&file, size, text.as_bytes()).map_err(failed("append to", &path))?;
        Ok(file)
    }

    /// Reads the content after the mark `since`. Reads the whole file if there is no mark or the
    /// content before the mark changed.
    pub fn read(&self, since: Option<&Mark>) -> Result<Reading, FileError> {
        if !self.ground.root.exists() {
            return Ok(Reading::Missing);
        }
        let path = self.resolved()?;
        let mut file = match opened(&path, OpenOptions::new().read(true)) {
            Err(FileError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(Reading::Missing);
            }
            other => other?,
        };
        let metadata = file.metadata().map_err(failed("look at", &path))?;
        let mut start = Mark::start(&metadata);
        if let Some(mark) = since {
            if mark.is_of(&metadata) {
                return Ok(Reading::Same);
            }
            if metadata.len() > mark.len && mark.is_in(&file).map_err(failed("read", &path))? {
                start = Mark { modified: start.modified, ..*mark };
            }
        }
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(start.len)).and_then(|_| file.read_to_end(&mut bytes));
        read.map_err(failed("read", &path))?;
        let mark = start.followed_by(&bytes, &file).map_err(failed("read", &path))?;
        let piece = Piece { bytes, first_line: start.lines + 1, mark };
        Ok(if start.len == 0 { Reading::Whole(piece) } else { Reading::Appended(piece) })
    }

    fn lock(&self, path: &Path) -> Result<OutsideLock, FileError> {
        let taken = OutsideLock::acquire(&self.ground.data, path, self.ground.lock_wait);
        let taken = taken
            .map_err(|source| FileError::Lock { path: self.path(), source: Box::new(source) })?;
        taken.ok_or_else(|| FileError::Busy { path: self.path() })
    }

    /// The path of the file with links resolved. Parts of the path that don't exist yet stay
    /// unchanged.
    fn resolved(&self) -> Result<PathBuf, FileError> {
        let root = &self.ground.root;
        let root = root.canonicalize().map_err(failed("open", root))?;
        let mut resolved = root.clone();
        for part in &self.relative {
            resolved.push(part);
            if resolved.is_symlink() {
                // Writing through a broken link would create a file at its target.
                resolved = resolved.canonicalize().map_err(failed("follow the link", &resolved))?;
            }
            if !resolved.starts_with(&root) {
                return Err(FileError::Outside { path: self.path(), root });
            }
        }
        Ok(resolved)
    }
}

/// Opens a file without blocking, because a named pipe in place of the file would block the
/// process.
pub(crate) fn opened(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.custom_flags(flags).open(path).map_err(failed("open", path))?;
    let metadata = file.metadata().map_err(failed("look at", path))?;
    if metadata.is_file() { Ok(file) } else { Err(FileError::NotAFile { path: path.to_owned() }) }
}

/// Returns a function for `map_err` that makes an error with the failed operation and the file's
/// path.
pub(crate) fn failed(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Io { action, path: path.into(), source }
}
