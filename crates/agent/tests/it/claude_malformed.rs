//! Tests of payloads that Claude Code should never send, and of their error messages.

use std::error::Error;
use std::fmt::Write;

use serde_json::{Value, json};
use verger_agent::CLAUDE;
use verger_event::Event;

use crate::fixture::{decoded, named};

/// The error message for a payload, with its causes.
fn complaint(event_name: &str, payload: &[u8]) -> String {
    match (CLAUDE.decode)(event_name, payload) {
        Ok(observed) => format!("no complaint: {observed:?}"),
        Err(error) => {
            let mut said = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                write!(said, ": {error}").unwrap();
                cause = error.source();
            }
            said
        }
    }
}

/// A tool request in which some fields are replaced.
fn request(changes: Value) -> Vec<u8> {
    let mut payload = json!({ "session_id": "s", "tool_name": "Bash", "tool_input": {} });
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    for (field, value) in changes {
        payload[field] = value;
    }
    payload.to_string().into_bytes()
}

/// A tool request with this text as its input.
fn with_input(input: &str) -> String {
    format!(r#"{{"session_id":"s","tool_name":"Bash","tool_input":{input}}}"#)
}

/// JSON with 100,000 levels.
fn nested(open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(100_000), close.repeat(100_000))
}

/// A list of payloads, each with its error message.
#[derive(Default)]
struct Complaints(String);

impl Complaints {
    fn of(&mut self, case: &str, event_name: &str, payload: impl AsRef<[u8]>) {
        writeln!(self.0, "{case}\n    {}", complaint(event_name, payload.as_ref())).unwrap();
    }
}

