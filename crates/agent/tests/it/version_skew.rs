//! Tests that payloads of other versions of a program are read: with more fields, with fewer, with
//! fields of other types, and with other events.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Value, json};
use verger_agent::{AGENTS, Malformed};

use crate::fixture::{Fixture, decoded_fixtures, words_of};

fn fields_of(fixture: &Fixture) -> Vec<String> {
    fixture.json().as_object().unwrap().keys().cloned().collect()
}

fn without(fixture: &Fixture, field: &str) -> Value {
    let mut payload = fixture.json();
    payload.as_object_mut().unwrap().remove(field);
    payload
}

/// The payload that can't be decoded must be kept in its session, by its agent.
#[track_caller]
fn check_salvaged(fixture: &Fixture, payload: &Value, field: &str) {
    let at = format!("{} {} {field}", fixture.agent.name, fixture.name);
    let decoded = fixture.decode(payload);
    assert!(matches!(decoded, Err(Malformed::Form { .. })), "{at}: {decoded:?}");
    let text = payload.to_string();
    let kept = (fixture.agent.salvage)(fixture.event_name(), text.as_bytes()).unwrap();
    let whole = fixture.observed();
    let session = words_of(fixture.agent).session;
    let expected = match field {
        field if field == session => "unattributed",
        // Without the subagent's id, `sessionId` can't be known to be one.
        "agentId" => payload[session].as_str().unwrap(),
        _ => whole.session.as_str(),
    };
    assert_eq!(kept.session.as_str(), expected, "{at}");
    if ![session, "agent_id", "agentId", "agent_type"].contains(&field) {
        assert_eq!((kept.actor, kept.circumstance), (whole.actor, whole.circumstance), "{at}");
    }
}

/// The fields without which a payload can't be decoded, by agent and event.
fn required_fields() -> BTreeMap<(&'static str, String), BTreeSet<String>> {
    let mut required = BTreeMap::new();
    for fixture in decoded_fixtures() {
        let fields: &mut BTreeSet<_> =
            required.entry((fixture.agent.name, fixture.event_name().to_owned())).or_default();
        let is_required = |field: &String| fixture.decode(&without(&fixture, field)).is_err();
        fields.extend(fields_of(&fixture).into_iter().filter(is_required));
    }
    required
}

#[test]
fn a_payload_lacks_a_required_field_and_is_kept_in_its_session() {
    let mut table = String::new();
    let required = required_fields();
    for ((agent, event_name), fields) in &required {
        let fields: Vec<_> = fields.iter().map(String::as_str).collect();
        writeln!(table, "{agent} {event_name}: {}", fields.join(", ")).unwrap();
    }
    insta::assert_snapshot!("required_fields", table);
    for fixture in decoded_fixtures() {
        for field in &required[&(fixture.agent.name, fixture.event_name().to_owned())] {
            // A main agent's stop has no id of an agent, a subagent's has.
            if fixture.json().get(field).is_some() {
                check_salvaged(&fixture, &without(&fixture, field), field);
            }
        }
    }
}

/// Fields that may be missing, but must have their type: a subagent's call must never be taken for
/// one of the main agent.
const STRICT: &[&str] = &["agent_id", "agentId"];

#[test]
fn an_optional_field_may_be_missing_or_have_another_type() {
    let required = required_fields();
    for fixture in decoded_fixtures() {
        let required = &required[&(fixture.agent.name, fixture.event_name().to_owned())];
        for field in fields_of(&fixture).into_iter().filter(|field| !required.contains(field)) {
            let at = format!("{} {} {field}", fixture.agent.name, fixture.name);
            let lacking = fixture.decode(&without(&fixture, &field)).unwrap();
            for other in [json!(null), json!(7), json!("x"), json!([["x"]]), json!({ "x": [1] })] {
                let mut changed = fixture.json();
                if changed[&field].is_string() && other.is_string() {
                    continue;
                }
                let is_null = other.is_null();
                changed[&field] = other;
                if STRICT.contains(&field.as_str()) && !is_null {
                    check_salvaged(&fixture, &changed, &field);
                    continue;
                }
                let decoded =
                    fixture.decode(&changed).unwrap_or_else(|error| panic!("{at}: {error}"));
                assert_eq!(decoded.is_some(), lacking.is_some(), "{at}");
            }
        }
    }
}

#[test]
fn an_unknown_field_is_ignored() {
    for fixture in decoded_fixtures() {
        // This event keeps all of its fields.
        if fixture.event_name() == "PermissionDenied" {
            continue;
        }
        for value in [json!(null), json!({ "a": [1, "b"] }), json!("x")] {
            let mut payload = fixture.json();
            payload["not_known_yet"] = value;
            let observed = fixture.decode(&payload).unwrap();
            assert_eq!(observed, Some(fixture.observed()), "{}", fixture.name);
        }
    }
}

#[test]
fn an_event_that_the_table_does_not_have_is_passed_over() {
    for agent in AGENTS {
        let session = words_of(agent).session;
        let payload = json!({ session: "s", "hook_event_name": "NotYet" }).to_string();
        for payload in [payload.as_bytes(), b"", b"\xff"] {
            for name in ["", "NotYet", "pretooluse", "notYet"] {
                assert_eq!((agent.decode)(name, payload).unwrap(), None, "{} {name}", agent.name);
                assert_eq!((agent.salvage)(name, payload), None, "{} {name}", agent.name);
            }
        }
    }
}

#[test]
fn an_event_of_another_agent_is_passed_over() {
    for agent in AGENTS {
        let others = AGENTS.iter().filter(|other| other.name != agent.name);
        for event in others.flat_map(|other| other.events) {
            if agent.event(event.name).is_none() {
                assert_eq!((agent.decode)(event.name, b"{}").unwrap(), None, "{}", event.name);
            }
        }
    }
}
