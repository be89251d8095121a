//! Finds verger's entries in a settings file, and settings that prevent hooks from running. All
//! functions are pure.

use serde_json::Value;
use verger_agent::{AgentSpec, Guarding};

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
    if let Some(known) = there(&marketplace_member(agent))? {
        found.marketplace = Some(known["source"]["path"].as_str().unwrap_or_default().to_owned());
    }
    found.plugin = there(&enabled_member(agent))?.map(|value| value == Value::Bool(true));
    let hooks = there(&keys(&[names.hooks]))?.unwrap_or_default();
    for (event, groups) in hooks.as_object().into_iter().flatten() {
        let hooks: Vec<_> = inner_hooks(groups).map(|(_, hook)| hook).collect();
        let ours = hooks.iter().filter(|hook| is_ours(agent, event, hook)).count();
        if ours > 0 {
            found.hooks.push(event.clone());
        }
        if ours > 1 {
            found.repeated.push(event.clone());
        }
        let is_there = |guarding| {
            let registered = agent.registered_events().find(|(known, _)| known.name == event);
            let wanted =
                registered.map(|(event, limit)| agent.settings_hook(event, limit, guarding));
            wanted
                .is_some_and(|wanted| hooks.iter().any(|hook| hook["command"] == wanted["command"]))
        };
        let (watching, enforcing) = (is_there(Guarding::Watching), is_there(Guarding::Enforcing));
        if ours > 0 && !watching && !enforcing {
            found.outdated.push(event.clone());
        }
        if enforcing && !watching {
            found.enforcing.push(event.clone());
        }
        let foreign = hooks.iter().filter(|hook| !is_ours(agent, event, hook)).filter_map(|hook| {
            with_command(hook, |command| {
                command.mentions_verger().then(|| command.command.to_owned())
            })?
        });
        found.foreign.extend(foreign);
    }
    let allowed = there(&keys(names.allowed))?.unwrap_or_default();
    let allowed = allowed.as_array().into_iter().flatten().filter_map(Value::as_str);
    found.permissions =
        allowed.filter(|entry| is_our_permission(agent, entry)).map(str::to_owned).collect();
    let is_true = |name| Ok(there(&keys(&[name]))? == Some(Value::Bool(true)));
    found.is_hooks_disabled = is_true(names.hooks_off)?;
    found.is_managed_only = is_true(names.managed_hooks_only)?;
    found.is_marketplaces_limited = there(&keys(&[names.marketplaces_limited]))?.is_some();
    Ok(found)
}

/// Whether a file may contain an entry of ours. Works for files that can't be parsed.
pub(super) fn mentions_verger(bytes: &[u8]) -> bool {
    bytes.windows(b"verger".len()).any(|window| window == b"verger")
}
