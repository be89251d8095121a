//! Finds verger's entries in a settings file, and settings that prevent hooks from running. All
//! functions are pure.

use serde_json::Value;
use verger_agent::{AgentSpec, Guarding, HookScope};

use super::is_our_permission;
use super::registration::{
    enabled_member, inner_hooks, is_ours, marketplace_member, value_if_there, with_command,
};
use crate::install::json_text::{JsonText, JsonTextError, Step, keys};

/// The entries of verger in a settings file, and the settings that affect them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The directory of our marketplace. Empty if the settings name another source.
    pub(crate) marketplace: Option<String>,
    /// Whether the plugin is on. `None` if the file has no such setting.
    pub(crate) plugin: Option<bool>,
    /// The events with a hook of ours.
    pub(crate) hooks: Vec<String>,
    /// Events whose hook of ours differs from the one that this version writes.
    pub(crate) outdated: Vec<String>,
    /// Events with more than one hook of ours.
    pub(crate) repeated: Vec<String>,
    /// Commands that start our hook program in another way than ours.
    pub(crate) foreign: Vec<String>,
    /// Events whose hook of ours is registered for a guard that enforces.
    pub(crate) enforcing: Vec<String>,
    /// Our permission entries.
    pub(crate) permissions: Vec<String>,
    /// Whether all hooks are switched off.
    pub(crate) is_hooks_disabled: bool,
    /// Whether only an administrator's hooks may run.
    pub(crate) is_managed_only: bool,
    /// Whether only listed marketplaces may be used.
    pub(crate) is_marketplaces_limited: bool,
}

impl Found {
    /// Whether verger is registered in this file, in whole or in part.
    pub(super) fn is_registered(&self) -> bool {
        self.marketplace.is_some() || self.plugin.is_some() || !self.hooks.is_empty()
    }
}

/// Looks for our entries in a settings file.
pub(crate) fn look(agent: &AgentSpec, text: &JsonText) -> Result<Found, JsonTextError> {
    let there = |path: &[Step]| value_if_there(text, path);
    let names = agent.install.settings;
    let mut found = Found::default();
    if let Some(plugin) = &agent.install.plugin {
        let path = |known: Value| known["source"]["path"].as_str().unwrap_or_default().to_owned();
        found.marketplace = there(&marketplace_member(plugin))?.map(path);
        found.plugin = there(&enabled_member(plugin))?.map(|value| value == Value::Bool(true));
        let limited = keys(&[plugin.settings.marketplaces_limited]);
        found.is_marketplaces_limited = there(&limited)?.is_some();
    }
    let hooks = there(&keys(&[names.hooks]))?.unwrap_or_default();
    for (event, groups) in hooks.as_object().into_iter().flatten() {
        let hooks: Vec<_> = inner_hooks(agent, groups).into_iter().map(|(_, hook)| hook).collect();
        let ours = hooks.iter().filter(|hook| is_ours(agent, event, hook)).count();
        if ours > 0 {
            found.hooks.push(event.clone());
        }
        if ours > 1 {
            found.repeated.push(event.clone());
        }
        let is_there = |guarding| {
            let registered = agent.registered_events().find(|(known, _)| known.name == event);
            let command = agent.install.hook_format.command;
            registered.is_some_and(|event| {
                [HookScope::User, HookScope::Project].into_iter().any(|scope| {
                    let wanted = agent.settings_hook(event, guarding, scope);
                    hooks.iter().any(|hook| hook[command] == wanted[command])
                })
            })
        };
        let (watching, enforcing) = (is_there(Guarding::Watching), is_there(Guarding::Enforcing));
        if ours > 0 && !watching && !enforcing {
            found.outdated.push(event.clone());
        }
        if enforcing && !watching {
            found.enforcing.push(event.clone());
        }
        let foreign = hooks.iter().filter(|hook| !is_ours(agent, event, hook)).filter_map(|hook| {
            with_command(agent, hook, |command| {
                command.mentions_verger().then(|| command.command.to_owned())
            })?
        });
        found.foreign.extend(foreign);
    }
    let allowed = names.allowed.map(|allowed| there(&keys(allowed.path))).transpose()?.flatten();
    let allowed = allowed.unwrap_or_default();
    let allowed = allowed.as_array().into_iter().flatten().filter_map(Value::as_str);
    found.permissions =
        allowed.filter(|entry| is_our_permission(agent, entry)).map(str::to_owned).collect();
    let is = |path: &[&str], value| Ok(there(&keys(path))? == Some(Value::Bool(value)));
    if let Some(switch) = names.hooks_off {
        found.is_hooks_disabled = is(switch.path, switch.off)?;
    }
    if let Some(name) = names.managed_hooks_only {
        found.is_managed_only = is(&[name], true)?;
    }
    Ok(found)
}

/// Whether a file may contain an entry of ours. Works for files that can't be parsed.
pub(super) fn mentions_verger(bytes: &[u8]) -> bool {
    bytes.windows(b"verger".len()).any(|window| window == b"verger")
}
