//! Tests sessions that were idle for a week: each has only one file, and can be continued.

use std::fs;
use std::path::Path;

use verger_engine::State;
use verger_store::{Options, ReadLog};
use verger_store_local::LocalStore;
use verger_testkit::{Conversation, HookAnswer};

use crate::gate_stage::conversation;
use crate::scene::{SESSION, key};
use crate::stage::HOOK;

const DAY: u64 = 24 * 60 * 60;

/// Runs the daily process that checks all sessions.
#[track_caller]
fn look(conversation: &Conversation) {
    let mut command = conversation.environment.command(HOOK);
    command.arg("--left-sessions").envs(conversation.next_moment());
    let output = conversation.environment.run_command(command, "").success();
    assert_eq!(output.to_string(), "");
}

/// The session's files and those in a directory with its name. Files that mark the session for
/// the index are left out.
fn files(conversation: &Conversation) -> Vec<String> {
    let data = conversation.environment.verger_home().join("data");
    let mut files = vec![];
    let mut left = vec![data.clone()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                files.push(path.strip_prefix(&data).unwrap().display().to_string());
            }
        }
    }
    files.retain(|file| file.contains(SESSION) && !file.starts_with("changed/"));
    files.sort();
    files
}

fn state(conversation: &Conversation) -> State {
    let data = conversation.environment.verger_home().join("data");
    let store = LocalStore::open(&data, Options::default()).unwrap();
    store.folded(&key(SESSION).file_stem()).unwrap()
}

/// The content hash that a reviewer gets, which depends on the task's start.
#[track_caller]
fn reviewed_hash(conversation: &Conversation, reviewer: &str) -> String {
    let told = conversation.start_subagent(reviewer, "verger:reviewer").context.unwrap();
    let (_, rest) = told.split_once("content hash ").unwrap();
    rest[..12].to_owned()
}

/// A session with an open task. One file was changed before the task, another one in it.
#[track_caller]
fn working() -> Conversation {
    let conversation = conversation();
    conversation
        .environment
        .write(Path::new("home/project/begun.rs"), "fn begun() {}\nfn b() {}\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(conversation.stop().word(), "block");
    conversation
}

#[test]
fn an_idle_session_is_one_file_and_goes_on_from_the_same_start() {
    let conversation = working();
    let before = reviewed_hash(&conversation, "r1");
    conversation.pass_seconds(6 * DAY);
    look(&conversation);
    assert!(files(&conversation).len() > 3, "{:?}", files(&conversation));

    conversation.pass_seconds(2 * DAY);
    let state_before = state(&conversation);
    look(&conversation);
    assert_eq!(files(&conversation), [format!("log/41/claude-{SESSION}.jsonl")]);
    let mut state_after = state(&conversation);
    assert_eq!(state_after.session.events, state_before.session.events + 1);
    state_after.session.events = state_before.session.events;
    assert_eq!(state_after, state_before);

    look(&conversation);
    assert_eq!(files(&conversation).len(), 1, "a packed session is left alone");
    assert_eq!(reviewed_hash(&conversation, "r2"), before);
    assert_eq!(conversation.stop().word(), "block");
    conversation.write("parser.rs", "fn parse() -> u8 { 1 }\n");
    assert_ne!(reviewed_hash(&conversation, "r3"), before);
}

#[test]
fn a_start_that_cannot_be_moved_into_the_log_keeps_its_directory() {
    let conversation = conversation();
    let path = Path::new("home/project/ghp_012345678901234567890123456789abcdef/begun.rs");
    conversation.environment.write(path, "fn begun() {}\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    let before = reviewed_hash(&conversation, "r1");
    conversation.pass_seconds(8 * DAY);
    let kept = files(&conversation);
    look(&conversation);
    assert_eq!(files(&conversation), kept);
    assert_eq!(reviewed_hash(&conversation, "r2"), before);
}
