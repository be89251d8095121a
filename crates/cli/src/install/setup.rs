//! Plans the changes of `verger init`.

use std::path::{Path, PathBuf};

use verger_agent::{Guarding, HookScope, PluginSpec};

use super::agent_commands;
use super::found::{Found, look, mentions_verger};
use super::parts::{LeftOut, OptionalPart};
use super::places::{OwnPlaces, Places};
use super::receipt::{Original, Receipt};
use super::registration::{FileKind, Wanted, reconcile};
use super::rules_text::{with_rules, without_rules};
use super::transaction::{self, FileChange, NotChanged, read};
use crate::install::json_text::{JsonText, JsonTextError};
use crate::invocation::command_error::CommandError;

/// The sessions for which verger is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// All sessions of this user, by the plugin.
    User,
    /// This user's sessions in one project, by hooks in settings that only this user has.
    Local,
    /// All users' sessions in one project, by hooks in settings that they share.
    Project,
}

/// The reason why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CannotPlan {
    #[error("use {}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: JsonTextError,
    },
    #[error("use the path {}: it is not UTF-8 text", path.display())]
    Path { path: PathBuf },
    #[error("find a project: this is your home directory, not a project")]
    NoProject,
    #[error("register verger for one person in a project: {product} has no file for that")]
    NoLocal { product: &'static str },
    #[error(transparent)]
    Read(#[from] NotChanged),
}

impl From<CannotPlan> for CommandError {
    fn from(error: CannotPlan) -> Self {
        let hint = match error {
            CannotPlan::Read(error) => return error.into(),
            CannotPlan::Unreadable { ref source, .. } => match source {
                JsonTextError::NotJson { .. } | JsonTextError::NotText { .. } => {
                    "nothing was changed; correct the file and run the command again"
                }
                JsonTextError::WrongKind { .. } => {
                    "nothing was changed; correct that value and run the command again"
                }
            },
            CannotPlan::Path { .. } => "set VERGER_HOME to a path that is text",
            CannotPlan::NoLocal { .. } => {
                "verger init --project registers it for everyone in the project, verger init for \
                 all your projects"
            }
            CannotPlan::NoProject => "go into a project, or run verger init for all your projects",
        };
        Self::Failed { hint: hint.to_owned(), source: error.into() }
    }
}

/// The planned changes, each with the content of the file without verger.
pub(crate) type Changes = Vec<(FileChange, Original)>;

/// An existing registration that already covers a level. A second registration would report every
/// event twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coverage {
    Plugin,
    /// The plugin is installed but switched off. In this state, hooks in settings do nothing
    /// either.
    PluginOff,
    /// Hooks in the user's settings.
    User,
    Project,
}

/// A wider registration that covers `level`, if there is one.
pub(crate) fn covered(places: &Places, level: Level) -> Option<Coverage> {
    let found = |path: Option<&Path>| -> Option<Found> {
        let bytes = read(path?).ok()??;
        look(places.agent, &JsonText::parse(&bytes).ok()?).ok()
    };
    if level == Level::User {
        return None;
    }
    let user = found(Some(&places.user_settings)).unwrap_or_default();
    match (user.marketplace, user.plugin) {
        (Some(_), Some(true)) => return Some(Coverage::Plugin),
        (None, None) => {}
        _ => return Some(Coverage::PluginOff),
    }
    if !user.hooks.is_empty() && places.agent.install.plugin.is_none() {
        return Some(Coverage::User);
    }
    let project = found(places.project_settings()).unwrap_or_default();
    (level == Level::Local && !project.hooks.is_empty()).then_some(Coverage::Project)
}

/// Plans what `verger init` changes in the files of one agent.
pub(crate) struct Planner<'a> {
    pub(crate) places: &'a Places,
    pub(crate) receipt: &'a Receipt,
}

