//! Plans the changes of `verger uninstall` in an agent's files.

use std::path::{Path, PathBuf};

use super::found::{Found, look, mentions_verger};
use super::hook_trust::without_sections;
use super::places::Places;
use super::receipt::{Original, Receipt};
use super::registration::{FileKind, Wanted, reconcile};
use super::rules_text::without_rules;
use super::setup::{CannotPlan, base_text, utf8};
use super::transaction::{FileChange, read};
use crate::install::json_text::JsonText;

/// Which settings of the project are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Only the settings of this user.
    Personal,
    /// Also the settings that all users of the project share.
    Shared,
}

/// The planned changes, and the entries that are kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) changes: Vec<FileChange>,
    /// Files that the agent created for our plugin. They may be missing.
    pub(crate) leftovers: Vec<PathBuf>,
    /// Shared settings of projects that contain our hooks. They are kept, because other people may
    /// need them.
    pub(crate) shared: Vec<SharedSettings>,
    /// Commands that start our hook program but were not written by verger, with their files.
    pub(crate) foreign: Vec<(PathBuf, String)>,
}

/// Settings that the people of a project share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedSettings {
    pub(crate) path: PathBuf,
    /// The project's directory, if it is not the project in which the command was started.
    pub(crate) elsewhere: Option<PathBuf>,
}

impl Removal {
    /// Adds the removal from another agent.
    pub(crate) fn extend(&mut self, other: Self) {
        self.changes.extend(other.changes);
        self.leftovers.extend(other.leftovers);
        self.shared.extend(other.shared);
        self.foreign.extend(other.foreign);
    }
}

