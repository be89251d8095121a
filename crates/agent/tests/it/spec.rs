//! Tests that the table of an agent's events is correct.

use std::collections::BTreeSet;

use serde_json::json;
use verger_agent::{AGENTS, AgentSpec, CODEX, Capture, by_name};
use verger_event::AgentName;

use crate::fixture::{Fixture, decoded_fixtures, fixtures_of};

#[test]
fn an_agent_is_found_by_the_word_on_the_command_line() {
    assert_eq!(by_name("claude").map(|agent| agent.name), Some("claude"));
    for unknown in ["", "Claude", "claude-code", "cursor"] {
        assert!(by_name(unknown).is_none(), "{unknown}");
    }
    for agent in AGENTS {
        assert_eq!(
            agent.name.parse().map(|name: AgentName| name.to_string()),
            Ok(agent.name.into())
        );
    }
}

#[test]
fn an_event_is_captured_exactly_if_there_is_a_payload_of_it() {
    for agent in AGENTS {
        let fixtures = fixtures_of(agent);
        let seen: BTreeSet<_> = fixtures.iter().map(Fixture::event_name).collect();
        let captured = agent.events.iter().filter(|event| event.capture == Capture::Captured);
        assert_eq!(seen, captured.map(|event| event.name).collect(), "{}", agent.name);
    }
    let count = |agent: &AgentSpec| agent.events.len();
    assert_eq!(AGENTS.iter().map(count).collect::<Vec<_>>(), [33, 14, 11, 17]);
}

/// Ends of calls that the captured payloads lack: `(agent, event, payload, kind)`.
const NOT_CAPTURED: &[(&AgentSpec, &str, &str, &str)] = &[(
    &CODEX,
    "PostToolUse",
    r#"{"session_id":"s","tool_name":"apply_patch","tool_input":{"command":""},
            "tool_response":"Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file"}"#,
    "tool.failed",
)];

#[test]
fn the_payloads_become_exactly_the_kinds_that_the_table_says() {
    let captured = decoded_fixtures().into_iter().map(|fixture| {
        let (event_name, kind) = (fixture.event_name(), fixture.observed().event.kind().to_owned());
        (fixture.agent.name, event_name.to_owned(), kind)
    });
    let others = NOT_CAPTURED.iter().map(|(agent, event_name, payload, kind)| {
        let observed = (agent.decode)(event_name, payload.as_bytes()).unwrap().unwrap();
        assert_eq!(observed.event.kind(), *kind);
        (agent.name, (*event_name).to_owned(), (*kind).to_owned())
    });
    let found: BTreeSet<_> = captured.chain(others).collect();
    let promised: BTreeSet<_> = AGENTS
        .iter()
        .flat_map(|agent| agent.events.iter().map(|event| (agent.name, event)))
        .filter(|(_, event)| event.capture == Capture::Captured)
        .flat_map(|(agent, event)| {
            event.kinds.iter().map(move |kind| (agent, event.name.to_owned(), (*kind).to_owned()))
        })
        .collect();
    assert_eq!(found, promised);
}

#[test]
fn the_opaque_events_become_the_kind_that_the_table_says() {
    let payload = json!({ "session_id": "s", "sessionId": "s" }).to_string();
    for agent in AGENTS {
        for event in agent.events.iter().filter(|event| event.capture == Capture::Opaque) {
            let observed = (agent.decode)(event.name, payload.as_bytes()).unwrap();
            let kinds: Vec<_> = observed.iter().map(|observed| observed.event.kind()).collect();
            assert_eq!(kinds, event.kinds, "{}", event.name);
        }
    }
}

#[test]
fn an_event_that_is_registered_is_decoded() {
    for agent in AGENTS {
        for (event, _) in agent.registered_events() {
            assert!(!event.kinds.is_empty(), "{} {}", agent.name, event.name);
        }
    }
}
