//! Tests that the hook writes no secret from its input to disk or to its output.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use verger_testkit::{TestEnvironment, captured_payloads, changed};

use crate::stage::HOOK;

/// Fake secrets, each in the format of its provider. They are put together at run time, so that
/// scanners don't report this file.
fn canaries() -> Vec<(&'static str, String)> {
    let body = "Qx7Zr2Lm9Tb4Vn8Ks3Wd6Hy1Pf5Jg0Ca";
    vec![
        ("ANTHROPIC_API_KEY", format!("sk-{}-api03-{body}{body}", "ant")),
        ("OPENAI_API_KEY", format!("sk-{}-{body}", "proj")),
        ("GITHUB_TOKEN", format!("gh{}_{body}abcd", 'p')),
        ("AWS_ACCESS_KEY_ID", format!("AK{}7QZRLMTBVNKSWDHY", "IA")),
        ("SLACK_BOT_TOKEN", format!("xo{}b-123456789012-123456789012-{}", 'x', &body[..24])),
        ("NPM_TOKEN", format!("np{}_{body}1234", 'm')),
        ("DATABASE_PASSWORD", format!("hunter-{body}")),
    ]
}

#[test]
fn no_secret_is_written_whether_it_comes_in_the_environment_or_in_a_payload() {
    let mut environment = TestEnvironment::with_repository();
    let canaries = canaries();
    for (name, value) in &canaries {
        environment.set(*name, value);
    }
    let lines: Vec<_> =
        canaries.iter().map(|(name, value)| format!("export {name}={value}\n")).collect();
    let text = lines.concat();
    for (event, payload) in captured_payloads() {
        let mut payload: Value = serde_json::from_str(&payload).unwrap();
        plant(&mut payload, &text);
        let output = environment.run(HOOK, ["claude", &event], payload.to_string());
        // The answer warns about a stop that is the session's first record.
        let no_record = "nothing of this session was recorded before this stop";
        let lacks_records = event == "Stop" && output.stdout.contains(no_record);
        assert!(output.success().to_string().is_empty() || lacks_records, "{event}");
    }
    for (name, value) in &canaries {
        let cwd = format!("/srv/{name}={value}/project");
        let mut changes = vec![("cwd", json!(cwd))];
        // A password is recognized only by the name beside it.
        if *name != "DATABASE_PASSWORD" {
            let texts = ["session_id", "prompt_id", "agent_id", "agent_type", "permission_mode"];
            changes.extend(texts.map(|text| (text, json!(value))));
        }
        let start = changed("SessionStart-startup", &changes);
        assert_eq!(
            environment.run(HOOK, ["claude", "SessionStart"], start).success().to_string(),
            ""
        );
        if *name == "DATABASE_PASSWORD" {
            continue;
        }
        // A payload that can't be parsed is stored as text, with its secrets redacted.
        for broken in
            [format!("{{\"session_id\": {value}"), format!("[\"{value}\"]"), value.clone()]
        {
            let output = environment.run(HOOK, ["claude", "Stop"], broken);
            assert_eq!(output.success().to_string(), "");
        }
    }
    let mut hits = Vec::new();
    let bytes = search(&environment.verger_home(), &canaries, &mut hits);
    assert!(bytes > 10_000, "there is something to search: {bytes}");
    assert_eq!(hits, Vec::<String>::new());
}

#[test]
fn a_session_id_that_is_a_secret_is_not_the_name_of_a_file() {
    let environment = TestEnvironment::new();
    // A lower-case secret, as it may be in a file name.
    let canary = format!("sk-{}-oat01-qx7zr2lm9tb4vn8ks3wd6hy1pf5jg0ca", "ant");
    let start = changed("SessionStart-startup", &[("session_id", json!(canary))]);
    let output = environment.run(HOOK, ["claude", "SessionStart"], start);
    assert_eq!(output.success().to_string(), "");
    let mut hits = Vec::new();
    search(&environment.verger_home(), &[("session", canary)], &mut hits);
    assert_eq!(hits, Vec::<String>::new());
}

/// Appends `text` to every text in the payload that a person or a tool may have written.
fn plant(value: &mut Value, text: &str) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let is_name = [
                    "session_id",
                    "hook_event_name",
                    "prompt_id",
                    "tool_use_id",
                    "agent_id",
                    "task_id",
                ];
                if !is_name.contains(&name.as_str()) {
                    plant(field, text);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| plant(item, text)),
        Value::String(string) => {
            string.push('\n');
            string.push_str(text);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Searches all files and file names for all fake secrets. Returns the number of bytes searched.
fn search(path: &Path, canaries: &[(&str, String)], hits: &mut Vec<String>) -> usize {
    let bytes = match fs::read_dir(path) {
        Ok(entries) => {
            return entries.map(|entry| search(&entry.unwrap().path(), canaries, hits)).sum();
        }
        Err(_) => fs::read(path).unwrap(),
    };
    for (name, value) in canaries {
        let file_name = path.to_string_lossy();
        let is_in =
            |bytes: &[u8]| bytes.windows(value.len()).any(|window| window == value.as_bytes());
        if is_in(&bytes) || is_in(file_name.as_bytes()) {
            hits.push(format!("{name} in {file_name}"));
        }
    }
    bytes.len()
}
