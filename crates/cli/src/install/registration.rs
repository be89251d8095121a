//! Writes verger's entries into an agent's own JSON files, and removes the entries of any version
//! of verger. The functions are pure: they take and return texts.

use serde_json::{Value, json};
use verger_agent::{AgentSpec, Guarding, HookCommand};

use super::found::look;
use super::is_our_permission;
use crate::install::json_text::{JsonText, JsonTextError, Step, keys};

/// A file of the agent in which verger has entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Settings,
    KnownMarketplaces,
    /// Only the agent writes this file; verger only removes its own entry.
    InstalledPlugins,
}

/// The entries of verger that a file should have.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Wanted {
    members: Vec<(Vec<Step>, Value)>,
    hooks: Vec<(&'static str, Value)>,
    permissions: Vec<String>,
}

impl Wanted {
    /// No entries of ours.
    pub(crate) fn nothing() -> Self {
        Self::default()
    }

    /// The entries for the plugin in the user's settings.
    pub(crate) fn plugin(agent: &AgentSpec, marketplace: &str, commands: &[&str]) -> Self {
        let source = json!({ "source": directory_source(marketplace) });
        Self {
            members: vec![
                (marketplace_member(agent), source),
                (enabled_member(agent), Value::Bool(true)),
            ],
            hooks: Vec::new(),
            permissions: permissions(agent, commands),
        }
    }

    /// The entry for the plugin in the list of known marketplaces. Data that the agent added to the
    /// entry are kept.
    pub(crate) fn known_marketplace(
        agent: &AgentSpec,
        marketplace: &str,
        now: &str,
        current: &JsonText,
    ) -> Self {
        let member = keys(&[agent.install.marketplace]);
        let (source, location) = (directory_source(marketplace), Value::from(marketplace));
        let is_same =
            |known: &Value| known["source"] == source && known["installLocation"] == location;
        let known = value_if_there(current, &member).ok().flatten().filter(is_same);
        let value = known.unwrap_or_else(
            || json!({ "source": source, "installLocation": location, "lastUpdated": now }),
        );
        Self { members: vec![(member, value)], ..Self::default() }
    }

    /// The hooks in the settings of a project.
    pub(crate) fn settings_hooks(agent: &AgentSpec, guarding: Guarding, commands: &[&str]) -> Self {
        let hooks = agent
            .registered_events()
            .map(|(event, limit)| (event.name, agent.settings_hook(event, limit, guarding)));
        Self {
            members: Vec::new(),
            hooks: hooks.collect(),
            permissions: permissions(agent, commands),
        }
    }
}

fn permissions(agent: &AgentSpec, commands: &[&str]) -> Vec<String> {
    commands.iter().map(|command| (agent.install.permission)(command)).collect()
}

fn directory_source(path: &str) -> Value {
    json!({ "source": "directory", "path": path })
}

pub(super) fn marketplace_member(agent: &AgentSpec) -> Vec<Step> {
    keys(&[agent.install.settings.marketplaces, agent.install.marketplace])
}

pub(super) fn enabled_member(agent: &AgentSpec) -> Vec<Step> {
    keys(&[agent.install.settings.enabled_plugins, agent.install.plugin])
}

/// The members that only verger uses.
fn own_members(agent: &AgentSpec, kind: FileKind) -> Vec<Vec<Step>> {
    match kind {
        FileKind::Settings => vec![enabled_member(agent), marketplace_member(agent)],
        FileKind::KnownMarketplaces => vec![keys(&[agent.install.marketplace])],
        FileKind::InstalledPlugins => {
            vec![keys(&[agent.install.settings.installed_plugins, agent.install.plugin])]
        }
    }
}

/// Changes the text so that it has the wanted entries and no other entries of ours. Correct entries
/// stay in place. `base` is the text before verger; a container that is empty in it is kept.
pub(crate) fn reconcile(
    agent: &AgentSpec,
    kind: FileKind,
    text: &JsonText,
    wanted: &Wanted,
    base: Option<&JsonText>,
) -> Result<JsonText, JsonTextError> {
    let mut text = text.clone();
    if kind == FileKind::Settings {
        remove_hooks(agent, &mut text, wanted, base)?;
        remove_permissions(agent, &mut text, wanted, base)?;
    }
    for member in own_members(agent, kind) {
        if !wanted.members.iter().any(|(wanted, _)| *wanted == member) {
            // The member is removed repeatedly, because JSON may contain a name twice.
            while value_if_there(&text, &member)?.is_some() {
                text.remove(&member)?;
                if kind == FileKind::Settings {
                    prune(&mut text, &member[..1], base)?;
                }
            }
        }
    }
    add(agent, &mut text, wanted)?;
    Ok(text)
}

