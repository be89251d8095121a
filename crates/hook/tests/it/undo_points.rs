//! Tests that files are saved before a call that may destroy them, in every mode of the guard.

use std::fs;

use serde_json::json;
use verger_event::{Event, ToolCall, UndoPointAge};
use verger_gate::permission::release;
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::gate_stage::without_store;
use crate::guarded_calls::{ENFORCE, begun};
use crate::log::Log;
use crate::stage::HOOK;

pub(crate) const DESTRUCTIVE: &str = "git reset --hard";
pub(crate) const RISKY: &str = "echo x > .git/hooks/pre-commit";

/// Runs git in the project and returns its output.
#[track_caller]
pub(crate) fn git(conversation: &Conversation, arguments: &[&str]) -> String {
    conversation.environment.run("git", arguments, "").success().stdout
}

/// The references of the repository's undo points, the oldest first.
#[track_caller]
pub(crate) fn references(conversation: &Conversation) -> Vec<String> {
    let listed = git(conversation, &["for-each-ref", "--format=%(refname)", "refs/verger/"]);
    listed.lines().map(str::to_owned).collect()
}

/// The log's events about undo points, as lines: the reference and the age, or the reason why
/// there is no undo point.
#[track_caller]
pub(crate) fn kept(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all();
    let calls: Vec<_> = records
        .iter()
        .filter(|record| {
            matches!(record.draft.event, Event::ToolRequested(_) | Event::PermissionAsked { .. })
        })
        .map(|record| record.draft.id)
        .collect();
    let kept = records.into_iter().filter_map(|record| match record.draft.event {
        Event::UndoPointTaken { on, point, kept_at, age, left_out, .. } => {
            assert!(calls.contains(&on));
            assert!(kept_at.ends_with(&point.to_string()), "{kept_at}");
            let place = kept_at.replace(&point.to_string(), "ID");
            let age = if age == UndoPointAge::New { "new" } else { "earlier" };
            Some(format!("{age} {place} {}", left_out.join(", ")).trim_end().to_owned())
        }
        Event::UndoPointFailed { on, why } => {
            assert!(calls.contains(&on));
            Some(format!("none: {why}"))
        }
        _ => None,
    });
    kept.map(|line| conversation.environment.normalise(&line)).collect()
}

const NEW: &str = "new refs/verger/undo/ID";
const EARLIER: &str = "earlier refs/verger/undo/ID";

#[test]
fn in_every_mode_what_will_run_or_be_asked_is_saved_first() {
    for (configuration, line, word) in [
        ("[guard]\nmode = \"off\"\n", DESTRUCTIVE, "silence"),
        ("[guard]\nmode = \"off\"\n", RISKY, "silence"),
        ("", DESTRUCTIVE, "silence"),
        ("", RISKY, "silence"),
        (ENFORCE, RISKY, "ask"),
    ] {
        let conversation = begun(configuration);
        conversation.write("work.txt", "hours of work\n");
        conversation.environment.write(".env", "TOKEN=x\n");
        let answer = conversation.bash(Speaker::Main, line);
        assert_eq!((answer.word(), &answer.notice), (word, &None), "{configuration} {line}");
        assert_eq!(kept(&conversation), [format!("{NEW} .env (may hold credentials)")]);
        let [reference] = &references(&conversation)[..] else { panic!("{configuration}") };
        let saved = git(&conversation, &["show", &format!("{reference}:work.txt")]);
        assert_eq!(saved, "hours of work\n");
        assert_eq!(git(&conversation, &["status", "--short"]), "?? .env\n?? work.txt\n");
    }
}

#[test]
fn denied_and_harmless_calls_make_no_undo_point() {
    let conversation = begun(ENFORCE);
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE).word(), "deny");
    assert_eq!(conversation.bash(Speaker::Main, "ls").word(), "allow");
    assert_eq!(conversation.bash(Speaker::Main, "some-program").word(), "silence");
    let env = json!({ "file_path": ".env" });
    assert_eq!(conversation.tool(Speaker::Main, "Read", &env).word(), "ask");
    assert_eq!(kept(&conversation), Vec::<String>::new());
    conversation.configure("[undo]\nenabled = false\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    assert_eq!(references(&conversation), Vec::<String>::new());
}

#[test]
fn a_tool_that_writes_is_saved_before_too() {
    let conversation = begun("");
    conversation.write("work.txt", "hours of work\n");
    let hook = json!({ "file_path": ".git/hooks/pre-commit", "content": "x" });
    assert_eq!(conversation.tool(Speaker::Main, "Write", &hook), HookAnswer::default());
    assert_eq!(kept(&conversation), [NEW]);
}

