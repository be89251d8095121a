//! The changes of the gate as the log stores them. The gate's state is a fold of them.
//!
//! This is a stored form. Changes to it only add variants and optional fields, so that old log
//! lines keep their meaning.

use serde::{Deserialize, Serialize};
use verger_event::{Releaser, TicketSystem};

use super::changed::Changed;
use super::ticket::{Close, Ticket, TicketName};
use super::want::CallEnd;
use crate::blocks::Block;

/// A change of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The ticket system and the current ticket were looked up.
    Found {
        /// The system; `None` if there is none.
        system: Option<TicketSystem>,
        /// The ticket.
        ticket: Option<Ticket>,
    },
    /// Tickets are about to be closed.
    CloseRequested {
        /// The tickets, and the call that closes each.
        closes: Vec<Close>,
    },
    /// The result of closing tickets is known.
    CloseEnded {
        /// The tickets.
        tickets: Vec<TicketName>,
        /// The result.
        end: CallEnd,
    },
    /// The session changed enough to require a reflection without a ticket.
    Due {
        /// The size of the change.
        changed: Changed,
    },
    /// A stop was refused.
    Held {
        /// The refusal.
        block: Block,
    },
    /// A reflection was rejected.
    Refused {
        /// The reason.
        why: String,
    },
    /// A reflection was accepted.
    Reflected {
        /// The number of learnings that were kept.
        kept: u64,
        /// The number of candidates that were rejected.
        rejected: u64,
    },
    /// The reflection was skipped.
    Skipped {
        /// The agent, person or rule that skipped it.
        by: SkippedBy,
        /// The reason.
        reason: String,
        /// The number of lines that the work changed; `None` if they weren't counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u64>,
        /// The known changed files, as paths below the project's root.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
    },
    /// The gate let the agent stop without a reflection or a skip.
    Released {
        /// The limit that was reached.
        by: ReleasedBy,
    },
    /// The session ended without a wanted reflection.
    Ended,
}

/// The agent, person or rule that skipped a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBy {
    /// The rule for small changes.
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

/// The limit because of which the gate released the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// Too many refusals without progress.
    Breaker,
    /// Too many stops in a row were refused, by any gates.
    Limit,
}

impl ReleasedBy {
    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// The meaning, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Breaker => "the agent made no progress while its stops were refused",
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
    /// Whether the change ends the gate's request. Later notes and findings then belong to the next
    /// reflection.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Reflected { .. } | Self::Skipped { .. } | Self::Released { .. })
    }

    /// The cause of the change, in a few words.
    pub fn cause(&self) -> String {
        let list = |names: &mut dyn Iterator<Item = &TicketName>| {
            names.map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Found { ticket: Some(ticket), .. } => format!("current ticket: {}", ticket.name),
            Self::Found { system: Some(TicketSystem::Session), .. } => {
                "no ticket system found: the session counts as a ticket".to_owned()
            }
            Self::Found { system: Some(TicketSystem::Tasks), .. } => {
                "no ticket system found: the agent's to-do list is used".to_owned()
            }
            Self::Found { system: Some(system), .. } => format!("ticket system: {system}"),
            Self::Found { .. } => "no ticket system found".to_owned(),
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
            Self::Refused { why } => format!("reflection rejected: {why}"),
            Self::Reflected { kept, rejected } => {
                format!("reflection recorded: {kept} kept, {rejected} rejected")
            }
            Self::Skipped { by, .. } => format!("skipped by {}", by.as_str()),
            Self::Released { by } => format!("released by {}", by.as_str()),
            Self::Ended => "the session ended without closing a ticket".to_owned(),
        }
    }
}
