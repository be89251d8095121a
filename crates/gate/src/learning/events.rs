//! Builds the log events for a step of the learning gate.

use verger_event::{Event, Releaser, TicketChange, Timestamp};

use super::change::Change;
use super::step::Step;
use super::ticket::TicketName;
use super::want::CallEnd;
use super::{GATE, Learning};

/// The log events for a step of the gate, in order: one for each change of the gate, and the events
/// that verger keeps longer than the session.
pub fn events(learning: &Learning, step: &Step, now: Timestamp) -> Vec<Event> {
    let mut learning = learning.clone();
    let mut events = vec![];
    for change in &step.changes {
        let from = learning.phase.name().to_owned();
        learning.apply(change, now);
        events.push(Event::GateChanged {
            gate: GATE.into(),
            from,
            to: learning.phase.name().to_owned(),
            cause: change.cause(),
            // Serializing a change can't fail.
            change: serde_json::to_value(change).ok(),
        });
        events.extend(lasting(change));
    }
    events
}

/// The events for a change that verger keeps longer than the session.
fn lasting(change: &Change) -> Vec<Event> {
    match change {
        Change::Found { ticket: Some(ticket), .. } => vec![Event::TicketSeen {
            system: ticket.name.system,
            ticket: ticket.name.id.clone().unwrap_or_default(),
            change: TicketChange::Found,
            title: Some(ticket.title.clone()).filter(|title| !title.is_empty()),
            description: Some(ticket.description.clone()).filter(|text| !text.is_empty()),
        }],
        Change::CloseRequested { closes } => {
            closes.iter().map(|close| seen(&close.ticket, TicketChange::CloseRequested)).collect()
        }
        Change::CloseEnded { tickets, end } => {
            let change = match end {
                CallEnd::Succeeded => Some(TicketChange::Closed),
                CallEnd::Failed | CallEnd::Refused => Some(TicketChange::CloseFailed),
                CallEnd::Unclear => None,
            };
            let seen = change.map(|change| tickets.iter().map(move |ticket| seen(ticket, change)));
            seen.into_iter().flatten().collect()
        }
        Change::Skipped { by, reason, .. } => vec![released((*by).into(), reason)],
        Change::Released { by } => vec![released((*by).into(), by.meaning())],
        Change::Found { .. }
        | Change::Due { .. }
        | Change::Held { .. }
        | Change::Refused { .. }
        | Change::Reflected { .. }
        | Change::Ended => vec![],
    }
}

fn seen(ticket: &TicketName, change: TicketChange) -> Event {
    Event::TicketSeen {
        system: ticket.system,
        ticket: ticket.id.clone().unwrap_or_default(),
        change,
        title: None,
        description: None,
    }
}

fn released(by: Releaser, reason: &str) -> Event {
    Event::GateReleased { gate: GATE.into(), by, reason: reason.to_owned() }
}
