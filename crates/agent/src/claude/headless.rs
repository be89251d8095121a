//! The arguments for running Claude Code without a terminal: `claude --print`.

use serde_json::{Map, Value, json};
use verger_event::gathered;

use super::CLAUDE;
use crate::headless::{HeadlessRun, HeadlessSpec};
use crate::registration::Registration;

pub(crate) const HEADLESS: HeadlessSpec = HeadlessSpec {
    arguments,
    key: "sk-ant-fake-0000000000000000000000",
    service,
    temporary_env: "CLAUDE_CODE_TMPDIR",
};

fn arguments(run: &HeadlessRun<'_>) -> Vec<String> {
    [
        "--print",
        "--settings",
        &settings(run.hook).to_string(),
        "--allowedTools",
        // The tools are one argument, because the flag would also consume further arguments,
        // including the prompt.
        &run.tools.join(","),
        "--",
        run.prompt,
    ]
    .map(str::to_owned)
    .into()
}

fn settings(hook: &[String]) -> Value {
    let hook = hook.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
    let registered = CLAUDE
        .events
        .iter()
        .filter(|event| matches!(event.registration, Registration::Registered { .. }));
    let hooks: Map<String, Value> = gathered(registered.map(|event| {
        let command = format!("{hook} {} {}", CLAUDE.name, event.name);
        let group = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
        (event.name.to_owned(), group)
    }));
    json!({ "hooks": hooks })
}

/// The text as one quoted shell word. The program runs hook commands in a shell.
fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn service(url: &str) -> Vec<(&'static str, String)> {
    vec![
        ("ANTHROPIC_BASE_URL", url.to_owned()),
        ("ANTHROPIC_API_KEY", HEADLESS.key.to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registered_event_calls_the_hook_wherever_it_lies() {
        let hook = ["/it's/hook".to_owned(), "word".to_owned()];
        let run = HeadlessRun { prompt: "go", hook: &hook, tools: &["A", "B"] };
        let arguments = arguments(&run);
        let settings: Value = serde_json::from_str(&arguments[2]).unwrap();
        assert_eq!(
            settings["hooks"]["Stop"][0]["hooks"][0]["command"],
            r"'/it'\''s/hook' 'word' claude Stop"
        );
        assert_eq!(settings["hooks"]["MessageDisplay"], Value::Null);
        assert_eq!(arguments[3..], ["--allowedTools", "A,B", "--", "go"]);
    }
}
