//! Tests of salvaging payloads of Claude Code that can't be decoded.

use serde_json::{Value, json};
use verger_agent::{CLAUDE, Observed};
use verger_event::{Actor, Circumstance, Event, PromptId, SessionId, SubagentId};

use crate::fixture::{claude, named};

/// The salvaged event for a payload that can't be decoded.
#[track_caller]
fn salvaged(event_name: &str, payload: impl AsRef<[u8]>) -> Observed {
    let payload = payload.as_ref();
    let decoded = (CLAUDE.decode)(event_name, payload);
    assert!(decoded.is_err(), "{decoded:?}");
    (CLAUDE.salvage)(event_name, payload).unwrap()
}

fn unread(kind: &str, payload: Value) -> Event {
    Event::Unknown { kind: kind.to_owned(), payload }
}

fn bare(session: &str, event: Event) -> Observed {
    Observed {
        session: SessionId::new(session),
        actor: Actor::Main { agent_type: None },
        circumstance: Circumstance::default(),
        event,
    }
}

#[track_caller]
fn check_text(event_name: &str, payload: impl AsRef<[u8]>, session: &str) {
    let payload = payload.as_ref();
    let text = String::from_utf8_lossy(payload);
    let kept = json!({ "event": event_name, "bytes": payload.len(), "text": text });
    assert_eq!(salvaged(event_name, payload), bare(session, unread("payload.unread", kept)));
}

#[test]
fn a_payload_of_another_form_is_the_unread_form_of_its_kind_in_its_own_place() {
    let payload = json!({
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": "/home",
        "prompt_id": "p",
        "permission_mode": "plan",
        "effort": { "level": "high" },
        "agent_id": "a",
        "agent_type": "Explore",
        "tool_name": ["Bash"],
        "tool_input": { "command": "ls" },
    });
    let expected = Observed {
        session: SessionId::new("s"),
        actor: Actor::Subagent { id: SubagentId::new("a"), agent_type: "Explore".to_owned() },
        circumstance: Circumstance {
            cwd: Some("/home".to_owned()),
            prompt: Some(PromptId::new("p")),
            permission_mode: Some("plan".to_owned()),
            effort: Some("high".to_owned()),
        },
        event: unread(
            "tool.requested",
            json!({ "tool_name": ["Bash"], "tool_input": { "command": "ls" } }),
        ),
    };
    assert_eq!(salvaged("PreToolUse", payload.to_string()), expected);
}

#[test]
fn a_field_that_the_envelope_cannot_hold_stays_in_the_payload() {
    let long = "x".repeat(513);
    let odd = json!({
        "agent_id": 7, "agent_type": [], "cwd": 1, "effort": "high", "hook_event_name": "Sleep",
        "permission_mode": {}, "prompt_id": long, "tool_name": "Bash", "tool_input": {},
    });
    let mut payload = odd.clone();
    payload["session_id"] = json!("s");
    let expected = bare("s", unread("tool.requested", odd));
    assert_eq!(salvaged("PreToolUse", payload.to_string()), expected);
}

#[test]
fn of_a_field_that_occurs_twice_the_last_is_kept() {
    let twice = r#"{"session_id":"s","session_id":"t","tool_name":"Bash","tool_input":{}}"#;
    let expected = unread("tool.requested", json!({ "tool_name": "Bash", "tool_input": {} }));
    assert_eq!(salvaged("PreToolUse", twice), bare("t", expected));
}

#[test]
fn a_batch_with_a_call_that_does_not_fit_is_kept_whole() {
    let calls = json!([{ "tool_name": "Read", "tool_input": {} }, { "tool_name": 7 }]);
    let payload = json!({ "session_id": "s", "tool_calls": calls });
    let expected = unread("tool_batch.ended", json!({ "tool_calls": calls }));
    assert_eq!(salvaged("PostToolBatch", payload.to_string()), bare("s", expected));
}

#[test]
fn unreadable_payloads_are_kept_as_text_in_the_session_they_name() {
    check_text("Stop", r#"{"session_id":"s","cwd":"/ho"#, "s");
    check_text("Stop", b"{\"session_id\":\"s\",\"x\":\"\xff\"}", "s");
    check_text("PreToolUse", r#"{"session_id":"s","tool_name":"Bash","tool_input":1e400}"#, "s");
    let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
    let payload = format!(r#"{{"tool_name":"Bash","tool_input":{deep},"session_id":"s é"}}"#);
    check_text("PreToolUse", &payload, "s é");
    check_text("Elicitation", format!(r#"{{"session_id":"s","x":{deep}}}"#), "s");
}

#[test]
fn payloads_without_a_session_are_kept_as_text_in_none() {
    for payload in ["", "{", "[]", "null", "{}", "session_id=s", r#"{"session_id":7}"#] {
        check_text("Stop", payload, "unattributed");
    }
    check_text("Stop", r#"{"tool_input":{"session_id":"t"}}"#, "unattributed");
    check_text("Stop", b"\xff\xfe{\0}\0", "unattributed");
    check_text("Stop", json!({ "session_id": "x".repeat(513) }).to_string(), "unattributed");
}

#[test]
fn a_text_keeps_the_circumstance_where_only_another_field_cannot_be_read() {
    let fixture = named("PostToolUse-Bash-in_subagent");
    let mut payload = fixture.json();
    payload["tool_input"] = json!("HERE");
    let payload = payload.to_string().replace("\"HERE\"", "1e400");
    let Observed { event, .. } = salvaged("PostToolUse", &payload);
    assert_eq!(event.kind(), "payload.unread");
    let expected = Observed { event, ..fixture.observed() };
    assert_eq!(salvaged("PostToolUse", &payload), expected);
}

#[test]
fn payloads_that_the_log_would_decode_are_kept_as_text() {
    check_text("SubagentStart", r#"{"session_id":"s"}"#, "s");
    check_text("SubagentStart", r#"{"session_id":"s é","agent_id":7}"#, "s é");
    check_text("SessionEnd", r#"{"session_id":"s","reason":"a","reason":"b"}"#, "s");
}

#[test]
fn a_captured_payload_without_its_session_keeps_its_text() {
    for fixture in claude() {
        let mut payload = fixture.json();
        payload.as_object_mut().unwrap().remove("session_id");
        let kept = salvaged(fixture.event_name(), payload.to_string());
        assert_eq!((kept.session.as_str(), kept.event.kind()), ("unattributed", "payload.unread"));
    }
}

#[test]
fn nothing_is_kept_of_an_event_that_is_not_known() {
    for payload in [&b""[..], b"\xff", br#"{"session_id":"s"}"#] {
        for event_name in ["", "pretooluse", "BeforeTool"] {
            assert_eq!((CLAUDE.salvage)(event_name, payload), None);
        }
    }
}
