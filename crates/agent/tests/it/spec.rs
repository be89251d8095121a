//! Tests that the table of an agent's events is correct.

use std::collections::BTreeSet;

use serde_json::json;
use verger_agent::{AGENTS, CLAUDE, Capture, by_name};
use verger_event::AgentName;

use crate::fixture::{Fixture, claude, decoded};

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
    let fixtures = claude();
    let seen: BTreeSet<_> = fixtures.iter().map(Fixture::event_name).collect();
    let captured = CLAUDE.events.iter().filter(|event| event.capture == Capture::Captured);
    assert_eq!(seen, captured.map(|event| event.name).collect());
    assert_eq!(CLAUDE.events.len(), 30);
}

#[test]
fn the_captured_payloads_become_exactly_the_kinds_that_the_table_says() {
    let found: BTreeSet<_> = claude()
        .iter()
        .map(|fixture| {
            (fixture.event_name().to_owned(), fixture.observed().event.kind().to_owned())
        })
        .collect();
    let promised: BTreeSet<_> = CLAUDE
        .events
        .iter()
        .filter(|event| event.capture == Capture::Captured)
        .flat_map(|event| {
            event.kinds.iter().map(|kind| (event.name.to_owned(), (*kind).to_owned()))
        })
        .collect();
    assert_eq!(found, promised);
}

#[test]
fn the_opaque_events_become_the_kind_that_the_table_says() {
    let payload = json!({ "session_id": "s" }).to_string();
    for event in CLAUDE.events.iter().filter(|event| event.capture == Capture::Opaque) {
        let observed = decoded(event.name, payload.as_bytes());
        assert_eq!([observed.event.kind()], event.kinds);
    }
}
