//! Copilot CLI also runs the Claude Code hooks of a project. Its events come through its own
//! registration, so the hook ignores these calls.

use std::fs;

use serde_json::{Value, json};
use verger_testkit::TestEnvironment;

use crate::log::Log;
use crate::stage::HOOK;

/// The session's id in all payloads.
const ID: &str = "5e551017-0000-4000-8000-000000000002";

/// The order of events in a session.
const ORDER: [&str; 6] =
    ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];

/// The payloads that Copilot CLI sends to Claude Code's hooks, each with its event's name.
fn payloads(environment: &TestEnvironment) -> Vec<(String, Value)> {
    let folder =
        format!("{}/../agent/fixtures/copilot-as-claude/1.0.102", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: std::path::PathBuf| {
        let mut payload: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        payload["cwd"] = json!(environment.project());
        payload["session_id"] = json!(ID);
        let event = payload["hook_event_name"].as_str().unwrap().to_owned();
        (event, payload)
    };
    let mut payloads: Vec<_> = files.into_iter().map(read).collect();
    payloads.sort_by_key(|(event, _)| ORDER.iter().position(|known| known == event));
    payloads
}

/// Calls the hook with every payload and these variables. Returns the kinds of the records.
#[track_caller]
fn recorded(variables: &[(&str, &str)]) -> Vec<String> {
    let environment = TestEnvironment::with_repository();
    let config = environment.verger_home().join("config/config.toml");
    environment.write(config, "[verification]\nmode = \"off\"\n[drift]\nmode = \"off\"\n");
    for (event, payload) in payloads(&environment) {
        let mut command = environment.command(HOOK);
        command.args(["claude", &event]);
        command.envs(variables.iter().copied());
        let output = environment.run_command(command, payload.to_string()).success();
        assert_eq!(output.to_string(), "", "{event}");
    }
    if !environment.verger_home().join("data").is_dir() {
        return vec![];
    }
    let records = Log::of(&environment).all().into_iter();
    records.map(|record| record.draft.event.kind().to_owned()).collect()
}

#[test]
fn copilots_calls_of_claudes_hooks_are_neither_recorded_nor_answered() {
    assert_eq!(recorded(&[("COPILOT_CLI", "1")]), [""; 0]);
    let another = [("COPILOT_CLI", "1"), ("CLAUDE_CODE_SESSION_ID", "another")];
    assert_eq!(recorded(&another), [""; 0]);
}

#[test]
fn a_claude_that_copilot_started_is_recorded() {
    let kinds = recorded(&[("COPILOT_CLI", "1"), ("CLAUDE_CODE_SESSION_ID", ID)]);
    let expected = [
        "session.started",
        "prompt.submitted",
        "start_tree.taken",
        "tool.requested",
        "tool.succeeded",
        "stop.requested",
        "stop.requested",
        "session.ended",
    ];
    assert_eq!(kinds, expected);
}
