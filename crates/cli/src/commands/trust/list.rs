//! `verger trust --list`: lists the trusted projects, and whether they changed since.

use std::path::Path;

use serde_json::json;
use verger_config::{TrustedFile, TrustedWorktree};
use verger_engine::{content_hash, read_bounded, read_trust};
use verger_event::Timestamp;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui};
use crate::render::time::age;

pub(super) fn list(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let list = read_trust(&context.home()?)?;
    if ui.output() == Output::Json {
        let trusted: Vec<_> = list
            .iter()
            .map(|entry| {
                json!({
                    "file": entry.file,
                    "sha256": entry.sha256,
                    "trusted_at_ms": entry.trusted_at_ms,
                    "state": state(entry),
                })
            })
            .collect();
        let worktrees: Vec<_> = list
            .worktrees()
            .map(|entry| {
                json!({
                    "root": entry.root,
                    "trusted_at_ms": entry.trusted_at_ms,
                    "state": worktree_state(entry),
                })
            })
            .collect();
        return Ok(ui.json(&json!({ "trusted": trusted, "worktrees": worktrees }))?);
    }
    let worktrees = list.worktrees().map(|entry| {
        let what = format!("{}  (builds and tests)", entry.root);
        (entry.trusted_at_ms, worktree_state(entry), what)
    });
    let files = list.iter().map(|entry| (entry.trusted_at_ms, state(entry), entry.file.clone()));
    let entries: Vec<_> = worktrees.chain(files).collect();
    let (count, now) = (entries.len(), context.clock.now());
    let mut listing = Listing::default();
    for (at, state, what) in entries {
        let tone = if state == "trusted" { Tone::Good } else { Tone::Bad };
        let at = age(Timestamp::from_millis(at), now);
        listing.row([Cell::faint(at), Cell::toned(tone, state), Cell::text(what)]);
    }
    listing.print(ui)?;
    Ok(ui.note(match count {
        0 => "no project is trusted; verger trust DIRECTORY trusts one",
        _ => "verger trust --revoke DIRECTORY takes trust back",
    })?)
}

/// Whether the file is unchanged since it was trusted, as a hook would determine it.
fn state(entry: &TrustedFile) -> &'static str {
    let path = Path::new(&entry.file);
    match read_bounded(path) {
        Ok(Some(bytes)) if is_in_place(path) && content_hash(&bytes) == entry.sha256 => "trusted",
        Ok(None) => "gone",
        Ok(Some(_)) | Err(_) => "changed",
    }
}

fn worktree_state(entry: &TrustedWorktree) -> &'static str {
    if is_in_place(Path::new(&entry.root)) { "trusted" } else { "gone" }
}

fn is_in_place(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| real == path)
}
