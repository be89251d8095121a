//! A handle of a directory of verger. Files in the directory are never reached through a link.
//!
//! Every component of a path is opened relative to its parent and without following links. So no
//! other user can redirect verger's writes to another place.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    Access, AtFlags, FileType, Mode, OFlags, RenameFlags, Timespec, Timestamps, UTIME_NOW,
    UTIME_OMIT,
};
use rustix::io::Errno;
use verger_store::{StoreError, UnsafeDirectory};

use crate::failure::failed;

const DIRECTORY_MODE: Mode = Mode::RWXU;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);
const OPEN_DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Flags to open files without blocking. Opening a named pipe in place of a file then doesn't hang.
const OPEN_FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
    path: PathBuf,
}

impl Dir {
    /// Opens the top directory; creates it and its parents if they are missing. The parents may be
    /// links, because the user may have made them links.
    pub(crate) fn root(path: &Path) -> Result<Self, StoreError> {
        let fd = match rustix::fs::open(path, OPEN_DIRECTORY, Mode::empty()) {
            Err(Errno::NOENT) => {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(path)
                    .map_err(failed("make the directory", path))?;
                rustix::fs::open(path, OPEN_DIRECTORY, Mode::empty())
            }
            other => other,
        };
        let fd = fd.map_err(|error| refusal(path, error))?;
        let stat = rustix::fs::fstat(&fd).map_err(failed("look at", path))?;
        let problem = if stat.st_uid != rustix::process::geteuid().as_raw() {
            Some(UnsafeDirectory::Owner)
        } else if stat.st_mode & 0o022 != 0 {
            Some(UnsafeDirectory::Writable)
        } else {
            None
        };
        match problem {
            Some(problem) => Err(StoreError::Unsafe { path: path.to_owned(), problem }),
            None => Ok(Self { fd, path: path.to_owned() }),
        }
    }

    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a subdirectory; creates it if it is missing.
    pub(crate) fn subdir(&self, name: &str) -> Result<Self, StoreError> {
        if let Some(dir) = self.existing_subdir(name)? {
            return Ok(dir);
        }
        match rustix::fs::mkdirat(&self.fd, name, DIRECTORY_MODE) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(failed("make the directory", self.path_of(name))(error)),
        }
        self.open_dir(name).map_err(|error| refusal(&self.path_of(name), error))
    }

    pub(crate) fn existing_subdir(&self, name: &str) -> Result<Option<Self>, StoreError> {
        match self.open_dir(name) {
            Ok(dir) => Ok(Some(dir)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(refusal(&self.path_of(name), error)),
        }
    }

    fn open_dir(&self, name: &str) -> Result<Self, Errno> {
        let fd = rustix::fs::openat(&self.fd, name, OPEN_DIRECTORY, Mode::empty())?;
        Ok(Self { fd, path: self.path_of(name) })
    }

    /// Opens a file for reading and appending; creates it if it is missing.
    pub(crate) fn append(&self, name: &str) -> Result<File, StoreError> {
        self.open(name, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)
            .map_err(failed("open", self.path_of(name)))
    }

    /// Creates a file. Fails if the file exists.
    pub(crate) fn create_new(&self, name: &str) -> Result<File, StoreError> {
        self.open(name, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL)
            .map_err(failed("make", self.path_of(name)))
    }

    /// Opens a file to overwrite its content; creates it if it is missing.
    pub(crate) fn overwrite(&self, name: &str) -> Result<File, StoreError> {
        self.open(name, OFlags::WRONLY | OFlags::CREATE).map_err(failed("make", self.path_of(name)))
    }

    /// Opens a file for reading and for writing anywhere in it; creates it if it is missing.
    pub(crate) fn update(&self, name: &str) -> Result<File, StoreError> {
        self.open(name, OFlags::RDWR | OFlags::CREATE).map_err(failed("open", self.path_of(name)))
    }

    /// Creates a file, or empties an existing one. For temporary names that only one process uses.
    pub(crate) fn create(&self, name: &str) -> Result<File, StoreError> {
        self.open(name, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)
            .map_err(failed("make", self.path_of(name)))
    }

    pub(crate) fn read(&self, name: &str) -> Result<Option<File>, StoreError> {
        match self.open(name, OFlags::RDONLY) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("open", self.path_of(name))(error)),
        }
    }

    fn open(&self, name: &str, flags: OFlags) -> io::Result<File> {
        let fd = rustix::fs::openat(&self.fd, name, OPEN_FILE | flags, FILE_MODE)?;
        match FileType::from_raw_mode(rustix::fs::fstat(&fd)?.st_mode) {
            FileType::RegularFile => Ok(File::from(fd)),
            other => Err(io::Error::other(format!("it is not a file but {other:?}"))),
        }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), StoreError> {
        rustix::fs::renameat(&self.fd, from, &self.fd, to)
            .map_err(failed("rename", self.path_of(from)))
    }

    /// Exchanges the names of two files. If `other` does not exist or the file system cannot
    /// exchange them, `name` replaces `other`.
    pub(crate) fn exchange(&self, name: &str, other: &str) -> Result<(), StoreError> {
        match rustix::fs::renameat_with(&self.fd, name, &self.fd, other, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(()),
            Err(_) => self.rename(name, other),
        }
    }

    /// Renames a file; fails if the new name exists.
    pub(crate) fn rename_unless_there(&self, from: &str, to: &str) -> Result<(), StoreError> {
        rustix::fs::renameat_with(&self.fd, from, &self.fd, to, RenameFlags::NOREPLACE)
            .map_err(failed("rename", self.path_of(from)))
    }

    /// Sets a file's modification time to now. Returns whether that worked.
    pub(crate) fn touch(&self, name: &str) -> bool {
        let at = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
        let times = Timestamps { last_access: at(UTIME_OMIT), last_modification: at(UTIME_NOW) };
        rustix::fs::utimensat(&self.fd, name, &times, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Removes a file. A missing file is not an error.
    pub(crate) fn remove(&self, name: &str) -> Result<(), StoreError> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(failed("remove", self.path_of(name))(error)),
        }
    }

    /// Removes a directory if it is empty.
    pub(crate) fn remove_empty_dir(&self, name: &str) -> Result<(), StoreError> {
        match rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
            Err(error) => Err(failed("remove", self.path_of(name))(error)),
        }
    }

    /// Removes a directory with everything in it. A missing directory is not an error.
    pub(crate) fn remove_tree(&self, name: &str) -> Result<(), StoreError> {
        let Some(dir) = self.existing_subdir(name)? else { return Ok(()) };
        for name in dir.names()? {
            match rustix::fs::unlinkat(&dir.fd, &name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => {}
                // `unlink` returns these errors for a directory: `EISDIR` on Linux, `EPERM` on
                // other systems.
                Err(Errno::ISDIR | Errno::PERM) => dir.remove_tree(&name)?,
                Err(error) => return Err(failed("remove", dir.path_of(&name))(error)),
            }
        }
        self.remove_empty_dir(name)
    }

    /// Whether a file with this path exists. May follow links, so callers must not use the result
    /// to decide whether to open or remove a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        rustix::fs::accessat(&self.fd, path, Access::EXISTS, AtFlags::empty()).is_ok()
    }

    /// The size of a file in the directory.
    #[cfg(feature = "follow")]
    pub(crate) fn size_of(&self, name: &str) -> Option<u64> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        stat.st_size.try_into().ok()
    }

    /// The number of the directory's file system type, as the kernel reports it.
    #[cfg(all(feature = "follow", target_os = "linux"))]
    pub(crate) fn file_system(&self) -> Option<i64> {
        rustix::fs::fstatfs(&self.fd).ok().map(|system| system.f_type)
    }

    /// The names of the directory's entries, sorted. Names that aren't UTF-8 are left out.
    pub(crate) fn names(&self) -> Result<Vec<String>, StoreError> {
        self.names_where(|_| true)
    }

    /// Like `names`, but returns only the names that the filter accepts.
    pub(crate) fn names_where(
        &self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let entries = rustix::fs::Dir::read_from(&self.fd).map_err(failed("list", &self.path))?;
        let mut names = vec![];
        for entry in entries {
            let entry = entry.map_err(failed("list", &self.path))?;
            if let Ok(name) = entry.file_name().to_str()
                && name != "."
                && name != ".."
                && is_wanted(name)
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Syncs the directory, so that renamed and new entries survive a power cut.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        rustix::fs::fsync(&self.fd).map_err(failed("sync", &self.path))
    }
}

/// Turns a failed open into an error. If a link is in place of a directory, Linux returns `ENOTDIR`
/// and other systems return `ELOOP`.
fn refusal(path: &Path, error: Errno) -> StoreError {
    let problem = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => UnsafeDirectory::Symlink,
        Ok(metadata) if !metadata.is_dir() => UnsafeDirectory::NotADirectory,
        _ => return failed("open", path)(error),
    };
    StoreError::Unsafe { path: path.to_owned(), problem }
}
