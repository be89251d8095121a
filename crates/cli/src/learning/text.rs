//! The state of a session's learning gate, as text for people and as JSON for programs.

use serde_json::{Value, json};
use verger_event::{SessionId, Timestamp};
use verger_gate::learning::{After, Learning, Phase, SkippedBy, Ticket, TicketName, Want};

use crate::invocation::ancestry::Reader;
use crate::render::output::count;
use crate::render::time::age;

/// The command that opens the gate. `None` if the gate is open, or if the reader is not a person.
pub(crate) fn release(learning: &Learning, session: &SessionId, reader: Reader) -> Option<String> {
    match (reader, learning.phase.open_want()) {
        (Reader::Person, Some(_)) => {
            Some(format!("verger release learning --session {}", session.word()))
        }
        (Reader::Person, None) | (Reader::Agent, _) => None,
    }
}

/// The state of the gate in one line. `None` if there is nothing to report.
pub(crate) fn standing(learning: &Learning, now: Timestamp) -> Option<String> {
    Some(match &learning.phase {
        Phase::Idle { after: After::Nothing } => return None,
        Phase::Idle { after: After::Released { by, at } } => {
            format!("released {}, without a reflection: {}", age(*at, now), by.meaning())
        }
        Phase::Active { ticket } => format!("works on {}", ticket_text(ticket)),
        Phase::Pending { want } => wanted(want),
        Phase::Blocked { want } => {
            let number = learning.blocks.last().map_or(0, |block| block.number);
            format!("{}, {} refused", wanted(want), count(number, "stop"))
        }
        Phase::Reflected { at, tickets } => {
            format!("reflected{} {}", on(tickets), age(*at, now))
        }
        Phase::Skipped { at, by, tickets } => {
            let by = match by {
                SkippedBy::Auto => "small change",
                SkippedBy::Agent => "by the agent",
                SkippedBy::Person => "by a person",
            };
            format!("skipped{} {}, {by}", on(tickets), age(*at, now))
        }
    })
}

fn ticket_text(Ticket { name, title, .. }: &Ticket) -> String {
    if title.is_empty() { name.to_string() } else { format!("{name}: {title}") }
}

fn wanted(want: &Want) -> String {
    match &want.refusal {
        Some(why) => {
            format!("reflection required: {}; the last one was rejected: {why}", want.words())
        }
        None => format!("reflection required: {}", want.words()),
    }
}

fn on(tickets: &[TicketName]) -> String {
    if tickets.is_empty() {
        return String::new();
    }
    let names: Vec<_> = tickets.iter().map(ToString::to_string).collect();
    format!(" on {}", names.join(", "))
}

/// The whole state of the gate, for programs.
pub(crate) fn learning_json(learning: &Learning, release: Option<&str>) -> Value {
    let want = learning.phase.open_want();
    let closed = want.map(|want| want.closes.iter().map(|close| &close.ticket).collect::<Vec<_>>());
    json!({
        "state": learning.phase.name(),
        "system": learning.system,
        "ticket": learning.phase.ticket(),
        "closed": closed.unwrap_or_default(),
        "changed": want.and_then(|want| want.changed),
        "since_ms": want.map(|want| want.since),
        "refusal": want.and_then(|want| want.refusal.as_deref()),
        "stops_refused": learning.blocks.last().map_or(0, |block| block.number),
        "offers": learning.offers.iter().collect::<Vec<_>>(),
        "learnings_surfaced": learning.shown.iter().collect::<Vec<_>>(),
        "release": release,
    })
}
