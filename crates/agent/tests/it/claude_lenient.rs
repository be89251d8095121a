//! Tests of Claude Code's payloads whose optional fields have other types than in captured
//! payloads.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use verger_event::{BackgroundKind, BackgroundStatus, BackgroundTask, Event, SubagentId};

use crate::fixture::{OPTIONAL_FIELDS, claude, decoded};

#[track_caller]
fn event_of(event_name: &str, mut payload: Value) -> Event {
    payload["session_id"] = json!("s");
    decoded(event_name, payload.to_string().as_bytes()).event
}

#[test]
fn an_optional_field_of_another_type_is_as_if_it_were_missing() {
    let mut seen = BTreeSet::new();
    for fixture in claude() {
        for field in OPTIONAL_FIELDS {
            let mut payload = fixture.json();
            let Some(value) = payload.get_mut(field) else { continue };
            *value = json!({ "another": ["type"] });
            let changed = decoded(fixture.event_name(), payload.to_string().as_bytes());
            payload.as_object_mut().unwrap().remove(*field);
            let lacking = decoded(fixture.event_name(), payload.to_string().as_bytes());
            assert_eq!(changed, lacking, "{} {field}", fixture.name);
            seen.insert(*field);
        }
    }
    assert_eq!(seen, OPTIONAL_FIELDS.iter().copied().collect(), "fields that no payload has");
}

#[test]
fn a_circumstance_that_cannot_be_read_loses_nothing_else() {
    let plain = decoded("Stop", br#"{"session_id":"s"}"#);
    for field in [
        r#""effort":"high""#,
        r#""effort":["high"]"#,
        r#""effort":{"level":7}"#,
        r#""effort":{"level":"low","level":"high"}"#,
        r#""cwd":123"#,
        r#""cwd":1e400"#,
        r#""permission_mode":7"#,
        r#""prompt_id":5"#,
        r#""agent_type":5"#,
        r#""hook_event_name":[]"#,
        r#""stop_hook_active":"true""#,
        r#""background_tasks":{}"#,
        &format!(r#""prompt_id":"{}""#, "x".repeat(513)),
        &format!(r#""cwd":{}{}"#, "[".repeat(100_000), "]".repeat(100_000)),
    ] {
        let payload = format!(r#"{{{field},"session_id":"s"}}"#);
        assert_eq!(decoded("Stop", payload.as_bytes()), plain, "{payload:.100}");
    }
}

#[test]
fn a_background_task_is_kept_however_little_is_known_of_it() {
    let other = |id: &str, kind: &str| BackgroundTask::Other {
        id: id.to_owned(),
        kind: kind.to_owned().into(),
        status: String::new().into(),
        description: None,
    };
    let tasks = json!([
        { "id": "a", "type": "subagent", "status": 7 },
        { "id": "b", "type": "shell" },
        { "id": 7, "type": "subagent" },
        { "type": { "name": "shell" }, "description": ["x"] },
        ["c", "subagent", "running"],
        null,
        { "id": "d", "type": "shell", "status": "running", "description": "build" },
    ]);
    let Event::StopRequested(stop) = event_of("Stop", json!({ "background_tasks": tasks })) else {
        panic!("another event");
    };
    assert_eq!(
        stop.background,
        [
            BackgroundTask::Subagent {
                id: SubagentId::new("a"),
                agent_type: None,
                status: String::new().into(),
                description: None,
            },
            other("b", "shell"),
            other("", "subagent"),
            other("", ""),
            BackgroundTask::Other {
                id: "d".to_owned(),
                kind: BackgroundKind::Shell,
                status: BackgroundStatus::Running,
                description: Some("build".to_owned()),
            },
        ]
    );
}

#[test]
fn a_duration_is_rounded_to_the_millisecond() {
    for (given, expected) in
        [(json!(12.4), Some(12)), (json!(7), Some(7)), (json!(-1), None), (json!("7"), None)]
    {
        let payload = json!({ "tool_name": "Bash", "tool_input": {}, "duration_ms": given });
        let Event::ToolSucceeded { duration_ms, .. } = event_of("PostToolUse", payload) else {
            panic!("another event");
        };
        assert_eq!(duration_ms, expected, "{given}");
    }
}

#[test]
fn a_changed_configuration_may_name_no_file_though_other_events_must() {
    let lacking = event_of("ConfigChange", json!({ "source": "user_settings" }));
    let changed = event_of("ConfigChange", json!({ "source": "user_settings", "file_path": 7 }));
    assert_eq!(changed, lacking);
}
