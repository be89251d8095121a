//! Renders the hooks file of verger's plugin.

use serde_json::{Map, Value, json};

use crate::spec::{AgentSpec, HookEvent};

/// The argument of the plugin's hooks.
pub const PLUGIN_WORD: &str = "plugin";

/// The argument that makes the guard of tool calls enforce, even if the configuration can't be
/// read.
pub const ENFORCE_WORD: &str = "enforce";

/// The launcher, which is started without a shell. If its file is missing, the client ignores the
/// error. A shell would instead exit with 2, which the client treats as a refusal.
const LAUNCHER: &str = "${CLAUDE_PLUGIN_ROOT}/hooks/launch";

/// How hooks are registered for the events on which the guard judges calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarding {
    /// A failing hook lets the call run.
    Watching,
    /// A failing hook stops the call, if the client supports that.
    Enforcing,
}

impl AgentSpec {
    /// The plugin's hooks file.
    pub fn plugin_hooks(&self, guarding: Guarding) -> String {
        let hooks: Map<String, Value> = self
            .registered_events()
            .map(|(event, limit)| {
                let hook = self.plugin_hook(event, limit, guarding);
                (event.name.to_owned(), json!([{ "hooks": [hook] }]))
            })
            .collect();
        format!("{:#}\n", json!({ "hooks": hooks }))
    }

    fn plugin_hook(&self, event: &HookEvent, limit: Option<u32>, guarding: Guarding) -> Value {
        let guarding = self.guarding(event.name, guarding);
        let mut words = vec![self.name, event.name, PLUGIN_WORD];
        if guarding == Guarding::Enforcing {
            words.push(ENFORCE_WORD);
        }
        let hook = json!({ "type": "command", "command": LAUNCHER, "args": words });
        self.limited(hook, limit, guarding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CLAUDE;

    #[test]
    fn each_registered_event_starts_the_launcher_with_its_name() {
        let hooks: Value = serde_json::from_str(&CLAUDE.plugin_hooks(Guarding::Watching)).unwrap();
        let hooks = hooks["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), CLAUDE.registered_events().count());
        assert_eq!(
            hooks["SessionEnd"],
            json!([{ "hooks": [{
                "type": "command", "command": LAUNCHER, "args": ["claude", "SessionEnd", "plugin"],
                "timeout": 5,
            }] }])
        );
    }

    #[test]
    fn only_what_the_guard_is_asked_about_is_registered_to_fail_closed() {
        let watching: Value =
            serde_json::from_str(&CLAUDE.plugin_hooks(Guarding::Watching)).unwrap();
        let enforcing: Value =
            serde_json::from_str(&CLAUDE.plugin_hooks(Guarding::Enforcing)).unwrap();
        for (event, hooks) in enforcing["hooks"].as_object().unwrap() {
            let is_guarded = ["PreToolUse", "PermissionRequest"].contains(&event.as_str());
            assert_eq!(*hooks != watching["hooks"][event], is_guarded, "{event}");
        }
        assert_eq!(
            enforcing["hooks"]["PreToolUse"],
            json!([{ "hooks": [{
                "type": "command", "command": LAUNCHER,
                "args": ["claude", "PreToolUse", "plugin", "enforce"], "onFailure": "block",
            }] }])
        );
    }
}
