//! A decoded hook call, and the errors of decoding.

use verger_event::{Actor, Circumstance, Event, SessionId};

/// One decoded call of the hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The agent's session.
    pub session: SessionId,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's circumstances.
    pub circumstance: Circumstance,
    /// The event.
    pub event: Event,
}

/// The reason why a payload can't be decoded.
///
/// The messages name the event and the position but quote nothing from the payload. The sources
/// do quote the payload, so don't write them to places where its text must not be.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// The bytes are not UTF-8.
    #[error("read the payload of {event}: invalid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// The name of the event in the hook call.
        event: &'static str,
        /// The position of the first invalid byte.
        offset: usize,
        /// The error.
        source: std::str::Utf8Error,
    },
    /// The text is not JSON, or doesn't match the event's format.
    #[error(
        "read the payload of {event}: it doesn't match the event's format at line {}, column {}",
        source.line(), source.column()
    )]
    Form {
        /// The name of the event in the hook call.
        event: &'static str,
        /// The parse error.
        source: serde_json::Error,
    },
    /// The payload and the hook call name different events.
    #[error("read the payload of {event}: it names another event")]
    EventMismatch {
        /// The name of the event in the hook call.
        event: &'static str,
        /// The event that the payload names.
        found: String,
    },
}
