//! Writes verger's entries into an agent's own JSON files, and removes the entries of any version
//! of verger. The functions are pure: they take and return texts.

use serde_json::{Value, json};
use verger_agent::{AgentSpec, Guarding, HookCommand, HookList, HookScope, PluginSpec};

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
    /// Not JSON: verger's rules are a block in it.
    Rules,
    /// Not JSON: the agent's own settings, with the hooks that a person trusts.
    Trust,
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
    pub(crate) fn plugin(
        agent: &AgentSpec,
        plugin: &PluginSpec,
        marketplace: &str,
        commands: &[&str],
    ) -> Self {
        let source = json!({ "source": directory_source(marketplace) });
        Self {
            members: vec![
                (marketplace_member(plugin), source),
                (enabled_member(plugin), Value::Bool(true)),
            ],
            hooks: Vec::new(),
            permissions: permissions(agent, commands),
        }
    }

    /// The entry for the plugin in the list of known marketplaces. Data that the agent added to the
    /// entry are kept.
    pub(crate) fn known_marketplace(
        plugin: &PluginSpec,
        marketplace: &str,
        now: &str,
        current: &JsonText,
    ) -> Self {
        let member = keys(&[plugin.marketplace]);
        let (source, location) = (directory_source(marketplace), Value::from(marketplace));
        let is_same =
            |known: &Value| known["source"] == source && known["installLocation"] == location;
        let known = value_if_there(current, &member).ok().flatten().filter(is_same);
        let value = known.unwrap_or_else(
            || json!({ "source": source, "installLocation": location, "lastUpdated": now }),
        );
        Self { members: vec![(member, value)], ..Self::default() }
    }

    /// The hooks in the settings of the user or of a project.
    pub(crate) fn settings_hooks(
        agent: &AgentSpec,
        guarding: Guarding,
        scope: HookScope,
        commands: &[&str],
    ) -> Self {
        let hooks = agent
            .registered_events()
            .map(|event| (event.0.name, agent.settings_hook(event, guarding, scope)));
        let version = agent.install.hook_format.version;
        Self {
            members: version
                .map(|(key, number)| (keys(&[key]), number.into()))
                .into_iter()
                .collect(),
            hooks: hooks.collect(),
            permissions: permissions(agent, commands),
        }
    }
}

fn permissions(agent: &AgentSpec, commands: &[&str]) -> Vec<String> {
    commands.iter().filter_map(|command| agent.install.permission(command)).collect()
}

fn directory_source(path: &str) -> Value {
    json!({ "source": "directory", "path": path })
}

pub(super) fn marketplace_member(plugin: &PluginSpec) -> Vec<Step> {
    keys(&[plugin.settings.marketplaces, plugin.marketplace])
}

pub(super) fn enabled_member(plugin: &PluginSpec) -> Vec<Step> {
    keys(&[plugin.settings.enabled, plugin.name])
}

/// The members that only verger uses.
fn own_members(agent: &AgentSpec, kind: FileKind) -> Vec<Vec<Step>> {
    let Some(plugin) = &agent.install.plugin else { return vec![] };
    match kind {
        FileKind::Settings => vec![enabled_member(plugin), marketplace_member(plugin)],
        FileKind::KnownMarketplaces => vec![keys(&[plugin.marketplace])],
        FileKind::InstalledPlugins => vec![keys(&[plugin.settings.installed, plugin.name])],
        FileKind::Rules | FileKind::Trust => vec![],
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
    remove_own_version(agent, &mut text, wanted, base)?;
    Ok(text)
}

/// Removes the version at the top of a file of hooks if verger added it and nobody needs it: the
/// file had other entries without it before, or has no others now.
fn remove_own_version(
    agent: &AgentSpec,
    text: &mut JsonText,
    wanted: &Wanted,
    base: Option<&JsonText>,
) -> Result<(), JsonTextError> {
    let Some((key, _)) = agent.install.hook_format.version else { return Ok(()) };
    let member = keys(&[key]);
    let base = base.filter(|base| !base.is_empty());
    let was_there = match base {
        Some(base) => value_if_there(base, &member)?.is_some(),
        None => false,
    };
    let is_needed =
        was_there || !wanted.hooks.is_empty() || value_if_there(text, &member)?.is_none();
    if !is_needed && (base.is_some() || text.length(&[])? == Some(1)) {
        text.remove(&member)?;
    }
    Ok(())
}

fn add(agent: &AgentSpec, text: &mut JsonText, wanted: &Wanted) -> Result<(), JsonTextError> {
    for (event, hook) in &wanted.hooks {
        let groups = keys(&[agent.install.settings.hooks, event]);
        let there = text.value(&groups)?.unwrap_or_default();
        let is_there = inner_hooks(agent, &there).iter().any(|(_, known)| *known == hook);
        if !is_there {
            text.push(&groups, &agent.hook_entry(hook))?;
        }
    }
    for (member, value) in &wanted.members {
        if text.value(member)?.as_ref() != Some(value) {
            text.set(member, value)?;
        }
    }
    let Some(allowed) = agent.install.settings.allowed else { return Ok(()) };
    let allow = keys(allowed.path);
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
        let hooks = inner_hooks(agent, &groups).into_iter();
        for (place, hook) in hooks.filter(|(_, hook)| is_ours(agent, event.name, hook)) {
            let is_wanted = kept.is_none()
                && wanted.hooks.iter().any(|(of, wanted)| *of == event.name && wanted == hook);
            if is_wanted {
                kept = Some(());
            } else {
                surplus.push(place);
            }
        }
        for place in surplus.into_iter().rev() {
            let mut path = groups_path.clone();
            path.extend(place);
            text.remove(&path)?;
            path.pop();
            let in_group = agent.install.hook_format.list == HookList::Groups;
            if in_group && text.length(&path)? == Some(0) {
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
    let Some(allowed) = agent.install.settings.allowed else { return Ok(()) };
    let allow = keys(allowed.path);
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

/// The hooks of an event with their positions below the event's list.
pub(super) fn inner_hooks<'v>(agent: &AgentSpec, list: &'v Value) -> Vec<(Vec<Step>, &'v Value)> {
    let entries = list.as_array().into_iter().flatten().enumerate();
    match agent.install.hook_format.list {
        HookList::Flat => entries.map(|(index, hook)| (vec![Step::Element(index)], hook)).collect(),
        HookList::Groups => entries
            .flat_map(|(group, value)| {
                let hooks = value["hooks"].as_array().into_iter().flatten().enumerate();
                let place = move |index| {
                    vec![Step::Element(group), Step::Key("hooks".into()), Step::Element(index)]
                };
                hooks.map(move |(index, hook)| (place(index), hook))
            })
            .collect(),
    }
}

pub(super) fn is_ours(agent: &AgentSpec, event: &str, hook: &Value) -> bool {
    with_command(agent, hook, |command| agent.is_our_hook(event, command)).unwrap_or_default()
}

pub(super) fn with_command<T>(
    agent: &AgentSpec,
    hook: &Value,
    ask: impl FnOnce(HookCommand<'_>) -> T,
) -> Option<T> {
    let command = hook[agent.install.hook_format.command].as_str()?;
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
mod round_trips;
#[cfg(test)]
mod tests;