#[test]
fn text_that_is_not_one_json_object_is_named_with_its_event_and_place() {
    let mut said = Complaints::default();
    said.of("nothing", "PreToolUse", "");
    said.of("only white space", "PreToolUse", " \n\t");
    said.of("only a byte order mark", "PreToolUse", "\u{feff}");
    said.of("two byte order marks", "PreToolUse", "\u{feff}\u{feff}{}");
    said.of("an array", "PreToolUse", "[]");
    said.of("the fields as an array", "SessionEnd", r#"["s",null,null,null,null,null,null,null]"#);
    said.of("null", "PreToolUse", "null");
    said.of("a text", "PreToolUse", r#""PreToolUse""#);
    said.of("a number", "PreToolUse", "1e2");
    said.of("two objects", "PreToolUse", [request(json!({})), b"{}".to_vec()].concat());
    said.of("no JSON", "PreToolUse", "session_id=s");
    said.of("UTF-16", "Stop", b"\xff\xfe{\0}\0");
    said.of("invalid UTF-8", "Stop", b"{\"session_id\":\"\xff\"}");
    said.of("invalid UTF-8 unread", "Stop", b"{\"session_id\":\"s\",\"x\":\"\xc3\"}");
    said.of("a raw newline", "PreToolUse", with_input("\"a\nb\""));
    said.of("a number beyond all floats", "PreToolUse", with_input("1e999"));
    let lists = nested("[", "]");
    said.of("100,000 lists", "PreToolUse", with_input(&lists));
    said.of("100,000 objects", "PreToolUse", with_input(&nested("{\"a\":", "}")));
    said.of(
        "101 lists",
        "PreToolUse",
        with_input(&format!("{}{}", "[".repeat(101), "]".repeat(101))),
    );
    said.of("100,000 lists around everything", "PreToolUse", &lists);
    let opaque = format!(r#"{{"session_id":"s","x":{lists}}}"#);
    said.of("100,000 lists in an opaque event", "Elicitation", opaque);
    insta::assert_snapshot!("not_one_object", said.0);
}

#[test]
fn half_a_character_does_not_lose_the_payload() {
    for (input, expected) in [
        (r#""a\ud83d""#, "a\u{fffd}"),
        (r#""\ude00x""#, "\u{fffd}x"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
    ] {
        let observed = (CLAUDE.decode)("PreToolUse", with_input(input).as_ref()).unwrap().unwrap();
        let Event::ToolRequested(call) = observed.event else { panic!("{observed:?}") };
        assert_eq!(call.rest, json!(expected));
    }
}

#[test]
fn a_field_of_another_form_is_named_with_its_event_and_place() {
    let mut said = Complaints::default();
    let mut tool = |case, changes| said.of(case, "PreToolUse", request(changes));
    tool("a session id that is a number", json!({ "session_id": 7 }));
    tool("a session id that is null", json!({ "session_id": null }));
    tool("a session id of 514 bytes", json!({ "session_id": "é".repeat(257) }));
    tool("an agent id of 513 bytes", json!({ "agent_id": "x".repeat(513) }));
    tool("another event's name", json!({ "hook_event_name": "PostToolUse" }));
    tool("the event's name in another case", json!({ "hook_event_name": "preToolUse" }));
    tool("an agent id that is a number", json!({ "agent_id": 7 }));
    tool("a tool that is a list", json!({ "tool_name": ["Bash"] }));
    let batch = r#"{"session_id":"s","tool_calls":[["Bash",{},null,null]]}"#;
    said.of("a batched call that is a list", "PostToolBatch", batch);
    let batch = r#"{"session_id":"s","tool_calls":[{"tool_name":"Read","tool_input":{}},{}]}"#;
    said.of("a batched call without a tool", "PostToolBatch", batch);
    said.of("a null prompt", "UserPromptSubmit", r#"{"session_id":"s","prompt":null}"#);
    insta::assert_snapshot!("another_form", said.0);
}

#[test]
fn a_field_that_is_missing_or_occurs_twice_is_named_with_its_event_and_place() {
    let mut said = Complaints::default();
    said.of("an empty object", "PreToolUse", "{}");
    said.of("an empty object for an opaque event", "TeammateIdle", "{}");
    said.of("no tool", "PreToolUse", r#"{"session_id":"s","tool_input":{}}"#);
    said.of("no tool input", "PreToolUse", r#"{"session_id":"s","tool_name":"Bash"}"#);
    said.of("no subagent", "SubagentStart", r#"{"session_id":"s","agent_type":"x"}"#);
    let empty = r#"{"session_id":"s","agent_id":"","agent_type":"x"}"#;
    said.of("an empty id of a subagent", "SubagentStart", empty);
    said.of("an empty id of a subagent that stops", "SubagentStop", empty);
    said.of("no subagent's type", "SubagentStop", r#"{"session_id":"s","agent_id":"a"}"#);
    said.of("two session ids", "Stop", r#"{"session_id":"s","session_id":"s"}"#);
    said.of("two inputs", "PreToolUse", with_input(r#"{},"tool_input":{}"#));
    insta::assert_snapshot!("missing_or_twice", said.0);
}

#[test]
fn a_payload_cut_off_anywhere_is_malformed() {
    for name in
        ["PreToolUse-Bash", "StopFailure-invalid_request", "UserPromptSubmit-task_notification"]
    {
        let fixture = named(name);
        let whole = fixture.bytes.trim_ascii_end();
        for end in 0..whole.len() {
            let cut = (CLAUDE.decode)(fixture.event_name(), &whole[..end]);
            assert!(cut.is_err(), "{name} cut at {end}: {cut:?}");
        }
        assert_eq!(decoded(fixture.event_name(), whole), fixture.observed());
    }
}

#[test]
fn a_payload_need_not_name_its_event() {
    let fixture = named("Stop-first");
    let mut payload = fixture.json();
    payload.as_object_mut().unwrap().remove("hook_event_name");
    assert_eq!(decoded("Stop", payload.to_string().as_bytes()), fixture.observed());
}

#[test]
fn an_unknown_field_may_be_nested_as_deeply_as_it_likes() {
    let deep = format!(r#"{{"session_id":"s","new":{}}}"#, nested("[", "]"));
    assert_eq!(decoded("Stop", deep.as_bytes()), decoded("Stop", br#"{"session_id":"s"}"#));
}