/// Reads the agent's files and plans the changes in them.
pub(crate) fn plan(
    places: &Places,
    receipt: &Receipt,
    scope: Scope,
) -> Result<Removal, CannotPlan> {
    let agent = places.agent;
    let directories = directories(places, receipt);
    let leftovers = directories.iter().flat_map(|directory| {
        let leftovers = agent.install.plugin.map_or(&[][..], |plugin| plugin.leftovers);
        leftovers.iter().map(move |path| directory.join(path))
    });
    let mut removal = Removal { leftovers: leftovers.collect(), ..Removal::default() };
    for (path, kind) in candidates(&directories, places, receipt, scope) {
        let path = path.as_path();
        let Some(bytes) = read(path)? else { continue };
        if !mentions_verger(&bytes) && receipt.original(&places.own, path).is_none() {
            continue;
        }
        let without_ours: Option<fn(&str) -> String> = match kind {
            FileKind::Rules => Some(without_rules),
            FileKind::Trust => Some(without_sections),
            FileKind::Settings | FileKind::KnownMarketplaces | FileKind::InstalledPlugins => None,
        };
        if let Some(without_ours) = without_ours {
            let change = without_our_text(places, receipt, path, bytes, without_ours)?;
            removal.changes.extend(Some(change).filter(FileChange::is_needed));
            continue;
        }
        let unreadable = |source| CannotPlan::Unreadable { path: path.to_owned(), source };
        let text = JsonText::parse(&bytes).map_err(unreadable)?;
        let original = receipt.original(&places.own, path);
        let base = original.as_ref().and_then(base_text);
        let without = |text: &JsonText| {
            reconcile(agent, kind, text, &Wanted::nothing(), base.as_ref()).map_err(unreadable)
        };
        let stripped = without(&text)?;
        let is_untouched = receipt.is_untouched(path, Some(&bytes));
        let after = match (original, base.as_ref()) {
            // The original content may contain hooks of an earlier version.
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
    removal.shared = shared(&directories, places, receipt, &removal);
    Ok(removal)
}

/// The change that removes our text from a file that is not JSON.
fn without_our_text(
    places: &Places,
    receipt: &Receipt,
    path: &Path,
    bytes: Vec<u8>,
    without_ours: fn(&str) -> String,
) -> Result<FileChange, CannotPlan> {
    let original = receipt.original(&places.own, path);
    let stripped = without_ours(utf8(path, &bytes)?);
    let after = match original {
        Some(Original::Bytes(was)) if receipt.is_untouched(path, Some(&bytes)) => Some(was),
        // Without a receipt, a file with nothing but our text is ours.
        Some(Original::Absent) | None if stripped.is_empty() => None,
        _ => Some(stripped.into_bytes()),
    };
    Ok(FileChange { path: path.to_owned(), before: Some(bytes), after })
}

/// The directories of the agent's files, the current one first. If the agent was registered with
/// several directories, the receipt knows them.
fn directories(places: &Places, receipt: &Receipt) -> Vec<PathBuf> {
    let install = &places.agent.install;
    let list = install.plugin.map_or(install.user_settings, |plugin| plugin.known_marketplaces);
    let list = Path::new(list);
    let depth = list.components().count();
    // A project's file may have the same name as the user's.
    let is_projects =
        |path: &Path| path.ends_with(install.project_settings) && path != places.user_settings;
    let lists =
        receipt.paths(places.agent).filter(|path| path.ends_with(list) && !is_projects(path));
    let mut directories = vec![places.directory.clone()];
    for directory in lists.filter_map(|path| path.ancestors().nth(depth)) {
        if !directories.iter().any(|known| known == directory) {
            directories.push(directory.to_owned());
        }
    }
    directories
}

/// The files that may contain entries of ours.
fn candidates(
    directories: &[PathBuf],
    places: &Places,
    receipt: &Receipt,
    scope: Scope,
) -> Vec<(PathBuf, FileKind)> {
    let install = &places.agent.install;
    let in_directory = |directory: &PathBuf| {
        let mut files = vec![(directory.join(install.user_settings), FileKind::Settings)];
        if let Some(plugin) = install.plugin {
            let known = directory.join(plugin.known_marketplaces);
            files.push((known, FileKind::KnownMarketplaces));
            let installed = directory.join(plugin.installed_plugins);
            files.push((installed, FileKind::InstalledPlugins));
        }
        let rules = install.rules_file.map(|rules| directory.join(rules.path));
        files.extend(rules.map(|path| (path, FileKind::Rules)));
        let trust = install.trust.map(|trust| directory.join(trust.file));
        files.extend(trust.map(|path| (path, FileKind::Trust)));
        files
    };
    let mut paths: Vec<_> = directories.iter().flat_map(in_directory).collect();
    let shared = match scope {
        Scope::Personal => None,
        Scope::Shared => places.project_settings(),
    };
    let personal = receipt.paths(places.agent).filter(|path| !is_shared(path, directories, places));
    for path in personal.chain(places.local_settings()).chain(shared) {
        if !paths.iter().any(|(known, _)| known == path) {
            paths.push((path.to_owned(), FileKind::Settings));
        }
    }
    paths
}

/// Whether these are settings that the people of a project share.
fn is_shared(path: &Path, directories: &[PathBuf], places: &Places) -> bool {
    let install = &places.agent.install;
    let is_users = |directory: &PathBuf| directory.join(install.user_settings) == path;
    path.ends_with(install.project_settings) && !directories.iter().any(is_users)
}

/// The shared settings with our hooks that the removal does not change: those of this project, and
/// those of other projects that the receipt knows.
fn shared(
    directories: &[PathBuf],
    places: &Places,
    receipt: &Receipt,
    removal: &Removal,
) -> Vec<SharedSettings> {
    let depth = Path::new(places.agent.install.project_settings).components().count();
    let here = places.project_settings();
    let elsewhere = receipt
        .paths(places.agent)
        .filter(|path| Some(*path) != here && is_shared(path, directories, places))
        .filter_map(|path| Some((path, Some(path.ancestors().nth(depth)?.to_owned()))));
    here.map(|path| (path, None))
        .into_iter()
        .chain(elsewhere)
        .filter(|(path, _)| removal.changes.iter().all(|change| change.path != *path))
        .filter(|(path, _)| has_hooks(path, places).unwrap_or_default())
        .map(|(path, elsewhere)| SharedSettings { path: path.to_owned(), elsewhere })
        .collect()
}

/// `None` if the file is missing or cannot be read.
fn has_hooks(path: &Path, places: &Places) -> Option<bool> {
    let text = JsonText::parse(&read(path).ok()??).ok()?;
    Some(!look(places.agent, &text).ok()?.hooks.is_empty())
}
