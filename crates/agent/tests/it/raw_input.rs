//! Tests that a client gets its own input back, although verger stores the input in its own
//! types.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use verger_agent::{CLAUDE, CODEX};
use verger_event::{Event, ToolCall, stored};

use crate::fixture::{fixtures_in, folders};

type Read = fn(Option<verger_event::ToolUseId>, String, Value) -> ToolCall;
type Write = fn(&ToolCall) -> Value;

const CLIENTS: &[(&str, Read, Write)] =
    &[("claude", CLAUDE.call, CLAUDE.input), ("codex", CODEX.call, CODEX.input)];

#[track_caller]
fn check(read: Read, write: Write, tool: &str, input: &Value) {
    let call = read(None, tool.to_owned(), input.clone());
    assert_eq!(write(&call), *input, "{call:?}");
    let json = stored::payload_json(&Event::ToolRequested(call.clone())).unwrap();
    assert_eq!(stored::event_from("tool.requested", &json), Event::ToolRequested(call));
}

#[test]
fn every_captured_input_is_written_as_it_was_read() {
    let mut tools = 0;
    for (client, read, write) in CLIENTS {
        let folders = folders(client);
        for payload in folders.iter().flat_map(|folder| fixtures_in(folder)).map(|it| it.json()) {
            if let Some(tool) = payload["tool_name"].as_str() {
                check(*read, *write, tool, &payload["tool_input"]);
                tools += 1;
            }
        }
    }
    assert!(tools > 40, "{tools}");
}

#[test]
fn the_line_of_a_call_is_replaced_and_the_rest_stays() {
    for (_, read, write) in CLIENTS {
        let input = json!({ "command": "a", "description": "d", "timeout": 7, "x": null });
        let call = read(None, "Bash".to_owned(), input);
        let expected = json!({ "command": "b", "description": "d", "timeout": 7, "x": null });
        assert_eq!(write(&call.with_line("b")), expected);
    }
}

const TOOLS: &[&str] = &[
    "Bash",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Write",
    "Read",
    "Glob",
    "Grep",
    "Agent",
    "TaskUpdate",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "AskUserQuestion",
    "apply_patch",
    "spawn_agent",
    "mcp__a__b",
    "Odd",
];

const KEYS: &[&str] = &[
    "command",
    "description",
    "dangerouslyDisableSandbox",
    "file_path",
    "notebook_path",
    "old_string",
    "new_string",
    "new_source",
    "edits",
    "content",
    "offset",
    "pattern",
    "path",
    "glob",
    "subagent_type",
    "prompt",
    "message",
    "taskId",
    "status",
    "todos",
    "url",
    "query",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z*+ \\n-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let object = prop::collection::btree_map(select(KEYS), inner.clone(), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            object.prop_map(|fields| {
                let named = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
                Value::Object(named.collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_input_is_written_as_it_was_read(
        tool in select(TOOLS),
        fields in prop::collection::btree_map(select(KEYS), value(), 0..6),
        other in prop::option::weighted(0.1, value()),
    ) {
        let named = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
        let input = other.unwrap_or_else(|| Value::Object(named.collect()));
        for (_, read, write) in CLIENTS {
            check(*read, *write, tool, &input);
        }
    }
}
