//! Property tests with random payloads and answers.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use verger_agent::{CLAUDE, CONTEXT_LIMIT_CHARS, Observed};
use verger_event::{Answer, Event, Verdict, stored};

use crate::fixture::{OPTIONAL_FIELDS, claude};

fn event_name() -> impl Strategy<Value = &'static str> {
    let names: Vec<_> = CLAUDE.events.iter().map(|event| event.name).collect();
    select(names)
}

fn fixture() -> impl Strategy<Value = (String, Value)> {
    let all: Vec<_> = claude().iter().map(|it| (it.event_name().to_owned(), it.json())).collect();
    select(all)
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
    let mut names: Vec<String> = claude()
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

/// Decodes a payload and formats the result. If decoding fails, salvaging must succeed.
fn decode(event_name: &str, payload: &[u8]) -> Option<Observed> {
    let decoded = (CLAUDE.decode)(event_name, payload);
    assert_ne!(format!("{decoded:?}"), "");
    if decoded.is_err() {
        salvage(event_name, payload);
    }
    decoded.ok().flatten()
}

/// Salvages a payload and checks that the log can read the result.
fn salvage(event_name: &str, payload: &[u8]) -> Observed {
    let salvaged = (CLAUDE.salvage)(event_name, payload).unwrap();
    let Event::Unknown { kind, payload } = &salvaged.event else { panic!("{salvaged:?}") };
    let first_kind = CLAUDE.event(event_name).unwrap().kinds[0];
    assert!(kind == first_kind || kind == "payload.unread", "{kind}");
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

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        name in event_name(),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        decode(name, &bytes);
        salvage(name, &bytes);
    }

    #[test]
    fn a_change_of_type_in_an_optional_field_never_loses_the_event(
        (name, mut payload) in fixture(),
        fields in prop::collection::btree_map(select(OPTIONAL_FIELDS), any_json(), 1..6),
    ) {
        let kind = decode(&name, payload.to_string().as_bytes()).unwrap().event.kind().to_owned();
        for (field, value) in fields {
            payload[field] = value;
        }
        let changed = decode(&name, payload.to_string().as_bytes()).unwrap();
        prop_assert_eq!(changed.event.kind(), kind);
    }

    #[test]
    fn a_payload_of_an_unfitting_form_is_salvaged_in_its_own_session(
        name in event_name(),
        session in "[a-zA-Z0-9._ -]{0,512}",
        fields in prop::collection::btree_map(field(), any_json(), 0..12),
    ) {
        let mut payload: Map<String, Value> = fields.into_iter().collect();
        payload.insert("session_id".into(), json!(session));
        let salvaged = salvage(name, Value::Object(payload).to_string().as_bytes());
        prop_assert_eq!(salvaged.session.as_str(), session);
    }

    #[test]
    fn known_fields_with_arbitrary_values_never_panic(
        name in event_name(),
        fields in prop::collection::btree_map(field(), any_json(), 0..12),
    ) {
        let mut payload: Map<String, Value> = fields.into_iter().collect();
        payload.insert("session_id".into(), json!("s"));
        payload.remove("hook_event_name");
        decode(name, Value::Object(payload).to_string().as_bytes());
    }

    #[test]
    fn a_damaged_payload_never_panics(
        (name, payload) in fixture(),
        end in any::<Index>(),
        at in any::<Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = payload.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        decode(&name, &bytes);
        bytes.truncate(end.index(bytes.len()));
        decode(&name, &bytes);
    }

    #[test]
    fn a_payload_that_lacks_a_field_or_has_another_type_in_it_never_panics(
        (name, payload) in fixture(),
        at in any::<Index>(),
        other in any_json(),
    ) {
        let mut fields = payload.as_object().unwrap().clone();
        let field = fields.keys().nth(at.index(fields.len())).unwrap().clone();
        fields.insert(field.clone(), other);
        decode(&name, Value::Object(fields.clone()).to_string().as_bytes());
        fields.remove(&field);
        let lacking = decode(&name, Value::Object(fields).to_string().as_bytes());
        prop_assert!(field != "session_id" || lacking.is_none());
    }

    #[test]
    fn an_unknown_field_never_changes_what_is_decoded(
        (name, payload) in fixture(),
        field in "x_[a-z]{0,8}",
        value in any_json(),
    ) {
        let whole = decode(&name, payload.to_string().as_bytes());
        prop_assert!(whole.is_some());
        let mut payload = payload;
        payload[&field] = value.clone();
        for list in ["tool_calls", "background_tasks"] {
            for item in payload.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                item[&field] = value.clone();
            }
        }
        if let Some(effort) = payload.get_mut("effort") {
            effort[&field] = value;
        }
        prop_assert_eq!(decode(&name, payload.to_string().as_bytes()), whole);
    }

    #[test]
    fn an_answer_is_one_line_of_json_that_never_exceeds_the_limit_nor_the_verdict(
        name in event_name(),
        verdict in verdict(),
        context in text(),
        notice in text(),
        rewritten in prop::option::of(any::<String>().prop_map(|line| json!({ "command": line }))),
    ) {
        let is_allow = matches!(verdict, Verdict::Allow { .. });
        let is_deny = matches!(verdict, Verdict::Deny { .. });
        let answer = Answer { verdict, context, notice, rewritten };
        let Some(printed) = (CLAUDE.encode)(name, &answer) else {
            return Ok(());
        };
        if name == "PreCompact" {
            prop_assert!(printed.encode_utf16().count() <= CONTEXT_LIMIT_CHARS);
            return Ok(());
        }
        prop_assert!(!printed.contains('\n'));
        let reply: Value = serde_json::from_str(&printed).unwrap();
        let specific = &reply["hookSpecificOutput"];
        prop_assert!(specific.is_null() || specific["hookEventName"] == name);
        prop_assert!(reply["decision"].is_null() || reply["decision"] == "block");
        for word in [&specific["permissionDecision"], &specific["decision"]["behavior"]] {
            prop_assert!(is_allow || *word != "allow");
        }
        let input = specific.get("updatedInput");
        prop_assert!(input.is_none() || input == answer.rewritten.as_ref() && !is_deny);
        if let Some(context) = specific["additionalContext"].as_str() {
            prop_assert!(context.encode_utf16().count() <= CONTEXT_LIMIT_CHARS);
        }
    }
}
