//! The inputs of the gate.

use verger_event::TicketSystem;

use super::change::SkippedBy;
use super::changed::Changed;
use super::ticket::{Close, Ticket};
use super::want::EndedCall;

/// An input of the gate. The gate's state already includes the event that caused the input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// The ticket system and the current ticket were looked up.
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
    /// A person gave a prompt. The client stops calls that were still running then.
    Prompted,
    /// A call ended.
    CallEnded(EndedCall<'a>),
    /// The agent added an item to its own to-do list.
    TodoCreated {
        /// The item's id.
        id: &'a str,
        /// The item's title.
        subject: &'a str,
    },
    /// The agent completed an item of its own to-do list.
    TodoCompleted {
        /// The item's id.
        id: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// The agent reflected.
    Reflection(Reflection<'a>),
    /// The agent, a person or a rule skips the reflection.
    Skip {
        /// The agent, person or rule that skips it.
        by: SkippedBy,
        /// The reason.
        reason: Option<&'a str>,
        /// The change that the skip is about.
        extent: Extent<'a>,
    },
    /// The session ended.
    SessionEnded,
}

/// The change since the gate's last request ended.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// The size of the change.
    pub changed: Changed,
    /// The known files, as paths below the project's root.
    pub files: &'a [String],
}

impl Extent<'_> {
    /// An unknown change.
    pub const UNKNOWN: Self = Self { changed: Changed::Unknown, files: &[] };
}

/// The facts about a stop that the main agent wants to make.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The change since the gate's last request ended.
    pub extent: Extent<'a>,
    /// Whether the agent waits for a background subagent that will report.
    pub waits: bool,
    /// Whether the limit across all gates allows one more refused stop.
    pub may_refuse: bool,
}

/// The result of a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection<'a> {
    /// The reflection is accepted.
    Taken {
        /// The number of learnings that are kept.
        kept: u64,
        /// The number of candidates that are rejected.
        rejected: u64,
    },
    /// The reflection is rejected, because it contains no usable learning.
    Refused {
        /// The reason.
        why: &'a str,
    },
}
