//! The changes of the learning gate as the log stores them. The gate's state is a fold of them.
//!
//! This is a stored form. Changes to it only add variants and optional fields, so that old log
//! lines keep their meaning.

use serde::{Deserialize, Serialize};
use verger_event::{Releaser, TicketSystem};

use super::changed::Changed;
use super::ticket::{Close, Ticket, TicketName};
use super::want::CallEnd;
use crate::blocks::Block;

/// A change of the learning gate's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The ticket system and the current ticket were looked up.
    Found {
        /// The ticket system. `None` if the project has none.
        system: Option<TicketSystem>,
        /// The current ticket, if there is one.
        ticket: Option<Ticket>,
    },
    /// An agent is about to run a command that closes tickets.
    CloseRequested {
        /// The tickets that the command closes, each with the tool call that closes it.
        closes: Vec<Close>,
    },
    /// The tool call that closes tickets ended.
    CloseEnded {
        /// The tickets that the call should close.
        tickets: Vec<TicketName>,
        /// The result of the call.
        end: CallEnd,
    },
    /// The session changed enough lines to require a reflection without a ticket.
    Due {
        /// The size of the session's change.
        changed: Changed,
    },
    /// The gate refused a stop.
    Held {
        /// The refusal with its number and time.
        block: Block,
    },
    /// The gate rejected a reflection.
    Refused {
        /// The reason why the reflection was rejected.
        why: String,
    },
    /// The gate accepted a reflection.
    Reflected {
        /// The number of learnings that were kept from the reflection.
        kept: u64,
        /// The number of learnings in the reflection that were rejected.
        rejected: u64,
    },
    /// The reflection was skipped.
    Skipped {
        /// The agent, person or rule that skipped the reflection.
        by: SkippedBy,
        /// The reason for the skip.
        reason: String,
        /// The number of lines that the session changed. `None` if they weren't counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u64>,
        /// The changed files as far as they are known, as paths below the project's root.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
    },
    /// The gate let the agent stop, although the agent neither reflected nor skipped the
    /// reflection.
    Released {
        /// The limit on refused stops that was reached.
        by: ReleasedBy,
    },
    /// The session ended while a reflection was still missing.
    Ended,
}

/// The agent, person or rule that skipped a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBy {
    /// The rule that small changes need no reflection.
    Auto,
    /// The agent itself.
    Agent,
    /// A person.
    Person,
}

impl SkippedBy {
    /// The name in the log.
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

/// The limit on refused stops because of which the gate let the agent stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// The limit on refusals of this gate without progress.
    Breaker,
    /// The limit on stops in a row that any gates refused.
    Limit,
}

impl ReleasedBy {
    /// The name in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// The limit in words, for messages.
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
    /// Whether the change ends the gate's request for a reflection. Later notes and findings belong
    /// to the next reflection.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Reflected { .. } | Self::Skipped { .. } | Self::Released { .. })
    }

    /// The cause of the change in a few words, for the log.
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
