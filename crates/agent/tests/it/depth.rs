//! Tests that decoded events can be read back from the log, however deeply they are nested.

use verger_agent::{AgentSpec, CLAUDE};
use verger_event::stored::{event_from, payload_json};

use crate::fixture::SHELL_WORDS;

/// Payloads with a value of this many levels in each place that keeps values as they are.
fn payloads(levels: usize) -> Vec<(&'static AgentSpec, &'static str, String)> {
    let lists = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    [lists, objects].iter().flat_map(|value| payloads_with(value)).collect()
}

fn payloads_with(value: &str) -> Vec<(&'static AgentSpec, &'static str, String)> {
    let mut all = vec![];
    for words in SHELL_WORDS {
        let [tool, input, answer] = words.tool;
        let (session, shell, asked_input) = (words.session, words.shell, words.asked_input);
        let mut add = |name, fields| {
            all.push((words.agent, name, format!(r#"{{"{session}":"s",{fields}}}"#)));
        };
        let call = format!(r#""{tool}":"{shell}","{input}":{value}"#);
        let done = format!(r#""{tool}":"{shell}","{input}":{{}},"{answer}":{value}"#);
        add(words.requested, call.clone());
        add(words.ended, done.clone());
        if let Some(asked) = words.asked {
            add(asked, format!(r#""{tool}":"{shell}","{asked_input}":{value}"#));
        }
        if words.agent.name == "claude" {
            add("PostToolUseFailure", format!(r#"{call},"error":"x""#));
            add("PostToolBatch", format!(r#""tool_calls":[{{{call}}}]"#));
            add("PostToolBatch", format!(r#""tool_calls":[{{{done}}}]"#));
            add("Elicitation", format!(r#""x":{value}"#));
        }
        if words.agent.name == "copilot" {
            add("postToolUseFailure", format!(r#"{call},"error":"x""#));
        }
    }
    all
}

#[test]
fn a_value_at_the_limit_is_read_back_from_the_log() {
    for (agent, name, payload) in payloads(100) {
        let event = (agent.decode)(name, payload.as_bytes()).unwrap().unwrap().event;
        let json = payload_json(&event).unwrap();
        assert_eq!(event_from(event.kind(), &json), event, "{} {name}", agent.name);
    }
}

#[test]
fn a_value_beyond_the_limit_is_not_decoded_but_salvaged() {
    for levels in [101, 120, 127, 128, 1000] {
        for (agent, name, payload) in payloads(levels) {
            let at = format!("{} {name} {levels}", agent.name);
            let decoded = (agent.decode)(name, payload.as_bytes());
            assert!(decoded.is_err(), "{at}: {decoded:?}");
            let salvaged = (agent.salvage)(name, payload.as_bytes()).unwrap();
            assert_eq!(salvaged.session.as_str(), "s", "{at}");
            let json = payload_json(&salvaged.event).unwrap();
            assert_eq!(event_from("payload.unread", &json), salvaged.event, "{at}");
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
