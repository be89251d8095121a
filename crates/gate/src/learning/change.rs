//! What the log keeps of the gate: its state is the fold of these.
//!
//! This is a stored form. Variants and fields are added, and new fields are optional; an old line
//! must go on to mean what it meant.

use serde::{Deserialize, Serialize};
use verger_event::{Releaser, TicketSystem};

use super::changed::Changed;
use super::ticket::{Close, Ticket, TicketName};
use super::want::CallEnd;
use crate::blocks::Block;

/// Something happened to the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// It is known where tickets are kept, and which is being worked on.
    Found {
        /// Where.
        system: Option<TicketSystem>,
        /// The ticket.
        ticket: Option<Ticket>,
    },
    /// Tickets are about to be closed.
    CloseRequested {
        /// Which, and by which call.
        closes: Vec<Close>,
    },
    /// It is known what came of closing tickets.
    CloseEnded {
        /// Which.
        tickets: Vec<TicketName>,
        /// What.
        end: CallEnd,
    },
    /// The session changed enough to be asked without a ticket.
    Due {
        /// How much.
        changed: Changed,
    },
    /// A stop was refused.
    Held {
        /// Which refusal it is.
        block: Block,
    },
    /// A reflection was not taken.
    Refused {
        /// Why.
        why: String,
    },
    /// A reflection was taken.
    Reflected {
        /// How many learnings are kept.
        kept: u64,
        /// How many candidates were turned away.
        rejected: u64,
    },
    /// There is nothing to reflect on.
    Skipped {
        /// Who or what said so.
        by: SkippedBy,
        /// Why.
        reason: String,
        /// How many lines the work changed; nothing where they were not counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u64>,
        /// The files that it changed, as paths below the project's root, as far as they are known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
    },
    /// The gate gave way.
    Released {
        /// To what.
        by: ReleasedBy,
    },
    /// The session ended while nothing was wanted.
    Ended,
}

/// Who or what says that there is nothing to reflect on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBy {
    /// The change is small.
    Auto,
    /// The agent.
    Agent,
    /// A person.
    Person,
}

impl SkippedBy {
    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }
}

impl From<SkippedBy> for Releaser {
    fn from(by: SkippedBy) -> Self {
        match by {
            SkippedBy::Auto => Self::Auto,
            SkippedBy::Agent => Self::Agent,
            SkippedBy::Person => Self::Person,
        }
    }
}

/// What a gate gives way to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// The agent stood still too often.
    Breaker,
    /// Too many stops in a row were refused, by whichever gates.
    Limit,
}

impl ReleasedBy {
    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Breaker => "the agent stood still while its stops were refused",
            Self::Limit => "too many stops in a row were refused",
        }
    }
}

impl From<ReleasedBy> for Releaser {
    fn from(by: ReleasedBy) -> Self {
        match by {
            ReleasedBy::Breaker => Self::Breaker,
            ReleasedBy::Limit => Self::Limit,
        }
    }
}

impl Change {
    /// Whether the gate had its answer: what others left counts for the next one.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Reflected { .. } | Self::Skipped { .. } | Self::Released { .. })
    }

    /// What moved the gate, in a few words.
    pub fn cause(&self) -> String {
        let list = |names: &mut dyn Iterator<Item = &TicketName>| {
            names.map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Found { ticket: Some(ticket), .. } => format!("ticket in hand: {}", ticket.name),
            Self::Found { system: Some(TicketSystem::Session), .. } => {
                "no tickets are kept here: the session counts".to_owned()
            }
            Self::Found { system: Some(TicketSystem::Tasks), .. } => {
                "no tickets are kept here: the agent's own list counts".to_owned()
            }
            Self::Found { system: Some(system), .. } => format!("tickets are kept by {system}"),
            Self::Found { .. } => "no tickets are kept here".to_owned(),
            Self::CloseRequested { closes } => {
                format!("closing {}", list(&mut closes.iter().map(|close| &close.ticket)))
            }
            Self::CloseEnded { tickets, end } => {
                let what = match end {
                    CallEnd::Succeeded => "closed",
                    CallEnd::Failed => "close failed:",
                    CallEnd::Refused => "close refused:",
                    CallEnd::Unclear => "perhaps closed",
                };
                format!("{what} {}", list(&mut tickets.iter()))
            }
            Self::Due { changed } => format!("the session changed {changed}"),
            Self::Held { block } => format!("stop refused, number {}", block.number),
            Self::Refused { why } => format!("reflection not taken: {why}"),
            Self::Reflected { kept, rejected } => {
                format!("reflection taken: {kept} kept, {rejected} rejected")
            }
            Self::Skipped { by, .. } => format!("skipped by {}", by.as_str()),
            Self::Released { by } => format!("released by {}", by.as_str()),
            Self::Ended => "the session ended without a close".to_owned(),
        }
    }
}
