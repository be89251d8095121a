//! Fuzzes the hook with arbitrary bytes on its standard input.
//!
//! The first byte sets the size of the pieces in which the rest arrives.
#![no_main]

// The module is private to the hook program, and is all of it that works on bytes.
#[path = "../../crates/hook/src/json_end.rs"]
mod json_end;

use json_end::JsonEnd;
use libfuzzer_sys::fuzz_target;
use verger_agent::{AGENTS, Observed};
use verger_event::stored::{self, Body, Decoded};
use verger_event::{Access, Draft, EventId, Origin, Standing, Timestamp};

fuzz_target!(|bytes: &[u8]| {
    let Some((&size, stream)) = bytes.split_first() else { return };
    let at_once = JsonEnd::default().push(stream);
    assert_eq!(end_in_pieces(stream, usize::from(size).max(1)), at_once);
    let payload = &stream[..at_once.unwrap_or(stream.len())];
    for agent in AGENTS {
        for event in agent.events {
            if let Ok(Some(observed)) = (agent.decode)(event.name, payload) {
                assert!(event.kinds.contains(&observed.event.kind()), "{}", event.name);
                store_and_read(agent.name, observed);
            }
        }
    }
});

fn end_in_pieces(stream: &[u8], size: usize) -> Option<usize> {
    let mut end = JsonEnd::default();
    let mut offset = 0;
    for piece in stream.chunks(size) {
        if let Some(len) = end.push(piece) {
            return Some(offset + len);
        }
        offset += piece.len();
    }
    None
}

fn store_and_read(agent: &str, observed: Observed) {
    let Observed { session, actor, circumstance, event } = observed;
    let at = Timestamp::from_millis(1);
    let draft = Draft {
        id: EventId::new(at, 1),
        at,
        origin: Origin {
            agent: agent.parse().unwrap(),
            agent_version: None,
            session,
            actor,
            user: None,
            role: None,
            project: None,
            circumstance,
        },
        standing: Standing::default(),
        access: Access::default(),
        event,
    };
    let payload = stored::payload_json(&draft.event).unwrap();
    let line = stored::encode(&draft, 1, None, &Body::Inline(payload.into())).unwrap();
    let (b'\n', line) = line.split_last().unwrap() else { panic!("a line ends") };
    let Ok(Decoded::Line(read)) = stored::decode(line) else { panic!("a line is read back") };
    let read = read.into_record(None);
    // Numbers are not compared: the last digit of a fraction may change on its way.
    assert_eq!(read.draft.event.kind(), draft.event.kind());
    assert_eq!(read.draft.origin, draft.origin);
}
