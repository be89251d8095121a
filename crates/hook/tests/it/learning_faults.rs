//! Tests faults around the learning gate. If verger's state is broken, the agent is released and
//! the person is told. A mistake of the agent releases nothing.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use verger_testkit::{Conversation, HookAnswer};

use crate::gate_stage::{warnings, without_store};
use crate::learning_stage::{in_session_mode, phases, run, stops, ticketed};
use crate::scene::SESSION;

/// A session that owes a reflection: its ticket is closed after many changes.
#[track_caller]
fn owing() -> Conversation {
    let (conversation, _) = ticketed();
    conversation.write("parser.rs", &"line\n".repeat(50));
    run(&conversation, "bd close bd-1");
    conversation
}

/// Checks that no reflection or skip was recorded.
#[track_caller]
fn check_unanswered(conversation: &Conversation) {
    let answered = |line: &String| line.starts_with("reflected") || line.starts_with("skipped");
    assert!(!phases(conversation).iter().any(answered));
}

#[test]
fn a_store_that_cannot_be_used_lets_the_agent_go_and_forgets_nothing() {
    let conversation = owing();
    assert_eq!(conversation.stop().word(), "block");
    without_store(&conversation, || {
        let answer = conversation.stop();
        assert_eq!(answer.word(), "silence");
        let notice = conversation.environment.normalise(&answer.notice.unwrap());
        assert_snapshot!(notice, @"
        verger could not check this stop, so no gate ran: use $ENV/home/.verger/data: it is not a directory
        `verger doctor` shows what to do
        ");
    });
    assert!(conversation.stop().notice.unwrap().contains("refusal 2 of 3"));
    check_unanswered(&conversation);
}

#[test]
fn a_state_that_cannot_be_read_is_folded_from_the_log_again() {
    let conversation = owing();
    // Snapshots are written only every few calls.
    for _ in 0..10 {
        run(&conversation, "ls");
    }
    let path = format!("data/sessions/claude-{SESSION}.json");
    let snapshot = conversation.environment.verger_home().join(path);
    assert!(snapshot.exists());
    fs::write(snapshot, "{").unwrap();
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_change_that_cannot_be_counted_is_not_small_and_no_reason_to_ask_a_session() {
    let conversation = owing();
    conversation.run("mv .git .gone");
    assert_eq!(stops(&conversation, 4), "block block block silence");
    assert_snapshot!(warnings(&conversation)[0], @r#"learning gate: cannot look at the working tree: git says "fatal: not a git repository (or any of the parent directories): .git""#);
    check_unanswered(&conversation);
    let conversation = in_session_mode("");
    conversation.write("a.rs", &"line\n".repeat(50));
    conversation.run("mv .git .gone");
    assert_eq!(conversation.stop().word(), "silence");
    assert_snapshot!(warnings(&conversation)[0], @r#"learning gate: cannot look at the working tree: git says "fatal: not a git repository (or any of the parent directories): .git""#);
}

#[test]
fn a_missing_start_tree_is_a_warning() {
    let conversation = owing();
    fs::remove_dir_all(conversation.environment.verger_home().join("data/trees")).unwrap();
    assert_eq!(conversation.stop().word(), "block");
    assert_snapshot!(warnings(&conversation)[0], @"learning gate: the start of the task is no longer recorded");
}

#[test]
fn a_configuration_that_cannot_be_read_leaves_the_gate_as_it_is_by_default() {
    let conversation = owing();
    conversation.configure("[learning\nmode = 'off'");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_command_that_reflects_and_fails_opens_nothing() {
    let conversation = owing();
    let line = "verger reflect --session x <<'END'\nnot a reflection\nEND";
    let id = conversation.next_tool_use();
    let answer = conversation.bash(verger_testkit::Speaker::Main, line);
    assert_ne!(answer.word(), "deny");
    let failed = [
        ("tool_use_id", json!(id)),
        ("tool_input", json!({ "command": line })),
        ("error", json!("Exit code 1\nnothing can be taken")),
    ];
    let answer = conversation.call("PostToolUseFailure-Bash", &failed);
    assert_eq!(answer, HookAnswer::default());
    assert_eq!(stops(&conversation, 4), "block block block silence");
    check_unanswered(&conversation);
}
