//! Reads the user's list of trusted projects from disk.

use std::io;
use std::path::{Path, PathBuf};

use crate::Home;
use sha2::{Digest, Sha256};
use verger_config::{TrustFault, TrustList};
use verger_event::hex;
use verger_worktree::{root_without_git, shared_root};

use crate::bounded_file::read_private;

/// The list of trusted projects can't be used. Then no project is trusted.
#[derive(Debug, thiserror::Error)]
pub enum UnusableTrust {
    /// Reading the file failed.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The list's file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not a valid list.
    #[error("{}: {source}", path.display())]
    Unusable {
        /// The list's file.
        path: PathBuf,
        /// Why.
        source: TrustFault,
    },
}

/// Reads the list. A missing list trusts no project.
pub fn read_trust(home: &Home) -> Result<TrustList, UnusableTrust> {
    let path = home.trust_file();
    match read_private(&path) {
        Ok(None) => Ok(TrustList::default()),
        Ok(Some(bytes)) => {
            TrustList::parse(&bytes).map_err(|source| UnusableTrust::Unusable { path, source })
        }
        Err(source) => Err(UnusableTrust::Unreadable { path, source }),
    }
}

/// Whether the user trusts the worktree that contains a directory. Linked worktrees share the
/// trust of their repository.
pub fn trusted_worktree(home: &Home, directory: &Path, user_home: Option<&Path>) -> bool {
    let Ok(directory) = directory.canonicalize() else { return false };
    let root = shared_root(&root_without_git(&directory, user_home));
    let list = read_trust(home);
    root.to_str().is_some_and(|root| list.is_ok_and(|list| list.trusts_worktree(root)))
}

/// The hash that identifies the content of a trusted file.
pub fn content_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
