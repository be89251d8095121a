//! Registering a hook with a client, in the client's own file.

use serde_json::{Map, Value, json};

use super::Client;
use crate::environment::TestEnvironment;

impl Client {
    /// Registers `<command> <agent> <Event>` for each of these events of the client, in the file
    /// of the home that the client reads hooks from. The file is replaced.
    pub fn register_hook(self, environment: &TestEnvironment, command: &str, events: &[&str]) {
        let agent = self.agent();
        let entry = |event: &str| {
            let command = format!("{command} {agent} {event}");
            match self {
                Self::ClaudeCode(_) | Self::Codex(_) | Self::GeminiCli => {
                    json!([{ "hooks": [{ "type": "command", "command": command }] }])
                }
                Self::CopilotCli => json!([{ "type": "command", "bash": command }]),
            }
        };
        let hooks: Map<String, Value> =
            events.iter().map(|event| ((*event).to_owned(), entry(event))).collect();
        let (path, file) = match self {
            Self::ClaudeCode(_) => (".claude/settings.json", json!({ "hooks": hooks })),
            Self::Codex(_) => (".codex/hooks.json", json!({ "hooks": hooks })),
            Self::GeminiCli => (".gemini/settings.json", json!({ "hooks": hooks })),
            Self::CopilotCli => {
                (".copilot/hooks/test.json", json!({ "version": 1, "hooks": hooks }))
            }
        };
        environment.write(environment.home().join(path), file.to_string());
    }
}
