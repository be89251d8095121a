//! Tests learnings that a session uses without naming them.

use std::fs;

use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::warnings;
use crate::recall::{STATS, conversation, damage_index, given, stats};

const PROMPT: &str = "The retry of save writes the row twice, make it idempotent";
const USE: &str = "The idempotency key of `save` is now made once, before the retry loop, and no \
    longer per attempt, so that the row is not doubled.";
const SUBAGENT: Speaker<'_> = Speaker::Subagent { id: "a1", agent_type: "general-purpose" };

/// A session that was given the learning `learn-retry`.
fn given_one() -> Conversation {
    let conversation = conversation();
    assert_eq!(given(&conversation.prompt(PROMPT)), ["learn-retry"]);
    conversation
}

#[track_caller]
fn stop(conversation: &Conversation, said: &str) {
    let said = ("last_assistant_message", json!(said));
    assert_eq!(conversation.call("Stop-first", &[said]), HookAnswer::default());
}

#[track_caller]
fn end(conversation: &Conversation) {
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
}

/// Reports that this speaker wrote a file.
#[track_caller]
fn wrote(conversation: &Conversation, speaker: Speaker<'_>, text: &str) {
    let input = json!({ "file_path": "/home/dev/project/src/save.rs", "content": text });
    let id = json!(conversation.next_tool_use());
    let changes = [("tool_input", input), ("tool_use_id", id)];
    let answer = conversation.call_of(speaker, "PostToolUse-Write", &changes);
    assert_eq!(answer, HookAnswer::default());
}

#[test]
fn the_last_message_shows_that_a_learning_was_used() {
    let conversation = given_one();
    stop(&conversation, "I looked at the code and will go on tomorrow.");
    assert_eq!(stats(&conversation, STATS), ["surfaced learn-retry"]);
    stop(&conversation, USE);
    let used = ["surfaced learn-retry", "referenced learn-retry"];
    assert_eq!(stats(&conversation, STATS), used);
    let log = fs::read_to_string(conversation.environment.root().join(STATS)).unwrap();
    assert_eq!(log.matches(r#""how":"implicit""#).count(), 1, "{log}");
    stop(&conversation, USE);
    end(&conversation);
    assert_eq!(stats(&conversation, STATS), used, "told once, and not dismissed");
}

#[test]
fn text_written_into_files_shows_that_a_learning_was_used() {
    for speaker in [Speaker::Main, SUBAGENT] {
        let conversation = given_one();
        wrote(&conversation, speaker, "let unrelated = 1;\n");
        wrote(&conversation, speaker, &format!("// {USE}\nlet key = key();\n"));
        stop(&conversation, "Done.");
        let expected = ["surfaced learn-retry", "referenced learn-retry"];
        assert_eq!(stats(&conversation, STATS), expected);
    }
}

#[test]
fn a_session_that_ends_without_a_stop_is_looked_at_before_anything_is_dismissed() {
    let conversation = given_one();
    let other = conversation.prompt("Now the seed script fails, are the migrations missing?");
    assert_eq!(given(&other), ["learn-seed"]);
    wrote(&conversation, Speaker::Main, USE);
    end(&conversation);
    let lines = stats(&conversation, STATS);
    assert_eq!(lines[2..], ["referenced learn-retry", "dismissed learn-seed"]);
}

#[test]
fn a_subagent_works_for_the_session() {
    let conversation = given_one();
    let said = [("last_assistant_message", json!(USE))];
    let answer = conversation.call_of(SUBAGENT, "SubagentStop-first", &said);
    assert_eq!(answer, HookAnswer::default());
    assert_eq!(stats(&conversation, STATS)[1..], ["referenced learn-retry"]);
}

#[test]
fn text_written_before_the_learning_was_given_shows_no_use() {
    let conversation = conversation();
    wrote(&conversation, Speaker::Main, USE);
    assert_eq!(given(&conversation.prompt(PROMPT)), ["learn-retry"]);
    stop(&conversation, "Done.");
    assert_eq!(stats(&conversation, STATS), ["surfaced learn-retry"]);
}

#[test]
fn whoever_was_given_nothing_is_not_looked_at_and_a_damaged_index_is_in_nobodys_way() {
    let conversation = given_one();
    damage_index(&conversation);
    stop(&conversation, USE);
    assert_eq!(stats(&conversation, STATS), ["surfaced learn-retry"]);
    let warnings_now = warnings(&conversation);
    assert!(warnings_now[0].starts_with("recall: cannot"), "{warnings_now:?}");
    let mut conversation = conversation;
    conversation.continue_as("1b6b4ad8-5e21-4d51-a4fc-5e37cb2c8d7d");
    conversation.run("ls");
    stop(&conversation, USE);
    assert_eq!(warnings(&conversation), warnings_now, "nothing was given, nothing is looked at");
}
