//! Helpers: conversations with the learning gate.

use serde_json::json;
use verger_event::Event;
use verger_gate::learning::{Input, Learning, Policy, Reflection, events, step};
use verger_store::{Options, Sessions, Turn};
use verger_store_local::LocalStore;
use verger_testkit::{Conversation, HookAnswer, Speaker, StandIn, TestEnvironment, captured};

use crate::log::Log;
use crate::stage::HOOK;

/// A session in a repository whose ticket `bd-1` is in progress, and a fake `bd` program.
#[track_caller]
pub(crate) fn ticketed() -> (Conversation, StandIn) {
    let mut environment = TestEnvironment::with_repository();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "in_progress", "Fix the parser", "It fails on empty files.");
    let conversation = Conversation::begin(environment, &[HOOK]);
    assert_eq!(conversation.prompt("do bd-1"), HookAnswer::default());
    (conversation, beads)
}

/// A session in a repository without a ticket system, with additional configuration.
#[track_caller]
pub(crate) fn in_session_mode(more: &str) -> Conversation {
    let conversation = Conversation::begin(TestEnvironment::with_repository(), &[HOOK]);
    conversation.configure(format!("[tickets]\nsession = true\n{more}"));
    assert_eq!(conversation.prompt("change it"), HookAnswer::default());
    conversation
}

/// Reports that the main agent ran a command line successfully. Checks that the hook doesn't
/// answer.
#[track_caller]
pub(crate) fn run(conversation: &Conversation, line: &str) {
    end(conversation, Speaker::Main, line, "PostToolUse-Bash", &[]);
}

/// Reports that the main agent ran a command line that failed.
#[track_caller]
pub(crate) fn fail(conversation: &Conversation, line: &str) {
    let error = ("error", json!("Exit code 1\nno such ticket"));
    end(conversation, Speaker::Main, line, "PostToolUseFailure-Bash", &[error]);
}

/// Reports the request and the end of a command line, and the end of its batch.
#[track_caller]
pub(crate) fn end(
    conversation: &Conversation,
    speaker: Speaker<'_>,
    line: &str,
    ending: &str,
    more: &[(&str, serde_json::Value)],
) {
    let id = conversation.next_tool_use();
    assert_eq!(conversation.bash(speaker, line), HookAnswer::default(), "{line}");
    let input = json!({ "command": line, "description": "x" });
    let mut changes = vec![("tool_input", input.clone()), ("tool_use_id", json!(id))];
    changes.extend(more.iter().cloned());
    assert_eq!(conversation.call_of(speaker, ending, &changes), HookAnswer::default(), "{line}");
    end_batch(conversation, &id, &input);
}

/// Reports the end of a batch.
#[track_caller]
pub(crate) fn end_batch(conversation: &Conversation, id: &str, input: &serde_json::Value) {
    let mut calls = captured("PostToolBatch")["tool_calls"].clone();
    calls[0]["tool_input"] = input.clone();
    calls[0]["tool_use_id"] = json!(id);
    let answer = conversation.call("PostToolBatch", &[("tool_calls", calls)]);
    assert_eq!(answer, HookAnswer::default());
}

/// Records a reflection, as `verger reflect` does.
#[track_caller]
pub(crate) fn reflect(conversation: &Conversation) {
    let data = conversation.environment.verger_home().join("data");
    let store = LocalStore::open(&data, Options::default()).unwrap();
    let log = Log::of(&conversation.environment);
    let key = log.sessions().remove(0);
    let last = log.records(&key).pop().unwrap();
    let turn = store.open::<verger_engine::State>(&key).unwrap();
    let before: Learning = turn.state().learning.clone();
    let input = Input::Reflection(Reflection::Taken { kept: 1, rejected: 0 });
    let at = last.draft.at;
    let step = step(&before, &input, &Policy::default(), at);
    let drafts = events(&before, &step, at).into_iter().zip(1..).map(|(event, number)| {
        let mut draft = last.draft.clone();
        draft.id = verger_event::EventId::new(at, 900_000 + number);
        draft.event = event;
        draft
    });
    turn.commit(drafts.collect()).unwrap();
}

/// The gate's phase after each of its changes.
#[track_caller]
pub(crate) fn phases(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let changes = records.filter_map(|record| match record.draft.event {
        Event::GateChanged { gate, to, cause, .. } if gate == "learning" => {
            Some(format!("{to}: {cause}"))
        }
        _ => None,
    });
    changes.collect()
}

/// The observed changes of tickets.
#[track_caller]
pub(crate) fn tickets(conversation: &Conversation) -> Vec<String> {
    let records = Log::of(&conversation.environment).all().into_iter();
    let seen = records.filter_map(|record| match record.draft.event {
        Event::TicketSeen { system, ticket, change, title, .. } => {
            Some(format!("{system} {ticket} {change:?} {}", title.unwrap_or_default()))
        }
        _ => None,
    });
    seen.map(|line| line.trim_end().to_owned()).collect()
}

/// The answers to several stops.
#[track_caller]
pub(crate) fn stops(conversation: &Conversation, count: usize) -> String {
    let words: Vec<_> = (0..count).map(|_| conversation.stop().word().to_owned()).collect();
    words.join(" ")
}
