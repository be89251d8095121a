//! What can happen to the gate.

use verger_event::TicketSystem;

use super::change::SkippedBy;
use super::changed::Changed;
use super::ticket::{Close, Ticket};
use super::want::EndedCall;

/// Something that the gate may have to do with. The event itself is in the state already.
#[derive(Debug, Clone)]
pub enum Input<'a> {
    /// It was looked where tickets are kept, and which is being worked on.
    Found {
        /// Where; nothing when nowhere.
        system: Option<TicketSystem>,
        /// The ticket.
        ticket: Option<&'a Ticket>,
    },
    /// An agent is about to run what closes tickets.
    CloseSeen {
        /// The tickets.
        closes: &'a [Close],
    },
    /// A person spoke. What was still running then was stopped.
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
    /// The agent ticked an item off its own list.
    TodoCompleted {
        /// Its id.
        id: &'a str,
    },
    /// The main agent wants to stop.
    Stop(StopFacts<'a>),
    /// The agent reflected.
    Reflection(Reflection<'a>),
    /// Somebody says that there is nothing to reflect on.
    Skip {
        /// Who.
        by: SkippedBy,
        /// Why.
        reason: Option<&'a str>,
        /// What it is about.
        extent: Extent<'a>,
    },
    /// The session ended.
    SessionEnded,
}

/// What changed since the gate last had an answer.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// How much.
    pub changed: Changed,
    /// The files, as paths below the project's root, as far as they are known.
    pub files: &'a [String],
}

impl Extent<'_> {
    /// Nobody could tell.
    pub const UNKNOWN: Self = Self { changed: Changed::Unknown, files: &[] };
}

/// What is known when the main agent wants to stop.
#[derive(Debug, Clone, Copy)]
pub struct StopFacts<'a> {
    /// What changed since the gate last had an answer.
    pub extent: Extent<'a>,
    /// Whether a subagent runs in the background that will be heard of.
    pub waits: bool,
    /// Whether one more stop may be refused, by whichever gates.
    pub may_refuse: bool,
}

/// What a reflection came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reflection<'a> {
    /// It is taken.
    Taken {
        /// How many learnings are kept.
        kept: u64,
        /// How many candidates were turned away.
        rejected: u64,
    },
    /// There is nothing in it that can be taken.
    Refused {
        /// Why.
        why: &'a str,
    },
}
