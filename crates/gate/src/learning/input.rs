//! The inputs of the learning gate.

use verger_event::TicketSystem;

use super::change::SkippedBy;
use super::changed::Changed;
use super::ticket::{Close, Ticket};
use super::want::EndedCall;

/// An input of the learning gate. The gate's state already includes the event that caused the
/// input.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// The ticket system and the current ticket were looked up.
    Found {
        /// The ticket system. `None` if the project has none.
        system: Option<TicketSystem>,
        /// The current ticket, if there is one.
        ticket: Option<&'a Ticket>,
    },
    /// An agent is about to run a command that closes tickets.
    CloseSeen {
        /// The tickets that the command closes.
        closes: &'a [Close],
    },
    /// A person sent a prompt. The client stops tool calls that are still running at that time.
    Prompted,
    /// A tool call ended.
    CallEnded(EndedCall<'a>),
    /// The agent added an item to its own to-do list.
    TodoCreated {
        /// The id of the item that was added.
        id: &'a str,
        /// The title of the item that was added.
        subject: &'a str,
    },
    /// The agent completed an item of its own to-do list.
    TodoCompleted {
        /// The id of the item that was completed.
        id: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// The agent or a person sent a reflection.
    Reflection(Reflection<'a>),
    /// The agent, a person or a rule skips the reflection.
    Skip {
        /// The agent, person or rule that skips the reflection.
        by: SkippedBy,
        /// The reason for the skip, if one was given.
        reason: Option<&'a str>,
        /// The session's change of files that the skip is about.
        extent: Extent<'a>,
    },
    /// The session ended.
    SessionEnded,
}

/// The session's change of files since the gate's last request ended.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// The size of the change.
    pub changed: Changed,
    /// The changed files as far as they are known, as paths below the project's root.
    pub files: &'a [String],
}

impl Extent<'_> {
    /// A change of unknown size and files.
    pub const UNKNOWN: Self = Self { changed: Changed::Unknown, files: &[] };
}

/// The facts that the gate needs to decide about a stop of the main agent.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// The session's change of files since the gate's last request ended.
    pub extent: Extent<'a>,
    /// Whether the agent waits for a background subagent that has not reported yet.
    pub waits: bool,
    /// Whether the limit on the refused stops of all gates allows one more refusal.
    pub may_refuse: bool,
}

/// The result of checking a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection<'a> {
    /// The reflection is accepted.
    Taken {
        /// The number of learnings that are kept from the reflection.
        kept: u64,
        /// The number of learnings in the reflection that are rejected.
        rejected: u64,
    },
    /// The reflection is rejected, because it contains no usable learning.
    Refused {
        /// The reason why the reflection is rejected.
        why: &'a str,
    },
}