impl Planner<'_> {
    /// Reads the agent's files and plans the changes in them.
    pub(crate) fn plan(
        &self,
        level: Level,
        guarding: Guarding,
        left_out: &LeftOut,
        now: &str,
    ) -> Result<Changes, CannotPlan> {
        let Self { places, .. } = self;
        let has_permissions = !left_out.contains(&OptionalPart::Permissions);
        let commands = &if has_permissions { agent_commands() } else { vec![] };
        let agent = places.agent;
        let mut changes = Vec::new();
        match level {
            Level::User => {
                if let Some(plugin) = &agent.install.plugin {
                    changes.extend(self.plan_plugin(plugin, commands, now)?);
                } else {
                    let scope = HookScope::User;
                    let wanted = Wanted::settings_hooks(agent, guarding, scope, commands);
                    changes
                        .push(self.change(&places.user_settings, FileKind::Settings, |_| wanted)?);
                }
                changes.extend(self.plan_rules(commands)?);
                // This registration takes the place of hooks that only this user has.
                for path in self.personal_settings() {
                    changes.push(self.change(path, FileKind::Settings, |_| Wanted::nothing())?);
                }
            }
            Level::Local => {
                let product = agent.install.product;
                let path = places.local_settings().ok_or(match agent.install.local_settings {
                    Some(_) => CannotPlan::NoProject,
                    None => CannotPlan::NoLocal { product },
                })?;
                let scope = HookScope::Project;
                let wanted = Wanted::settings_hooks(agent, guarding, scope, commands);
                changes.push(self.change(path, FileKind::Settings, |_| wanted)?);
            }
            Level::Project => {
                let path = places.project_settings().ok_or(CannotPlan::NoProject)?;
                // People without verger may work in this project, so these hooks must not fail
                // closed.
                let (guarding, scope) = (Guarding::Watching, HookScope::Project);
                let wanted = Wanted::settings_hooks(agent, guarding, scope, commands);
                changes.push(self.change(path, FileKind::Settings, |_| wanted)?);
                let here = self.personal_settings().into_iter();
                for path in here.filter(|path| places.local_settings() == Some(*path)) {
                    changes.push(self.change(path, FileKind::Settings, |_| Wanted::nothing())?);
                }
            }
        }
        changes.retain(|(change, _)| change.is_needed());
        Ok(changes)
    }

    /// The entries that turn the plugin on for the user.
    fn plan_plugin(
        &self,
        plugin: &PluginSpec,
        commands: &[&str],
        now: &str,
    ) -> Result<Changes, CannotPlan> {
        let Self { places, .. } = self;
        let marketplace = places
            .user_folder
            .to_str()
            .ok_or_else(|| CannotPlan::Path { path: places.user_folder.clone() })?;
        let wanted = Wanted::plugin(places.agent, plugin, marketplace, commands);
        let mut changes = Vec::new();
        if let Some(path) = &places.known_marketplaces {
            changes.push(self.change(path, FileKind::KnownMarketplaces, |text| {
                Wanted::known_marketplace(plugin, marketplace, now, text)
            })?);
        }
        changes.push(self.change(&places.user_settings, FileKind::Settings, |_| wanted)?);
        Ok(changes)
    }

    /// The rules by which the agent runs these commands of verger without asking.
    fn plan_rules(&self, commands: &[&str]) -> Result<Option<(FileChange, Original)>, CannotPlan> {
        let install = &self.places.agent.install;
        let (Some(path), Some(file)) = (&self.places.rules, &install.rules_file) else {
            return Ok(None);
        };
        let rules = (!commands.is_empty()).then(|| (file.rules)(commands));
        let before = read(path)?;
        let text = utf8(path, before.as_deref().unwrap_or_default())?;
        let after = with_rules(text, rules.as_deref());
        let known = self.receipt.original(&self.places.own, path);
        let after = match known {
            Some(Original::Absent) if after.is_empty() => None,
            _ if before.is_none() && after.is_empty() => None,
            _ => Some(after.into_bytes()),
        };
        let original = match (known, &before) {
            (Some(known), _) if self.receipt.is_untouched(path, before.as_deref()) => known,
            (_, Some(_)) => Original::Bytes(without_rules(text).into_bytes()),
            (_, None) => Original::Absent,
        };
        Ok(Some((FileChange { path: path.clone(), before, after }, original)))
    }

    /// Plans the changes in settings that only this user has, so that their hooks are registered
    /// for this mode of the guard.
    pub(crate) fn plan_guarding(&self, guarding: Guarding) -> Result<Changes, CannotPlan> {
        let (agent, places) = (self.places.agent, self.places);
        let found = |path: &Path| {
            let text = JsonText::parse(&read(path).ok()??).ok()?;
            look(agent, &text).ok().filter(|found| !found.hooks.is_empty())
        };
        let mut changes = Vec::new();
        let user = [places.user_settings.as_path()].map(|path| (path, HookScope::User));
        let local = self.personal_settings().into_iter().map(|path| (path, HookScope::Project));
        for (path, scope) in user.into_iter().chain(local) {
            let Some(found) = found(path) else { continue };
            // Permissions that were left out before stay left out.
            let commands = if found.permissions.is_empty() { vec![] } else { agent_commands() };
            let wanted = Wanted::settings_hooks(agent, guarding, scope, &commands);
            changes.push(self.change(path, FileKind::Settings, |_| wanted)?);
        }
        changes.retain(|(change, _)| change.is_needed());
        Ok(changes)
    }

    fn change(
        &self,
        path: &Path,
        kind: FileKind,
        wanted: impl FnOnce(&JsonText) -> Wanted,
    ) -> Result<(FileChange, Original), CannotPlan> {
        let unreadable = |source| CannotPlan::Unreadable { path: path.to_owned(), source };
        let before = read(path)?;
        let text = JsonText::parse(before.as_deref().unwrap_or_default()).map_err(unreadable)?;
        let known = self.receipt.original(&self.places.own, path);
        let base = known.as_ref().and_then(base_text);
        let reconciled = |wanted: &Wanted| {
            reconcile(self.places.agent, kind, &text, wanted, base.as_ref()).map_err(unreadable)
        };
        let wanted = reconciled(&wanted(&text))?;
        let after = if wanted == text {
            before.clone()
        } else if known == Some(Original::Absent) && wanted.is_empty() {
            None
        } else {
            Some(wanted.to_bytes())
        };
        let original = match (known, &before) {
            (Some(known), _) if self.receipt.is_untouched(path, before.as_deref()) => known,
            (Some(known), Some(_)) => {
                let without = reconciled(&Wanted::nothing())?;
                if known == Original::Absent && without.is_empty() {
                    known
                } else {
                    Original::Bytes(without.to_bytes())
                }
            }
            (None, Some(bytes)) => Original::Bytes(bytes.clone()),
            (_, None) => Original::Absent,
        };
        Ok((FileChange { path: path.to_owned(), before, after }, original))
    }

    /// This user's own settings of projects that contain entries of ours.
    fn personal_settings(&self) -> Vec<&Path> {
        let name = self.places.agent.install.local_settings;
        let is_local = |path: &&Path| name.is_some_and(|name| path.ends_with(name));
        let written = self.receipt.paths(self.places.agent).filter(is_local);
        let mut paths: Vec<_> = written.chain(self.places.local_settings()).collect();
        paths.retain(|path| matches!(read(path), Ok(Some(bytes)) if mentions_verger(&bytes)));
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

/// The text of a file.
pub(super) fn utf8<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, CannotPlan> {
    std::str::from_utf8(bytes).map_err(|error| CannotPlan::Unreadable {
        path: path.to_owned(),
        source: JsonTextError::NotText { offset: error.valid_up_to() },
    })
}

/// Makes the changes and records how to undo them. The receipt is written first, because it remains
/// correct if a file is not changed.
pub(crate) fn carry_out(
    own: &OwnPlaces,
    before: &Receipt,
    after: &Receipt,
    files: &[FileChange],
) -> Result<(), CommandError> {
    after.write(own)?;
    transaction::apply(files).inspect_err(|_| {
        // If this fails too, the error of the transaction is reported.
        drop(before.write(own));
    })?;
    Ok(())
}

/// The text before verger's changes, if it can be parsed.
pub(crate) fn base_text(original: &Original) -> Option<JsonText> {
    match original {
        Original::Absent => None,
        Original::Bytes(bytes) => JsonText::parse(bytes).ok(),
    }
}
