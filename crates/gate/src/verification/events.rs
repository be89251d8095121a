//! Builds the log events for a step of the verification gate.

use verger_event::{Event, Timestamp};

use super::change::Change;
use super::step::Step;
use super::{GATE, Verification};

/// The log events for a step of the gate, in order: one for each change of the gate, and the events
/// that verger keeps longer than the session.
pub fn events(gate: &Verification, step: &Step, now: Timestamp) -> Vec<Event> {
    let mut gate = gate.clone();
    let mut events = vec![];
    for change in &step.changes {
        let from = gate.phase.name().to_owned();
        gate.apply(change, now);
        events.push(Event::GateChanged {
            gate: GATE.into(),
            from,
            to: gate.phase.name().to_owned(),
            cause: change.cause(),
            // Serializing a change can't fail.
            change: serde_json::to_value(change).ok(),
        });
        events.extend(lasting(change));
    }
    events
}

/// The event for a change that verger keeps longer than the session, if there is one.
fn lasting(change: &Change) -> Option<Event> {
    match change {
        Change::Verified { verified } => Some(verified.event()),
        Change::Released { by, reason } => Some(Event::GateReleased {
            gate: GATE.into(),
            by: (*by).into(),
            reason: reason.clone().unwrap_or_else(|| by.meaning().to_owned()),
        }),
        Change::Started { .. }
        | Change::Lost { .. }
        | Change::Held { .. }
        | Change::Failed { .. }
        | Change::Succeeded { .. }
        | Change::Claimed { .. }
        | Change::Satisfied => None,
    }
}
