//! `verger trust --revoke`.

use std::path::Path;

use serde_json::json;
use verger_config::{TrustedFile, TrustedWorktree};
use verger_engine::ConfigFiles;
use verger_worktree::shared_root;

use crate::config::trust_file;
use crate::config::user_file;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};

pub(super) fn revoke(ui: &mut Ui, context: &Context, place: &Path) -> Result<(), CommandError> {
    let home = context.home()?;
    let files = ConfigFiles::read(&home, Some(place), &context.environment);
    // A path that no longer exists must be written as in the list.
    let named = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let file = files.project.map(|project| project.file.path);
    let meant = [Some(named.join(".verger/config.toml")), file, Some(named.clone())];
    let is_meant =
        |entry: &TrustedFile| meant.iter().flatten().any(|meant| Path::new(&entry.file) == meant);
    let root = context.root_of(place).map(|root| shared_root(&root));
    let is_worktree = |entry: &TrustedWorktree| {
        [Some(&named), root.as_ref()]
            .into_iter()
            .flatten()
            .any(|meant| Path::new(&entry.root) == meant)
    };
    let lock = user_file::lock(&home.config)?;
    let (worktrees, files) = trust_file::change(&lock, &home, |list| {
        (list.revoke_worktrees(is_worktree), list.revoke(is_meant))
    })?;
    if worktrees.is_empty() && files.is_empty() {
        return Err(CommandError::Usage {
            message: format!("there is no trusted project or file at {}", place.display()),
            hint: "verger trust --list".to_owned(),
        });
    }
    let worktrees: Vec<_> = worktrees.iter().map(|entry| &entry.root).collect();
    let files: Vec<_> = files.iter().map(|entry| &entry.file).collect();
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "revoked": files, "worktrees": worktrees }))?);
    }
    for path in worktrees.into_iter().chain(files) {
        ui.line(format!("no longer trusted: {path}"))?;
    }
    Ok(())
}
