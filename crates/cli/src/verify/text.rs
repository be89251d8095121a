//! The state of a session's verification gate, as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_event::{SessionId, Timestamp};
use verger_gate::verification::{Ended, Phase, ReleasedBy, Started, Verification};

use crate::invocation::ancestry::Reader;
use crate::render::output::count;
use crate::render::time::age;

/// The command that opens the gate. `None` if the gate is open, or if the reader is not a person.
pub(crate) fn release(gate: &Verification, session: &SessionId, reader: Reader) -> Option<String> {
    match (reader, gate.phase.open_ask()) {
        (Reader::Person, Some(_)) => {
            Some(format!("verger release verify --session {}", session.word()))
        }
        (Reader::Person, None) | (Reader::Agent, _) => None,
    }
}

/// The state of the gate in one line. `None` if the gate was never used for the task.
pub(crate) fn standing(gate: &Verification, now: Timestamp) -> Option<String> {
    let phase = match &gate.phase {
        Phase::Idle => None,
        Phase::Blocked { ask, .. } => {
            let number = gate.blocks.last().map_or(0, |block| block.number);
            let refused = count(number, "stop");
            Some(format!(
                "{} verification required ({}), {refused} refused",
                ask.depth, ask.trigger
            ))
        }
        Phase::Claimed { why, at, .. } => {
            Some(format!("claimed as done without a green check {}: {why}", age(*at, now)))
        }
        Phase::Verified { at } => Some(format!("passed {}", age(*at, now))),
        Phase::Released { by: ReleasedBy::Person, at } => {
            Some(format!("released by a person {}", age(*at, now)))
        }
        Phase::Released { by, at } => {
            Some(format!("released {}, not verified: {}", age(*at, now), by.meaning()))
        }
    };
    let last = gate.last.as_ref().map(|Ended { at, verified }| {
        let (depth, status) = (verified.depth, verified.status.as_str());
        format!("{depth} verification was {status} {}", age(*at, now))
    });
    let started = gate
        .started
        .as_ref()
        .map(|Started { depth, at, .. }| format!("{depth} verification began {}", age(*at, now)));
    let failure = gate.failures.last().map(|failure| format!("failed: {}", failure.what));
    let parts: Vec<_> = [phase, last, started, failure].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The whole state of the gate, for programs.
pub(crate) fn verification_json(gate: &Verification, release: Option<&str>) -> Value {
    let since = match &gate.phase {
        Phase::Blocked { since, .. } => Some(since),
        Phase::Claimed { at, .. } => Some(at),
        Phase::Idle | Phase::Verified { .. } | Phase::Released { .. } => None,
    };
    json!({
        "state": gate.phase.name(),
        "asked": gate.phase.open_ask(),
        "since_ms": since,
        "stops_refused": gate.blocks.last().map_or(0, |block| block.number),
        "last": gate.last,
        "last_green": gate.outcomes.last_green(),
        "started": gate.started,
        "failures": gate.failures,
        "release": release,
    })
}
