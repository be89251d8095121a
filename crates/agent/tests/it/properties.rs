//! Property tests with random payloads and answers.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use verger_agent::{AGENTS, AgentSpec, HookEvent, Observed};
use verger_event::{Answer, Event, Verdict, stored};

use crate::fixture::{Fixture, decoded_fixtures, words_of};

fn agent_and_event() -> impl Strategy<Value = (&'static AgentSpec, &'static HookEvent)> {
    let all = AGENTS.iter().flat_map(|agent| agent.events.iter().map(move |event| (agent, event)));
    select(all.collect::<Vec<_>>())
}

fn fixture() -> impl Strategy<Value = Fixture> {
    select(decoded_fixtures())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Every field name that occurs in a captured payload.
fn field() -> impl Strategy<Value = String> {
    let mut names: Vec<String> = decoded_fixtures()
        .iter()
        .flat_map(|it| it.json().as_object().unwrap().keys().cloned().collect::<Vec<_>>())
        .collect();
    names.sort();
    names.dedup();
    select(names)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::NoOpinion),
        any::<String>().prop_map(|reason| Verdict::Allow { reason }),
        any::<String>().prop_map(|reason| Verdict::Ask { reason }),
        any::<String>().prop_map(|reason| Verdict::Deny { reason }),
    ]
}

fn text() -> impl Strategy<Value = Option<String>> {
    let long = ("\\PC{1,3}", 0..12_000_usize).prop_map(|(unit, times)| unit.repeat(times));
    prop::option::of(prop_oneof![any::<String>(), long])
}

/// Decodes, and formats all of the result. A refused payload must be salvaged.
fn decode(agent: &AgentSpec, event_name: &str, payload: &[u8]) -> Option<Observed> {
    let decoded = (agent.decode)(event_name, payload);
    assert_ne!(format!("{decoded:?}"), "");
    if decoded.is_err() {
        salvage(agent, event_name, payload);
    }
    decoded.ok().flatten()
}

/// Salvages, and checks that the log reads the result back.
fn salvage(agent: &AgentSpec, event_name: &str, payload: &[u8]) -> Observed {
    let salvaged = (agent.salvage)(event_name, payload).unwrap();
    let Event::Unknown { kind, payload } = &salvaged.event else { panic!("{salvaged:?}") };
    let kinds = agent.event(event_name).unwrap().kinds;
    assert!(kind == "payload.unread" || kinds.first().is_some_and(|first| kind == first), "{kind}");
    let json = stored::payload_json(&salvaged.event).unwrap();
    let Event::Unknown { kind: kind_read, payload: read } = stored::event_from(kind, &json) else {
        panic!("{json} is read as an event");
    };
    // Only the shapes are compared, because floats may lose their last bit.
    assert_eq!((&kind_read, shape(&read)), (kind, shape(payload)));
    salvaged
}

fn shape(value: &Value) -> Value {
    match value {
        Value::Number(it) if it.is_f64() => json!("a float"),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, it)| (key.clone(), shape(it))).collect())
        }
        _ => value.clone(),
    }
}

