//! Tests invalid command lines, working directories and home directories.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use verger_testkit::{Output, TestEnvironment, captured, changed};

use crate::log::Log;
use crate::scene::{SESSION, Scene, key};
use crate::stage::HOOK;

/// Starts a session in `cwd`, and continues another session in `cwd` that started elsewhere.
#[track_caller]
fn check_directory(cwd: &str) {
    let scene = Scene::new();
    let start = changed("SessionStart-startup", &[("cwd", json!(cwd)), ("session_id", json!("s"))]);
    // The hook starts git and stops it after git's time limit.
    let limit = Duration::from_secs(1);
    scene.call_within(limit, &["claude", "SessionStart"], start);
    let prompt = changed("UserPromptSubmit", &[("cwd", json!(cwd)), ("session_id", json!("s"))]);
    scene.call_within(limit, &["claude", "UserPromptSubmit"], prompt);
    assert_eq!(scene.news(), ["session.started", "prompt.submitted"]);
    for record in scene.log().records(&key("s")) {
        assert_eq!(record.draft.origin.circumstance.cwd.as_deref(), Some(cwd));
        // A relative directory has no project, because only the agent knows its base.
        let is_placed = record.draft.origin.project.is_some();
        assert_eq!(is_placed, Path::new(cwd).is_absolute(), "{cwd}");
    }
}

#[test]
fn any_working_directory_will_do() {
    let environment = TestEnvironment::new();
    let file = environment.write("a-file", "");
    let unreadable = environment.project().join("unreadable");
    fs::create_dir(&unreadable).unwrap();
    fs::set_permissions(&unreadable, Permissions::from_mode(0o000)).unwrap();
    let spaced = environment.project().join("two\nlines and \u{1b}[31m");
    fs::create_dir(&spaced).unwrap();
    for cwd in [
        "/nonexistent/place",
        "two\nlines",
        "",
        ".",
        "relative/../..",
        "/proc/self/fd",
        "--upload-pack=touch made",
        &file.display().to_string(),
        &unreadable.display().to_string(),
        &spaced.display().to_string(),
    ] {
        check_directory(cwd);
    }
}

#[test]
fn a_working_directory_of_any_length_is_cut_in_the_record() {
    let scene = Scene::new();
    let long = "/long".repeat(2_000);
    let start =
        changed("SessionStart-startup", &[("cwd", json!(long)), ("session_id", json!("s"))]);
    scene.call("SessionStart", start);
    assert_eq!(scene.news(), ["session.started"]);
    let recorded = scene.log().records(&key("s")).remove(0).draft.origin.circumstance.cwd.unwrap();
    assert_eq!(recorded[..4_000], long[..4_000]);
    assert!(recorded.len() <= 4_096 + "[cut]".len(), "{}", recorded.len());
}

#[test]
fn an_unknown_agent_is_warned_about_once_its_name_is_a_name() {
    let scene = Scene::new();
    let payload = captured("PreToolUse-Bash").to_string();
    scene.call_within(Duration::ZERO, &["nobody", "PreToolUse"], &*payload);
    let unknown = "warning: hook PreToolUse: unknown agent \"nobody\"; `verger-hook` knows: claude, \
                   codex, gemini, copilot";
    assert_eq!(scene.news(), [unknown]);
    scene.call_within(Duration::ZERO, &["../../nobody", "PreToolUse"], &*payload);
    assert_eq!(scene.news(), [unknown]);
}

#[test]
fn an_unknown_event_is_passed_over() {
    let scene = Scene::new();
    for event in ["SomethingNew", "", "pretooluse", "../PreToolUse"] {
        scene.call(event, captured("PreToolUse-Bash").to_string());
    }
    assert_eq!(scene.news(), Vec::<String>::new());
}

#[test]
fn further_arguments_are_passed_over() {
    let scene = Scene::new();
    let payload = changed("PreToolUse-Bash", &[("tool_use_id", json!("toolu_new"))]);
    scene.call_within(Duration::ZERO, &["claude", "PreToolUse", "--later", "x"], payload);
    assert_eq!(scene.news(), ["tool.requested"]);
}

#[test]
fn a_call_without_an_agent_and_an_event_tells_the_person_how_it_is_used() {
    let scene = Scene::new();
    for arguments in [&[][..], &["claude"], &["--help"], &["--agent", "claude"]] {
        let usage = "usage: verger-hook AGENT EVENT < payload.json\n\
            Agents start this program on their events; see `verger --help` for what people run.\n";
        let expected = Output { stdout: String::new(), stderr: usage.into(), code: 0 };
        assert_eq!(scene.environment.run(HOOK, arguments, ""), expected);
    }
    assert_eq!(scene.news(), Vec::<String>::new());
}

#[test]
fn without_a_home_nothing_is_written() {
    for home in [None, Some("/dev/null"), Some("relative"), Some(""), Some("/nonexistent/home")] {
        let mut scene = Scene::new();
        scene.environment.unset("VERGER_HOME");
        scene.environment.unset("HOME");
        if let Some(home) = home {
            scene.set("HOME", home);
        }
        scene.call("PreToolUse", captured("PreToolUse-Bash").to_string());
        assert_eq!(scene.news(), Vec::<String>::new(), "{home:?}");
    }
}

#[test]
fn without_its_own_variable_the_log_is_below_the_home() {
    let mut environment = TestEnvironment::new();
    environment.unset("VERGER_HOME");
    let payload = captured("PreToolUse-Bash").to_string();
    let output = environment.run(HOOK, ["claude", "PreToolUse"], payload);
    assert_eq!(output.success().to_string(), "");
    let log = Log::in_directory(&environment.home().join(".local/share/verger"));
    assert_eq!(log.records(&key(SESSION)).len(), 1);
}

#[test]
fn a_path_without_git_is_no_failure() {
    let mut scene = Scene::new();
    scene.set("PATH", "/nonexistent");
    let cwd = scene.environment.project().display().to_string();
    let start = changed("SessionStart-startup", &[("cwd", json!(cwd)), ("session_id", json!("s"))]);
    scene.call("SessionStart", start);
    assert_eq!(scene.news(), ["session.started"]);
    assert!(scene.log().records(&key("s"))[0].draft.origin.project.is_some());
}
