//! The inputs of the gate.

use verger_event::TicketSystem;

use super::change::SkippedBy;
use super::changed::Changed;
use super::ticket::{Close, Ticket};
use super::want::EndedCall;

/// An input of the gate. The state already contains the event itself.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// The ticket system and the ticket in hand were looked up.
    Found {
        /// The system; `None` if there is none.
        system: Option<TicketSystem>,
        /// The ticket.
        ticket: Option<&'a Ticket>,
    },
    /// An agent is about to run a command that closes tickets.
    CloseSeen {
        /// The tickets.
        closes: &'a [Close],
    },
    /// A person gave a prompt. Any call that was still running then was stopped.
    Prompted,
    /// A call ended.
    CallEnded(EndedCall<'a>),
    /// The agent wrote an item on its own list.
    TodoCreated {
        /// Its id.
        id: &'a str,
        /// Its title.
        subject: &'a str,
    },
    /// The agent completed an item on its own list.
    TodoCompleted {
        /// Its id.
        id: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// The agent reflected.
    Reflection(Reflection<'a>),
    /// The agent, a person or a rule says that there is nothing to reflect on.
    Skip {
        /// The agent, person or rule that says so.
        by: SkippedBy,
        /// The reason.
        reason: Option<&'a str>,
        /// The change that it is about.
        extent: Extent<'a>,
    },
    /// The session ended.
    SessionEnded,
}

/// The change since the gate last got an answer.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// The size of the change.
    pub changed: Changed,
    /// The files, as paths below the project's root, as far as they are known.
    pub files: &'a [String],
}

impl Extent<'_> {
    /// An unknown change.
    pub const UNKNOWN: Self = Self { changed: Changed::Unknown, files: &[] };
}

/// The facts about a stop that the main agent wants to make.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The change since the gate last got an answer.
    pub extent: Extent<'a>,
    /// Whether a subagent that will report still runs in the background.
    pub waits: bool,
    /// Whether the limit across all gates allows one more refused stop.
    pub may_refuse: bool,
}

/// The result of a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection<'a> {
    /// It is accepted.
    Taken {
        /// The number of learnings that are kept.
        kept: u64,
        /// The number of candidates that are rejected.
        rejected: u64,
    },
    /// It is rejected: it contains nothing that can be kept.
    Refused {
        /// The reason.
        why: &'a str,
    },
}
