//! Tests that no value of a payload is lost by mistake. Each value of every captured payload is
//! changed in turn. The decoded event must change too, unless the value is in a list of
//! exceptions.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use verger_agent::{CLAUDE, Malformed};

use crate::fixture::{Fixture, claude};

struct Omission {
    path: &'static str,
    holds_for: fn(&Fixture) -> bool,
    because: &'static str,
}

const OMISSIONS: &[Omission] = &[
    Omission {
        path: "transcript_path",
        holds_for: |fixture| fixture.event_name() != "SessionStart",
        because: "it stays what it was when the session started",
    },
    Omission {
        path: "turn_id",
        holds_for: |fixture| fixture.event_name() == "MessageDisplay",
        because: "the prompt's id says which turn it is",
    },
    Omission {
        path: "final",
        holds_for: |fixture| fixture.event_name() == "MessageDisplay",
        because: "pieces of messages are not put together",
    },
    Omission {
        path: "expansion_type",
        holds_for: |fixture| fixture.event_name() == "UserPromptExpansion",
        because: "only slash commands were ever seen to be expanded",
    },
    Omission { path: "agent_transcript_path", holds_for: is_fork, because: IT_IS_NO_SUBAGENT },
    Omission { path: "stop_hook_active", holds_for: is_fork, because: IT_IS_NO_SUBAGENT },
    Omission { path: "background_tasks", holds_for: is_fork, because: IT_IS_NO_SUBAGENT },
    Omission { path: "session_crons", holds_for: is_fork, because: IT_IS_NO_SUBAGENT },
];

const IT_IS_NO_SUBAGENT: &str = "the fork that summarises does not work on anything";

fn is_fork(fixture: &Fixture) -> bool {
    fixture.name.ends_with("compaction_fork")
}

#[test]
fn every_value_of_a_payload_is_decoded_or_deliberately_left_out() {
    let mut used = BTreeSet::new();
    for fixture in claude() {
        let payload = fixture.json();
        let whole = fixture.observed();
        for pointer in leaves(&payload) {
            let path = readable(&pointer);
            let at = format!("{} {path}", fixture.name);
            let mut changed = payload.clone();
            let leaf = changed.pointer_mut(&pointer).unwrap();
            *leaf = other_than(leaf);
            let text = leaf.as_str().map(str::to_owned);
            let observed = (CLAUDE.decode)(fixture.event_name(), changed.to_string().as_bytes());
            if path == "hook_event_name" {
                let Err(Malformed::EventMismatch { event, found }) = observed else {
                    panic!("{at}: {observed:?}");
                };
                assert_eq!((event, Some(found)), (fixture.event_name(), text));
                continue;
            }
            let observed = observed.unwrap().unwrap();
            let omission = OMISSIONS
                .iter()
                .position(|omission| omission.path == path && (omission.holds_for)(&fixture));
            if let Some(omission) = omission {
                let because = OMISSIONS[omission].because;
                assert_eq!(observed, whole, "{at} is not left out, though {because}");
                used.insert(omission);
            } else {
                assert_ne!(observed, whole, "{at} is lost");
                let debug = format!("{observed:?}");
                assert!(text.is_none_or(|text| debug.contains(&text)), "{at} is lost: {debug}");
            }
        }
    }
    assert_eq!(used.len(), OMISSIONS.len(), "an omission that no payload needs: {used:?}");
}

/// JSON pointers to all values that contain no other values.
fn leaves(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (escaped(key), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
        }
        _ => Vec::new(),
    };
    if children.is_empty() {
        return vec![String::new()];
    }
    children
        .iter()
        .flat_map(|(key, child)| leaves(child).into_iter().map(move |rest| format!("/{key}{rest}")))
        .collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn readable(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        if step.bytes().all(|b| b.is_ascii_digit()) {
            path.push_str("[]");
        } else {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(step);
        }
    }
    path
}

/// A different value of the same type.
fn other_than(leaf: &Value) -> Value {
    match leaf {
        Value::Null | Value::String(_) => json!("quite another text"),
        Value::Bool(it) => json!(!it),
        Value::Number(it) => json!(it.as_u64().unwrap() + 1),
        Value::Array(_) => json!([{ "id": "b1", "type": "shell", "status": "running" }]),
        Value::Object(_) => json!({ "another": 1 }),
    }
}
