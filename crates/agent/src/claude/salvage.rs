//! Keeps payloads of Claude Code that can't be decoded, as events with raw fields or text.

use serde_json::{Map, Value};
use verger_event::{Actor, Circumstance, Event, PromptId, SessionId, stored};

use super::decode::fields;
use super::{CLAUDE, wire};
use crate::Observed;
use crate::payload::{Id, Payload, actor};
use crate::spec::HookEvent;
use crate::unread::{UNATTRIBUTED, session_in, unread};

/// Keeps the payload's fields as an unknown event of the event's kind. If that is impossible,
/// keeps the payload as text.
pub(super) fn salvage(event_name: &str, payload: &[u8]) -> Option<Observed> {
    let event = CLAUDE.event(event_name)?;
    let as_text = || unread(event.name, payload);
    // The error is ignored, because the decoder already reported it.
    let text = Payload::new(event.name, payload).ok();
    let fields = text.as_ref().and_then(|text| fields(text).ok());
    if let Some(mut observed) = fields.and_then(|fields| as_object(event, fields)) {
        if is_read_back(&observed.event) {
            observed.event = as_text();
        }
        return Some(observed);
    }
    let common: Option<wire::Common> = text.and_then(|text| text.read().ok());
    Some(match common {
        Some(common) => common.observe(as_text()),
        None => Observed {
            session: SessionId::new(session_in(payload).unwrap_or(UNATTRIBUTED)),
            actor: Actor::Main { agent_type: None },
            circumstance: Circumstance::default(),
            event: as_text(),
        },
    })
}

/// The payload as an event in its own session. Fields that don't fit into the envelope stay in
/// the payload.
fn as_object(event: &HookEvent, mut fields: Map<String, Value>) -> Option<Observed> {
    let session = take_id(&mut fields, "session_id").map(SessionId::new)?;
    let agent_id = take_id(&mut fields, "agent_id");
    let agent_type = take_text(&mut fields, "agent_type");
    let circumstance = Circumstance {
        cwd: take_text(&mut fields, "cwd"),
        prompt: take_id(&mut fields, "prompt_id").map(PromptId::new),
        permission_mode: take_text(&mut fields, "permission_mode"),
        effort: take_effort(&mut fields),
    };
    if fields.get("hook_event_name").is_some_and(|name| name == event.name) {
        fields.remove("hook_event_name");
    }
    Some(Observed {
        session,
        actor: actor(agent_id, agent_type),
        circumstance,
        event: Event::Unknown {
            kind: (*event.kinds.first()?).to_owned(),
            payload: Value::Object(fields),
        },
    })
}

/// Whether the log would decode the stored payload as a known event. That would be wrong, because
/// the stored form of some kinds matches many objects.
fn is_read_back(event: &Event) -> bool {
    stored::payload_json(event)
        .is_ok_and(|json| !matches!(stored::event_from(event.kind(), &json), Event::Unknown { .. }))
}

fn take_text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    let text = match fields.get_mut(name)? {
        Value::String(text) => std::mem::take(text),
        _ => return None,
    };
    fields.remove(name);
    Some(text)
}

fn take_id(fields: &mut Map<String, Value>, name: &str) -> Option<Id> {
    // An id that is too long stays in the payload.
    let id = Id::try_from(fields.get(name)?.as_str()?.to_owned()).ok()?;
    fields.remove(name);
    Some(id)
}

fn take_effort(fields: &mut Map<String, Value>) -> Option<String> {
    let level = fields.get("effort")?.get("level")?.as_str()?.to_owned();
    fields.remove("effort");
    Some(level)
}
