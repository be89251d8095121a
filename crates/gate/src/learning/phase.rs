//! Where the gate stands.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

use super::change::{ReleasedBy, SkippedBy};
use super::ticket::{Ticket, TicketName};
use super::want::Want;

/// Where the gate stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is wanted.
    Idle {
        /// What came before.
        after: After,
    },
    /// A ticket is being worked on.
    Active {
        /// The ticket.
        ticket: Ticket,
    },
    /// A reflection is wanted; the agent was not refused a stop for it yet.
    Pending {
        /// What is wanted.
        want: Want,
    },
    /// A reflection is wanted, and the agent was told so when it wanted to stop.
    Blocked {
        /// What is wanted.
        want: Want,
    },
    /// The agent reflected.
    Reflected {
        /// When.
        at: Timestamp,
        /// On which tickets.
        tickets: Vec<TicketName>,
    },
    /// No reflection is needed.
    Skipped {
        /// When.
        at: Timestamp,
        /// Who or what said so.
        by: SkippedBy,
        /// For which tickets.
        tickets: Vec<TicketName>,
    },
}

/// What an idle gate remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// The gate gave way.
    Released {
        /// To what.
        by: ReleasedBy,
        /// When.
        at: Timestamp,
    },
}

impl Default for Phase {
    fn default() -> Self {
        Self::Idle { after: After::Nothing }
    }
}

impl Phase {
    /// The state's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle { .. } => "idle",
            Self::Active { .. } => "active",
            Self::Pending { .. } => "pending",
            Self::Blocked { .. } => "blocked",
            Self::Reflected { .. } => "reflected",
            Self::Skipped { .. } => "skipped",
        }
    }

    /// What is wanted and not there yet.
    pub fn open_want(&self) -> Option<&Want> {
        match self {
            Self::Pending { want } | Self::Blocked { want } => Some(want),
            _ => None,
        }
    }

    pub(super) fn open_want_mut(&mut self) -> Option<&mut Want> {
        match self {
            Self::Pending { want } | Self::Blocked { want } => Some(want),
            _ => None,
        }
    }

    /// The ticket that is being worked on.
    pub fn ticket(&self) -> Option<&Ticket> {
        match self {
            Self::Active { ticket } => Some(ticket),
            Self::Pending { want } | Self::Blocked { want } => want.in_hand.as_ref(),
            Self::Idle { .. } | Self::Reflected { .. } | Self::Skipped { .. } => None,
        }
    }

    /// Whether the gate had its answer for this ticket.
    pub(super) fn has_answer_for(&self, ticket: &TicketName) -> bool {
        match self {
            Self::Reflected { tickets, .. } | Self::Skipped { tickets, .. } => {
                ticket.id.is_some() && tickets.contains(ticket)
            }
            _ => false,
        }
    }

    /// The tickets for which an answer that comes now is one.
    pub fn answered(&self) -> Vec<TicketName> {
        match self {
            Self::Idle { .. } => vec![],
            Self::Active { ticket } => vec![ticket.name.clone()],
            Self::Pending { want } | Self::Blocked { want } => want.tickets(),
            Self::Reflected { tickets, .. } | Self::Skipped { tickets, .. } => tickets.clone(),
        }
    }
}
