//! What `verger uninstall` would change in an agent's files.

use std::path::{Path, PathBuf};

use verger_agent::AgentSpec;

use super::found::{Found, look, mentions_verger};
use super::places::Places;
use super::receipt::{Original, Receipt};
use super::registration::{FileKind, Wanted, reconcile};
use super::setup::{CannotPlan, base_text};
use super::transaction::{FileChange, read};
use crate::json_text::JsonText;

/// Which of the project's settings are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// This user's own.
    Personal,
    /// Those that the people of the project share, too.
    Shared,
}

/// What would change, and what stays.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) changes: Vec<FileChange>,
    /// Shared settings of this project with hooks of ours that somebody else may want.
    pub(crate) shared: Option<PathBuf>,
    /// Commands that somebody wrote around our hook program, and where.
    pub(crate) foreign: Vec<(PathBuf, String)>,
}

/// Reads the agent's files and says what is to be changed in them.
pub(crate) fn plan(
    agent: &AgentSpec,
    places: &Places,
    receipt: &Receipt,
    scope: Scope,
) -> Result<Removal, CannotPlan> {
    let mut removal = Removal::default();
    for (path, kind) in candidates(places, receipt, scope) {
        let Some(bytes) = read(path)? else { continue };
        if !mentions_verger(&bytes) && receipt.original(places, path).is_none() {
            continue;
        }
        let unreadable = |source| CannotPlan::Unreadable { path: path.to_owned(), source };
        let text = JsonText::parse(&bytes).map_err(unreadable)?;
        let original = receipt.original(places, path);
        let base = original.as_ref().and_then(base_text);
        let without = |text: &JsonText| {
            reconcile(agent, kind, text, &Wanted::nothing(), base.as_ref()).map_err(unreadable)
        };
        let stripped = without(&text)?;
        let is_untouched = receipt.is_untouched(path, Some(&bytes));
        let after = match (original, base.as_ref()) {
            // What was there before may have had hooks of an earlier version.
            (Some(Original::Bytes(_)), Some(base)) if is_untouched => {
                Some(without(base)?.to_bytes())
            }
            (Some(Original::Bytes(was)), Some(base)) if base.is_empty() && stripped.is_empty() => {
                Some(was)
            }
            (Some(Original::Absent), _) if is_untouched || stripped.is_empty() => None,
            _ if stripped == text => Some(bytes.clone()),
            _ => Some(stripped.to_bytes()),
        };
        if kind == FileKind::Settings {
            let Found { foreign, .. } = look(agent, &stripped).map_err(unreadable)?;
            removal.foreign.extend(foreign.into_iter().map(|command| (path.to_owned(), command)));
        }
        let change = FileChange { path: path.to_owned(), before: Some(bytes), after };
        if change.is_needed() {
            removal.changes.push(change);
        }
    }
    removal.shared = shared(agent, places, &removal);
    Ok(removal)
}

/// Every file in which something of ours may be.
fn candidates<'a>(
    places: &'a Places,
    receipt: &'a Receipt,
    scope: Scope,
) -> Vec<(&'a Path, FileKind)> {
    let mut paths = vec![
        (places.user_settings.as_path(), FileKind::Settings),
        (&places.known_marketplaces, FileKind::KnownMarketplaces),
        (&places.installed_plugins, FileKind::InstalledPlugins),
    ];
    let shared = match scope {
        Scope::Personal => None,
        Scope::Shared => places.project_settings(),
    };
    for path in receipt.paths().chain(places.local_settings()).chain(shared) {
        if !paths.iter().any(|(known, _)| *known == path) {
            paths.push((path, FileKind::Settings));
        }
    }
    paths
}

fn shared(agent: &AgentSpec, places: &Places, removal: &Removal) -> Option<PathBuf> {
    let path = places.project_settings()?;
    if removal.changes.iter().any(|change| change.path == path) {
        return None;
    }
    let text = JsonText::parse(&read(path).ok()??).ok()?;
    let found = look(agent, &text).ok()?;
    (!found.hooks.is_empty()).then(|| path.to_owned())
}