fn add(agent: &AgentSpec, text: &mut JsonText, wanted: &Wanted) -> Result<(), JsonTextError> {
    for (event, hook) in &wanted.hooks {
        let groups = keys(&[agent.install.settings.hooks, event]);
        let there = text.value(&groups)?.unwrap_or_default();
        let is_there = inner_hooks(&there).any(|(_, known)| known == hook);
        if !is_there {
            text.push(&groups, &json!({ "hooks": [hook] }))?;
        }
    }
    for (member, value) in &wanted.members {
        if text.value(member)?.as_ref() != Some(value) {
            text.set(member, value)?;
        }
    }
    let allow = keys(agent.install.settings.allowed);
    for permission in &wanted.permissions {
        let there = text.value(&allow)?.unwrap_or_default();
        let mut elements = there.as_array().into_iter().flatten();
        if !elements.any(|known| known == permission) {
            text.push(&allow, &Value::from(permission.as_str()))?;
        }
    }
    Ok(())
}

fn remove_hooks(
    agent: &AgentSpec,
    text: &mut JsonText,
    wanted: &Wanted,
    base: Option<&JsonText>,
) -> Result<(), JsonTextError> {
    for event in agent.events {
        let groups_path = keys(&[agent.install.settings.hooks, event.name]);
        let groups = value_if_there(text, &groups_path)?.unwrap_or_default();
        let mut kept = None;
        let mut surplus = Vec::new();
        for (place, hook) in
            inner_hooks(&groups).filter(|(_, hook)| is_ours(agent, event.name, hook))
        {
            let is_wanted = kept.is_none()
                && wanted.hooks.iter().any(|(of, wanted)| *of == event.name && wanted == hook);
            if is_wanted {
                kept = Some(place);
            } else {
                surplus.push(place);
            }
        }
        for (group, index) in surplus.into_iter().rev() {
            let mut path = groups_path.clone();
            path.extend([Step::Element(group), Step::Key("hooks".into()), Step::Element(index)]);
            text.remove(&path)?;
            path.pop();
            if text.length(&path)? == Some(0) {
                path.pop();
                text.remove(&path)?;
            }
            prune(text, &groups_path, base)?;
        }
    }
    Ok(())
}

fn remove_permissions(
    agent: &AgentSpec,
    text: &mut JsonText,
    wanted: &Wanted,
    base: Option<&JsonText>,
) -> Result<(), JsonTextError> {
    let allow = keys(agent.install.settings.allowed);
    let there = value_if_there(text, &allow)?.unwrap_or_default();
    let elements = there.as_array().map_or(&[][..], Vec::as_slice);
    // An entry that existed before verger was registered belongs to the user.
    let before = match base {
        Some(base) if !look(agent, base)?.is_registered() => value_if_there(base, &allow)?,
        _ => None,
    };
    let before = before.unwrap_or_default();
    let is_users_own =
        |entry: &Value| before.as_array().is_some_and(|entries| entries.contains(entry));
    let is_surplus = |(index, element): &(usize, &Value)| {
        element.as_str().is_some_and(|permission| {
            let is_wanted = wanted.permissions.iter().any(|wanted| wanted == permission);
            let is_repeated = elements[..*index].contains(element);
            is_our_permission(agent, permission)
                && (!is_wanted || is_repeated)
                && !is_users_own(element)
        })
    };
    let surplus: Vec<_> = elements.iter().enumerate().filter(is_surplus).collect();
    for (index, _) in surplus.into_iter().rev() {
        let mut path = allow.clone();
        path.push(Step::Element(index));
        text.remove(&path)?;
        prune(text, &allow, base)?;
    }
    Ok(())
}

/// Removes an empty container at the end of a path, and then its parent. A container that was
/// already empty before verger stays.
fn prune(text: &mut JsonText, path: &[Step], base: Option<&JsonText>) -> Result<(), JsonTextError> {
    let was_empty = |path| base.is_some_and(|base| base.length(path) == Ok(Some(0)));
    let mut path = path;
    while let Some((_, above)) = path.split_last() {
        if text.length(path)? != Some(0) || was_empty(path) {
            break;
        }
        text.remove(path)?;
        path = above;
    }
    Ok(())
}

/// The hooks of an event, each with its group's index and its index in the group.
pub(super) fn inner_hooks(groups: &Value) -> impl Iterator<Item = ((usize, usize), &Value)> {
    let groups = groups.as_array().into_iter().flatten().enumerate();
    groups.flat_map(|(group, value)| {
        let hooks = value["hooks"].as_array().into_iter().flatten().enumerate();
        hooks.map(move |(index, hook)| ((group, index), hook))
    })
}

pub(super) fn is_ours(agent: &AgentSpec, event: &str, hook: &Value) -> bool {
    with_command(hook, |command| (agent.install.is_our_hook)(event, command)).unwrap_or_default()
}

pub(super) fn with_command<T>(hook: &Value, ask: impl FnOnce(HookCommand<'_>) -> T) -> Option<T> {
    let command = hook["command"].as_str()?;
    let arguments: Vec<&str> =
        hook["args"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Some(ask(HookCommand { command, arguments: &arguments }))
}

/// The value at a path. A container of another type on the path counts as missing.
pub(super) fn value_if_there(
    text: &JsonText,
    path: &[Step],
) -> Result<Option<Value>, JsonTextError> {
    match text.value(path) {
        Err(JsonTextError::WrongKind { .. }) => Ok(None),
        other => other,
    }
}

#[cfg(test)]
mod tests;
