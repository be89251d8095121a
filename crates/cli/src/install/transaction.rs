//! Changes several of the user's files: either all of them or none.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::user_file::{self, NotReplaced};
use crate::invocation::command_error::CommandError;

const ANYBODY_MAY_WRITE: u32 = 0o222;

/// The content of a file before and after a change. `None` means that the file doesn't exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<u8>>,
}

impl FileChange {
    pub(crate) fn is_needed(&self) -> bool {
        self.before != self.after
    }
}

/// The reason why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotChanged {
    #[error("read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("read {}: it is not a file", path.display())]
    NotAFile { path: PathBuf },
    #[error("change {}: it is read-only", path.display())]
    ReadOnly { path: PathBuf },
    #[error("change {}: it belongs to another user", path.display())]
    NotOurs { path: PathBuf },
    #[error("change {}: another program changed it at the same time", path.display())]
    Raced { path: PathBuf },
    #[error(transparent)]
    NotReplaced(#[from] NotReplaced),
}

impl From<NotChanged> for CommandError {
    fn from(error: NotChanged) -> Self {
        let hint = match &error {
            NotChanged::NotReplaced(error) => error.hint(),
            NotChanged::Read { path, .. } | NotChanged::NotAFile { path } => {
                format!("ls -ld {}", path.display())
            }
            NotChanged::ReadOnly { path } => {
                format!(
                    "nothing was changed; chmod u+w {}, then run the command again",
                    path.display()
                )
            }
            NotChanged::NotOurs { .. } => {
                "nothing was changed; run verger as the user whose files these are".to_owned()
            }
            NotChanged::Raced { .. } => "nothing was changed; run the command again".to_owned(),
        };
        Self::Failed { source: error.into(), hint }
    }
}

/// The content of a file, if it exists.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, NotChanged> {
    // Reading a named pipe would block until another process writes to it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(NotChanged::NotAFile { path: path.to_owned() });
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(NotReplaced::BrokenLink { path: path.to_owned() }.into())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(NotChanged::Read { path: path.to_owned(), source }),
    }
}

/// Checks whether each change can be made. This happens before anything is written.
pub(crate) fn check(changes: &[FileChange]) -> Result<(), NotChanged> {
    changes.iter().filter(|change| change.is_needed()).try_for_each(|change| {
        let path = change.path.canonicalize().unwrap_or_else(|_| change.path.clone());
        if change.before.is_some() {
            check_writable(&path)?;
        }
        // A missing directory will be created in the nearest existing one.
        let directory = path.ancestors().skip(1).find(|directory| directory.exists());
        directory.map_or(Ok(()), check_writable)
    })
}

fn check_writable(path: &Path) -> Result<(), NotChanged> {
    let metadata =
        fs::metadata(path).map_err(|source| NotChanged::Read { path: path.to_owned(), source })?;
    let is_denied = rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err();
    if is_denied || metadata.mode() & ANYBODY_MAY_WRITE == 0 {
        return Err(NotChanged::ReadOnly { path: path.to_owned() });
    }
    if metadata.is_file() && metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(NotChanged::NotOurs { path: path.to_owned() });
    }
    Ok(())
}

/// Makes the changes. If one fails, the earlier ones are undone.
pub(crate) fn apply(changes: &[FileChange]) -> Result<(), NotChanged> {
    check(changes)?;
    let changes: Vec<_> = changes.iter().filter(|change| change.is_needed()).collect();
    for (index, change) in changes.iter().enumerate() {
        let made = match read(&change.path) {
            Ok(now) if now != change.before => Err(NotChanged::Raced { path: change.path.clone() }),
            Ok(_) => put(&change.path, change.after.as_deref()),
            Err(error) => Err(error),
        };
        if let Err(error) = made {
            for done in changes[..index].iter().rev() {
                // If undoing fails too, the first error is reported.
                drop(put(&done.path, done.before.as_deref()));
            }
            return Err(error);
        }
    }
    Ok(())
}

fn put(path: &Path, bytes: Option<&[u8]>) -> Result<(), NotChanged> {
    if let Some(bytes) = bytes {
        return Ok(user_file::replace(path, bytes)?);
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    fs::remove_file(&target)
        .map_err(|source| NotReplaced::Io { action: "remove", path: target, source }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &Path, before: Option<&str>, after: Option<&str>) -> FileChange {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        FileChange { path: path.to_owned(), before: bytes(before), after: bytes(after) }
    }

    #[test]
    fn a_change_that_cannot_be_made_takes_back_those_before_it() {
        let directory = tempfile::tempdir().unwrap();
        let [edited, made, removed, raced] =
            ["edited", "new/made", "removed", "raced"].map(|name| directory.path().join(name));
        for (path, text) in [(&edited, "old"), (&removed, "there"), (&raced, "meanwhile")] {
            fs::write(path, text).unwrap();
        }
        let changes = [
            change(&edited, Some("old"), Some("new")),
            change(&made, None, Some("new")),
            change(&removed, Some("there"), None),
            change(&raced, Some("old"), Some("new")),
        ];
        assert_eq!(
            apply(&changes).unwrap_err().to_string(),
            format!("change {}: another program changed it at the same time", raced.display())
        );
        assert_eq!(fs::read_to_string(&edited).unwrap(), "old");
        assert_eq!(fs::read_to_string(&removed).unwrap(), "there");
        assert_eq!(fs::read_to_string(&raced).unwrap(), "meanwhile");
        assert!(!made.exists());
        apply(&changes[..3]).unwrap();
        assert_eq!(fs::read_to_string(&edited).unwrap(), "new");
        assert!(made.exists() && !removed.exists());
    }
}
