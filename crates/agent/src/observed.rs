//! What a hook call says, in the words of `verger-event`; and what keeps it from being read.

use verger_event::{Actor, Circumstance, Event, SessionId};

/// One call of the hook, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The agent's session.
    pub session: SessionId,
    /// The main agent, or one of its subagents.
    pub actor: Actor,
    /// The agent's situation.
    pub circumstance: Circumstance,
    /// What happened.
    pub event: Event,
}

/// Why a payload cannot be understood.
///
/// The messages say which event and where, and quote nothing from the payload. The sources do:
/// keep them from places where its text must not be.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// The bytes are no text.
    #[error("read the payload of {event}: it is not UTF-8 from byte {offset} on")]
    NotUtf8 {
        /// The event of the call.
        event: &'static str,
        /// The first byte that is not.
        offset: usize,
        /// What is wrong with it.
        source: std::str::Utf8Error,
    },
    /// The text is not JSON, or not of the event's form.
    #[error(
        "read the payload of {event}: it is not of that event's form at line {}, column {}",
        source.line(), source.column()
    )]
    Form {
        /// The event of the call.
        event: &'static str,
        /// What was expected there.
        source: serde_json::Error,
    },
    /// The payload names another event than the call.
    #[error("read the payload of {event}: it names another event")]
    EventMismatch {
        /// The event of the call.
        event: &'static str,
        /// The event that the payload names.
        found: String,
    },
}