/// Adds a field to the payload, and to the objects in it that are read field by field.
fn with_field(fixture: &Fixture, field: &str, value: &Value) -> Value {
    let mut payload = fixture.json();
    payload[field] = value.clone();
    for list in ["tool_calls", "background_tasks"] {
        for item in payload.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            item[field] = value.clone();
        }
    }
    for object in ["effort", "mcp_context"] {
        if let Some(object) = payload.get_mut(object) {
            object[field] = value.clone();
        }
    }
    payload
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        (agent, event) in agent_and_event(),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        decode(agent, event.name, &bytes);
        salvage(agent, event.name, &bytes);
    }

    #[test]
    fn a_payload_of_an_unfitting_form_is_salvaged_in_its_own_session(
        (agent, event) in agent_and_event(),
        session in "[a-zA-Z0-9._ -]{0,512}",
        fields in prop::collection::btree_map(field(), any_json(), 0..12),
    ) {
        let mut payload: Map<String, Value> = fields.into_iter().collect();
        for key in ["sessionId", "session_id", "agentId", "agent_id"] {
            payload.remove(key);
        }
        payload.insert(words_of(agent).session.to_owned(), json!(session));
        let salvaged = salvage(agent, event.name, Value::Object(payload).to_string().as_bytes());
        prop_assert_eq!(salvaged.session.as_str(), session);
    }

    #[test]
    fn known_fields_with_arbitrary_values_never_panic(
        (agent, event) in agent_and_event(),
        fields in prop::collection::btree_map(field(), any_json(), 0..12),
    ) {
        let mut payload: Map<String, Value> = fields.into_iter().collect();
        payload.insert(words_of(agent).session.to_owned(), json!("s"));
        payload.remove("hook_event_name");
        decode(agent, event.name, Value::Object(payload).to_string().as_bytes());
    }

    #[test]
    fn a_damaged_payload_never_panics(
        fixture in fixture(),
        end in any::<Index>(),
        at in any::<Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = fixture.json().to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        decode(fixture.agent, fixture.event_name(), &bytes);
        bytes.truncate(end.index(bytes.len()));
        decode(fixture.agent, fixture.event_name(), &bytes);
    }

    #[test]
    fn a_value_anywhere_in_a_payload_may_be_any_other_value(
        fixture in fixture(),
        at in any::<Index>(),
        other in any_json(),
    ) {
        let mut payload = fixture.json();
        let pointers = pointers(&payload);
        *payload.pointer_mut(&pointers[at.index(pointers.len())]).unwrap() = other;
        decode(fixture.agent, fixture.event_name(), payload.to_string().as_bytes());
    }

    #[test]
    fn an_unknown_field_never_changes_what_is_decoded(
        fixture in fixture(),
        field in "x_[a-z]{0,8}",
        value in any_json(),
    ) {
        // This event keeps all of its fields.
        prop_assume!(fixture.event_name() != "PermissionDenied");
        let whole = fixture.observed();
        let payload = with_field(&fixture, &field, &value).to_string();
        let changed = decode(fixture.agent, fixture.event_name(), payload.as_bytes());
        prop_assert_eq!(changed, Some(whole));
    }

    #[test]
    fn an_answer_is_one_line_of_json_that_never_exceeds_the_limit_nor_the_verdict(
        (agent, event) in agent_and_event(),
        verdict in verdict(),
        context in text(),
        notice in text(),
        rewritten in prop::option::of(any::<String>().prop_map(|line| json!({ "command": line }))),
    ) {
        let is_allow = matches!(verdict, Verdict::Allow { .. });
        let is_deny = matches!(verdict, Verdict::Deny { .. });
        let answer = Answer { verdict, context, notice, rewritten };
        let Some(printed) = (agent.encode)(event.name, &answer) else {
            return Ok(());
        };
        if event.name == "PreCompact" && agent.name == "claude" {
            prop_assert!(printed.encode_utf16().count() <= agent.context_limit_chars);
            return Ok(());
        }
        prop_assert!(!printed.contains('\n'));
        let reply: Value = serde_json::from_str(&printed).unwrap();
        let specific = &reply["hookSpecificOutput"];
        prop_assert!(specific.is_null() || specific["hookEventName"] == event.name);
        prop_assert!(reply["decision"].is_null() || is_deny);
        let words = [
            &specific["permissionDecision"],
            &specific["decision"]["behavior"],
            &reply["permissionDecision"],
            &reply["behavior"],
        ];
        for word in words {
            prop_assert!(is_allow || *word != "allow");
        }
        let input = specific.get("updatedInput");
        prop_assert!(input.is_none() || input == answer.rewritten.as_ref() && !is_deny);
        for context in [&specific["additionalContext"], &reply["additionalContext"]] {
            if let Some(context) = context.as_str() {
                prop_assert!(context.encode_utf16().count() <= agent.context_limit_chars);
            }
        }
    }
}

/// JSON pointers to all values in a value.
fn pointers(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
        }
        _ => vec![],
    };
    let below = children.iter().flat_map(|(key, child)| {
        pointers(child).into_iter().map(move |rest| format!("/{key}{rest}"))
    });
    std::iter::once(String::new()).chain(below).collect()
}
