//! Tests of payloads that no program should ever send, for every agent.

use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec, CODEX, COPILOT, Malformed};
use verger_event::{Actor, Event};

use crate::fixture::{Fixture, SHELL_WORDS, ShellWords, fixtures_of, words_of};

/// The captured payload of the request for a shell line.
fn requested_line(agent: &'static AgentSpec) -> Fixture {
    let ShellWords { requested, shell, .. } = words_of(agent);
    let name = format!("{requested}-{shell}");
    fixtures_of(agent).into_iter().find(|fixture| fixture.name == name).unwrap()
}

/// A request for a call with this input, which may be any text.
fn request(words: &ShellWords, input: &str) -> String {
    let ShellWords { session, tool: [tool, key, _], shell, .. } = words;
    format!(r#"{{"{session}":"s","{tool}":"{shell}","{key}":{input}}}"#)
}

#[test]
fn a_payload_cut_off_anywhere_is_malformed() {
    for agent in AGENTS {
        let fixture = requested_line(agent);
        let whole = fixture.bytes.trim_ascii_end();
        for end in 0..whole.len() {
            let cut = (agent.decode)(fixture.event_name(), &whole[..end]);
            assert!(cut.is_err(), "{} cut at {end}: {cut:?}", agent.name);
            let kept = (agent.salvage)(fixture.event_name(), &whole[..end]).unwrap();
            assert_eq!(kept.event.kind(), "payload.unread", "{}", agent.name);
        }
    }
}

#[test]
fn text_that_is_not_one_json_object_is_malformed() {
    for words in SHELL_WORDS {
        let twice = request(words, "{}").repeat(2);
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let texts =
            ["", " \n", "\u{feff}\u{feff}{}", "[]", "null", "7", "session_id=s", &twice, &deep];
        for text in texts {
            let decoded = (words.agent.decode)(words.requested, text.as_bytes());
            assert!(matches!(decoded, Err(Malformed::Form { .. })), "{text:.40}: {decoded:?}");
        }
        let decoded = (words.agent.decode)(words.requested, b"{\"x\":\"\xff\"}");
        assert!(matches!(decoded, Err(Malformed::NotUtf8 { offset: 6, .. })), "{decoded:?}");
    }
}

#[test]
fn a_field_that_is_read_must_not_occur_twice() {
    for words in SHELL_WORDS {
        let ShellWords { agent, session, tool: [_, key, _], .. } = words;
        for input in [
            format!(r#"{{}},"{key}":{{}}"#),
            format!(r#"{{}},"{session}":"t""#),
            r#"{"command":"a","command":"b"}"#.to_owned(),
            r#"{"command":"a","comm\u0061nd":"b"}"#.to_owned(),
            r#"{"x":[{"y":1,"y":1}]}"#.to_owned(),
        ] {
            let payload = request(words, &input);
            let decoded = (agent.decode)(words.requested, payload.as_bytes());
            assert!(matches!(decoded, Err(Malformed::Form { .. })), "{payload}: {decoded:?}");
        }
    }
}

#[test]
fn a_payload_of_another_event_is_malformed() {
    for words in SHELL_WORDS.iter().filter(|words| words.agent.name != COPILOT.name) {
        let payload = request(words, r#"{},"hook_event_name":"Sleep""#);
        let decoded = (words.agent.decode)(words.requested, payload.as_bytes());
        let Err(Malformed::EventMismatch { event, found }) = decoded else { panic!("{decoded:?}") };
        assert_eq!((event, found.as_str()), (words.requested, "Sleep"));
    }
}

#[test]
fn a_byte_order_mark_and_half_a_character_lose_nothing() {
    for words in SHELL_WORDS {
        let fixture = requested_line(words.agent);
        let marked = [b"\xef\xbb\xbf", &fixture.bytes[..]].concat();
        let decoded = (words.agent.decode)(words.requested, &marked).unwrap().unwrap();
        assert_eq!(decoded, fixture.observed());
        let payload = request(words, r#"{"command":"a\ud83d"}"#);
        let decoded = (words.agent.decode)(words.requested, payload.as_bytes()).unwrap().unwrap();
        let Event::ToolRequested(call) = decoded.event else { panic!("{decoded:?}") };
        assert_eq!(call.shell_line(), Some("a\u{fffd}"));
    }
}

#[test]
fn hostile_ids_are_data_and_endless_ones_are_refused() {
    for words in SHELL_WORDS {
        let with_session = |id: &str| {
            let mut payload: Value = serde_json::from_str(&request(words, "{}")).unwrap();
            payload[words.session] = json!(id);
            (words.agent.decode)(words.requested, payload.to_string().as_bytes())
        };
        for id in ["", "../../etc/passwd", "a\u{0}b", "<script>", "\u{202e}", &"x".repeat(512)] {
            let observed = with_session(id).unwrap().unwrap();
            assert_eq!(observed.session.as_str(), id);
            assert_eq!(observed.actor, Actor::Main { agent_type: None });
        }
        assert!(with_session(&"x".repeat(513)).is_err());
    }
}

#[test]
fn an_empty_id_is_no_subagents() {
    for (agent, key, start) in
        [(&CODEX, "agent_id", "SubagentStart"), (&COPILOT, "agentId", "subagentStart")]
    {
        let words = words_of(agent);
        let payload = request(words, &format!(r#"{{}},"{key}":"""#));
        let observed = (agent.decode)(words.requested, payload.as_bytes()).unwrap().unwrap();
        assert_eq!(observed.actor, Actor::Main { agent_type: None });
        let decoded = (agent.decode)(start, payload.as_bytes());
        assert!(matches!(decoded, Err(Malformed::Form { .. })), "{decoded:?}");
    }
}

#[test]
fn a_message_quotes_nothing_from_the_payload() {
    for words in SHELL_WORDS {
        let [tool, ..] = words.tool;
        for field in [words.session, tool, "hook_event_name"] {
            let mut payload: Value = serde_json::from_str(&request(words, "{}")).unwrap();
            payload[field] = match field {
                "hook_event_name" => json!("hunter2"),
                _ => json!({ "password": "hunter2" }),
            };
            let decoded = (words.agent.decode)(words.requested, payload.to_string().as_bytes());
            // Copilot CLI's payloads don't name their event.
            let Err(error) = decoded else {
                assert_eq!((words.agent.name, field), ("copilot", "hook_event_name"));
                continue;
            };
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
