//! Changes the list of trusted files and worktrees.

use std::path::Path;

use verger_config::{TrustFault, TrustList, TrustedFile, TrustedWorktree};
use verger_engine::Home;
use verger_engine::{ConfigFile, UnusableTrust, content_hash, read_trust};

use crate::config::user_file::{self, Lock};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

#[derive(Debug, thiserror::Error)]
enum NoTrust {
    #[error("use {0}")]
    Unusable(UnusableTrust),
    #[error("add to the list of trusted files: {0}")]
    Full(TrustFault),
    #[error("trust a path that is not UTF-8")]
    Path,
}

impl From<UnusableTrust> for CommandError {
    fn from(error: UnusableTrust) -> Self {
        let (UnusableTrust::Unreadable { path, .. } | UnusableTrust::Unusable { path, .. }) =
            &error;
        let path = path.display();
        let hint = format!("mv {path} {path}.old, and trust your projects again");
        Self::Failed { source: NoTrust::Unusable(error).into(), hint }
    }
}

impl From<NoTrust> for CommandError {
    fn from(error: NoTrust) -> Self {
        let hint = "verger trust --list shows what could be revoked".to_owned();
        Self::Failed { source: error.into(), hint }
    }
}

/// The list's entry for the current content of a file.
pub(crate) fn entry(file: &ConfigFile, context: &Context) -> Result<TrustedFile, CommandError> {
    Ok(TrustedFile {
        file: file.path.to_str().ok_or(NoTrust::Path)?.to_owned(),
        sha256: content_hash(&file.bytes),
        trusted_at_ms: context.clock.now().as_millis(),
    })
}

/// The list's entry for a worktree.
pub(crate) fn worktree(root: &Path, context: &Context) -> Result<TrustedWorktree, CommandError> {
    Ok(TrustedWorktree {
        root: root.to_str().ok_or(NoTrust::Path)?.to_owned(),
        trusted_at_ms: context.clock.now().as_millis(),
    })
}

/// Changes the list. It is read from the file again, under the lock.
pub(crate) fn change<T>(
    _: &Lock,
    home: &Home,
    change: impl FnOnce(&mut TrustList) -> T,
) -> Result<T, CommandError> {
    let mut list = read_trust(home)?;
    let before = list.clone();
    let result = change(&mut list);
    if list != before {
        let text = list.render().map_err(NoTrust::Full)?;
        user_file::replace(&home.trust_file(), text.as_bytes())?;
    }
    Ok(result)
}
