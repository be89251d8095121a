//! Tests of `cargo xtask capture` with the real client.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use verger_agent::CLAUDE;
use verger_testkit::{TestEnvironment, Version, in_each_version};

in_each_version! {
    captured_payloads_are_decoded_and_entered_in_the_index
}

#[expect(clippy::disallowed_methods, reason = "the test starts the chore")]
fn capture(version: &str, out: &Path, scenario: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verger-chores"));
    command.args(["capture", "--client-version", version, "--notes", "a test", "--out"]);
    let output = command.arg(out).arg(scenario).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn captured_payloads_are_decoded_and_entered_in_the_index(version: Version) {
    let environment = TestEnvironment::new();
    let out = environment.root().join("captured");
    let (code, printed, said) = capture(version.as_str(), &out, "subagent");
    assert_eq!(code, Some(0), "{printed}\n{said}");

    let index = environment.read(out.join("captured.jsonl"));
    let mut names = BTreeSet::new();
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let name = entry["fixture"].as_str().unwrap();
        let told = [&entry["client"], &entry["scenario"], &entry["notes"]];
        assert_eq!(told, [version.as_str(), "subagent", "a test"]);
        let text = environment.read(out.join(format!("{name}.json")));
        assert!(!text.contains(&environment.root().parent().unwrap().display().to_string()[1..]));
        let event = name.split('-').next().unwrap();
        let observed = (CLAUDE.decode)(event, text.as_bytes()).unwrap().unwrap();
        assert_eq!(observed.circumstance.cwd.as_deref(), Some("/home/dev/project"), "{name}");
        names.insert(name.to_owned());
    }
    let expected = [
        "MessageDisplay",
        "PostToolBatch",
        "PostToolBatch-in_subagent",
        "PostToolUse-Agent",
        "PostToolUse-Bash-in_subagent",
        "PreToolUse-Agent",
        "PreToolUse-Bash-in_subagent",
        "SessionEnd-other",
        "SessionStart-startup",
        "Stop-first",
        "SubagentStart",
        "SubagentStop-first",
        "UserPromptSubmit",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());
    let files = fs::read_dir(&out).unwrap().count();
    assert_eq!(files, expected.len() + 1, "every file is in the index");
    assert!(printed.contains("\n  SessionStart-startup: as in "), "{printed}");
}

#[test]
fn failed_captures_are_reported() {
    let environment = TestEnvironment::new();
    let out = environment.root().join("captured");
    let (code, _, said) = capture("0.0.1", &out, "plain");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "\nerror: Claude Code 0.0.1 is not installed for the tests\n help: `cargo xtask test` \
         installs the versions that the tests know; `--client PATH` names the program of any \
         other\n"
    );
    let (code, _, said) = capture("2.1.325", &out, "nonsense");
    assert_eq!(code, Some(2));
    assert!(said.contains("there are plain, failing-tool, "), "{said}");
    assert!(!out.exists());
}
