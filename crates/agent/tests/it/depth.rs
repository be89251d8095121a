//! Tests that decoded events can be read back from the log, however deeply they are nested.

use verger_agent::CLAUDE;
use verger_event::stored::{event_from, payload_json};

/// Payloads with a value of this many levels in each field that is stored unparsed.
fn payloads(levels: usize) -> Vec<(&'static str, String)> {
    let lists = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    [lists, objects]
        .iter()
        .flat_map(|value| {
            let call = format!(r#""tool_name":"Bash","tool_input":{value}"#);
            let done = format!(r#""tool_name":"Bash","tool_input":{{}},"tool_response":{value}"#);
            [
                ("PreToolUse", call.clone()),
                ("PermissionRequest", call.clone()),
                ("PostToolUse", done.clone()),
                ("PostToolUseFailure", format!(r#"{call},"error":"x""#)),
                ("PostToolBatch", format!(r#""tool_calls":[{{{call}}}]"#)),
                ("PostToolBatch", format!(r#""tool_calls":[{{{done}}}]"#)),
                ("Elicitation", format!(r#""x":{value}"#)),
            ]
        })
        .map(|(name, fields)| (name, format!(r#"{{"session_id":"s",{fields}}}"#)))
        .collect()
}

#[test]
fn a_value_at_the_limit_is_read_back_from_the_log() {
    for (name, payload) in payloads(100) {
        let event = (CLAUDE.decode)(name, payload.as_bytes()).unwrap().unwrap().event;
        let json = payload_json(&event).unwrap();
        assert_eq!(event_from(event.kind(), &json), event, "{name}");
    }
}

#[test]
fn a_value_beyond_the_limit_is_not_decoded_but_salvaged() {
    for levels in [101, 120, 127, 128, 1000] {
        for (name, payload) in payloads(levels) {
            let decoded = (CLAUDE.decode)(name, payload.as_bytes());
            assert!(decoded.is_err(), "{name} {levels}: {decoded:?}");
            let event = (CLAUDE.salvage)(name, payload.as_bytes()).unwrap().event;
            let json = payload_json(&event).unwrap();
            assert_eq!(event_from("payload.unread", &json), event, "{name} {levels}");
        }
    }
}

#[test]
fn a_suggestion_or_cron_beyond_the_limit_is_left_out_alone() {
    let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
    let stop = |crons: &str| {
        let payload = format!(r#"{{"session_id":"s","session_crons":[{crons}]}}"#);
        (CLAUDE.decode)("Stop", payload.as_bytes()).unwrap().unwrap()
    };
    assert_eq!(stop(&format!("1,{deep},2")), stop("1,2"));
    let asked = |suggestions: &str| {
        let payload = format!(
            r#"{{"session_id":"s","tool_name":"Bash","tool_input":{{}},"permission_suggestions":[{suggestions}]}}"#
        );
        (CLAUDE.decode)("PermissionRequest", payload.as_bytes()).unwrap().unwrap()
    };
    assert_eq!(asked(&format!("1,{deep},2")), asked("1,2"));
}
