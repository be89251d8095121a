//! The hooks that the plugin registers.

use serde_json::{Map, Value, json};
use verger_agent::CLAUDE;
use verger_hook::PLUGIN_WORD;

/// Started without a shell. A missing file is then an error that holds nothing up, while a shell
/// that cannot read its script exits with 2, which the client takes for a refusal.
const LAUNCHER: &str = "${CLAUDE_PLUGIN_ROOT}/hooks/launch";

pub(crate) fn render() -> String {
    let hooks: Map<String, Value> = CLAUDE
        .registered_events()
        .map(|(event, timeout_seconds)| {
            let mut hook = json!({
                "type": "command", "command": LAUNCHER, "args": [CLAUDE.name, event.name, PLUGIN_WORD],
            });
            if let Some(seconds) = timeout_seconds {
                hook["timeout"] = seconds.into();
            }
            (event.name.to_owned(), json!([{ "hooks": [hook] }]))
        })
        .collect();
    format!("{:#}\n", json!({ "hooks": hooks }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_registered_event_starts_the_launcher_with_its_name() {
        let hooks: Value = serde_json::from_str(&render()).unwrap();
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
}