#[test]
fn the_same_tree_is_saved_once_and_every_call_knows_its_point() {
    let conversation = begun("");
    conversation.write("work.txt", "hours of work\n");
    for _ in 0..2 {
        assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    }
    conversation.write("work.txt", "more work\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    assert_eq!(kept(&conversation), [NEW, EARLIER, NEW]);
    assert_eq!(references(&conversation).len(), 2);
}

#[test]
fn the_dialog_that_follows_is_covered_by_the_same_point() {
    let conversation = begun(ENFORCE);
    conversation.write("work.txt", "hours of work\n");
    assert_eq!(conversation.bash(Speaker::Main, RISKY).word(), "ask");
    let dialog = json!({
        "session_id": conversation.session(), "cwd": conversation.environment.project(),
        "permission_mode": "default", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": { "command": RISKY },
    });
    let answer = conversation.send("PermissionRequest", dialog.to_string());
    assert_eq!(answer, HookAnswer::default());
    assert_eq!(kept(&conversation), [NEW, EARLIER]);
}

#[test]
fn a_point_is_taken_although_nothing_can_be_recorded() {
    let conversation = begun("");
    conversation.write("work.txt", "hours of work\n");
    without_store(&conversation, || {
        assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    });
    assert_eq!(references(&conversation).len(), 1);
    conversation.configure("[record]\nenabled = false\n");
    conversation.environment.write("work.txt", "more work\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    assert_eq!(references(&conversation).len(), 2);
}

#[test]
fn without_a_home_a_point_is_taken_all_the_same() {
    let environment = TestEnvironment::with_repository();
    environment.write("work.txt", "hours of work\n");
    let mut command = environment.command(HOOK);
    command.args(["claude", "PreToolUse"]).env_remove("VERGER_HOME").env_remove("HOME");
    let payload = json!({
        "session_id": "s", "tool_name": "Bash", "permission_mode": "default",
        "cwd": environment.project(), "tool_input": { "command": DESTRUCTIVE },
    });
    let output = environment.run_command(command, payload.to_string()).success();
    assert_eq!(output.stdout, "");
    let listed = environment.run("git", ["for-each-ref", "refs/verger/"], "").success().stdout;
    assert_eq!(listed.lines().count(), 1);
}

#[test]
fn released_calls_are_saved_before_they_run() {
    let conversation = begun(ENFORCE);
    conversation.write("work.txt", "hours of work\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE).word(), "deny");
    release_call(&conversation, DESTRUCTIVE);
    assert_eq!(kept(&conversation), Vec::<String>::new());
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE).word(), "allow");
    assert_eq!(kept(&conversation), [NEW]);
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE).word(), "deny");
    assert_eq!(kept(&conversation), [NEW]);
}

#[track_caller]
pub(crate) fn release_call(conversation: &Conversation, line: &str) {
    let log = Log::of(&conversation.environment);
    let record = log.all().pop().unwrap();
    let call = ToolCall::shell(line);
    log.append(&record, release::released(&call, record.draft.at));
}

#[test]
fn the_record_outlives_the_session() {
    let conversation = begun("");
    conversation.write("work.txt", "hours of work\n");
    assert_eq!(conversation.bash(Speaker::Main, DESTRUCTIVE), HookAnswer::default());
    let projects = conversation.environment.verger_home().join("data/projects");
    let segment = fs::read_dir(projects).unwrap().next().unwrap().unwrap().path();
    let durable = fs::read_to_string(segment).unwrap();
    assert_eq!(durable.matches("\"kind\":\"undo_point.taken\"").count(), 1);
}

#[test]
fn other_trees_that_a_line_works_in_are_saved_too() {
    let conversation = begun("");
    let other = conversation.environment.home().join("other");
    fs::create_dir(&other).unwrap();
    for arguments in [&["init", "--quiet"][..], &["commit", "--quiet", "--allow-empty", "-m", "x"]]
    {
        let mut command = conversation.environment.command("git");
        command.args(arguments).current_dir(&other);
        assert!(conversation.environment.run_command(command, "").success().stderr.is_empty());
    }
    conversation.environment.write(other.join("work.txt"), "elsewhere\n");
    let line = "GIT_DIR=../other/.git GIT_WORK_TREE=../other git reset --hard";
    assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default());
    assert_eq!(kept(&conversation), [NEW, NEW]);
    conversation.environment.write(conversation.environment.home().join("loose"), "loose\n");
    let line = "cd ../other && git reset --hard; git -C ~/other clean -fd; rm -rf ~/loose";
    assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default());
    let copied = "new $ENV/home/.verger/data/undo/ID";
    assert_eq!(kept(&conversation), [NEW, NEW, EARLIER, EARLIER, copied]);
    let mut command = conversation.environment.command("git");
    command.args(["for-each-ref", "refs/verger/"]).current_dir(&other);
    let listed = conversation.environment.run_command(command, "").success().stdout;
    assert_eq!(listed.lines().count(), 1);
}
