//! Describes for people the agent's action that a hook payload reports.

use serde_json::Value;

use super::look::Seen;
use super::scene::Speaker;

/// A line that describes the action in a payload: a prompt, a tool call or an attempt to stop.
/// `None` for other events.
pub(super) fn action(payload: &Value, project: &str) -> Option<Seen> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (speaker, text) = match payload["hook_event_name"].as_str()? {
        "UserPromptSubmit" => (Speaker::Person, text(&payload["prompt"])),
        "PreToolUse" => (Speaker::Agent, tool_call(payload, project)),
        "Stop" => {
            let message = text(&payload["last_assistant_message"]);
            (Speaker::Agent, format!("stops: \"{message}\""))
        }
        _ => return None,
    };
    Some(Seen::line(speaker, text))
}

fn tool_call(payload: &Value, project: &str) -> String {
    let (tool, input) = (payload["tool_name"].as_str().unwrap_or_default(), &payload["tool_input"]);
    if let Some(command) = input["command"].as_str() {
        return format!("$ {command}");
    }
    let path = input["file_path"].as_str().unwrap_or_default();
    let path = path.strip_prefix(project).unwrap_or(path).trim_start_matches('/');
    match tool {
        "Edit" | "Write" => format!("edits {path}"),
        _ => format!("{tool} {path}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_action_is_told_by_what_it_does() {
        let told = |payload: Value| action(&payload, "/p").map(|seen| (seen.speaker, seen.text));
        let call = |tool: &str, input: Value| {
            told(json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input}))
        };
        let agent = |text: &str| Some((Speaker::Agent, text.to_owned()));
        assert_eq!(call("Bash", json!({"command": "ls"})), agent("$ ls"));
        assert_eq!(call("Edit", json!({"file_path": "/p/a.rs"})), agent("edits a.rs"));
        assert_eq!(call("Read", json!({"file_path": "/q/a.rs"})), agent("Read q/a.rs"));
        let stop = json!({"hook_event_name": "Stop", "last_assistant_message": "Done."});
        assert_eq!(told(stop), agent("stops: \"Done.\""));
        let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "Do it"});
        assert_eq!(told(prompt), Some((Speaker::Person, "Do it".to_owned())));
        assert_eq!(told(json!({"hook_event_name": "PostToolUse"})), None);
    }
}
