//! Tests that a client gets its own input back, although verger stores the input in its own
//! types.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use verger_agent::{AGENTS, AgentSpec};
use verger_event::{Event, ToolCall, stored};

use crate::fixture::{SHELL_WORDS, ShellWords, decoded_fixtures, words_of};

#[track_caller]
fn check(agent: &AgentSpec, tool: &str, input: &Value) {
    let call = (agent.call)(None, tool.to_owned(), input.clone());
    assert_eq!((agent.input)(&call), *input, "{call:?}");
    let json = stored::payload_json(&Event::ToolRequested(call.clone())).unwrap();
    assert_eq!(stored::event_from("tool.requested", &json), Event::ToolRequested(call));
}

/// The call of an event, and whether the input is that of a request for permission.
fn call_of(event: &Event) -> Option<(&ToolCall, bool)> {
    match event {
        Event::ToolRequested(call)
        | Event::ToolSucceeded { call, .. }
        | Event::ToolFailed { call, .. }
        | Event::ToolEnded { call, .. } => Some((call, false)),
        Event::PermissionAsked { call, .. } => Some((call, true)),
        _ => None,
    }
}

#[test]
fn every_captured_input_is_written_as_it_was_read() {
    let mut calls = BTreeMap::new();
    for fixture in decoded_fixtures() {
        let (event, payload) = (fixture.observed().event, fixture.json());
        let Some((call, is_asked)) = call_of(&event) else { continue };
        let ShellWords { tool: [_, input, _], asked_input, .. } = words_of(fixture.agent);
        let expected = &payload[if is_asked { asked_input } else { input }];
        assert_eq!((fixture.agent.input)(call), *expected, "{}", fixture.name);
        let json = stored::payload_json(&event).unwrap();
        assert_eq!(stored::event_from(event.kind(), &json), event, "{}", fixture.name);
        *calls.entry(fixture.agent.name).or_insert(0) += 1;
    }
    let expected = [("claude", 51), ("codex", 17), ("copilot", 31), ("gemini", 26)];
    assert_eq!(calls, BTreeMap::from(expected));
}

#[test]
fn the_line_of_a_call_is_replaced_and_the_rest_stays() {
    for ShellWords { agent, shell, .. } in SHELL_WORDS {
        let input = json!({ "command": "a", "description": "d", "timeout": 7, "x": null });
        let call = (agent.call)(None, (*shell).to_owned(), input);
        let expected = json!({ "command": "b", "description": "d", "timeout": 7, "x": null });
        assert_eq!((agent.input)(&call.with_line("b")), expected);
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
    "multi_agent_v1wait_agent",
    "run_shell_command",
    "write_file",
    "replace",
    "read_file",
    "list_directory",
    "grep_search",
    "invoke_agent",
    "web_fetch",
    "write_todos",
    "bash",
    "create",
    "edit",
    "view",
    "glob",
    "grep",
    "task",
    "write_agent",
    "sql",
    "mcp__a__b",
    "server-tool",
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
    "old_str",
    "new_str",
    "file_text",
    "view_range",
    "start_line",
    "dir_path",
    "include_pattern",
    "paths",
    "diff",
    "agent_name",
    "agent_type",
    "agent_id",
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
        for agent in AGENTS {
            check(agent, tool, &input);
        }
    }
}
