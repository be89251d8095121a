//! The phases of the learning gate.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

use super::change::{ReleasedBy, SkippedBy};
use super::ticket::{Ticket, TicketName};
use super::want::Want;

/// The phase of the learning gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// No reflection is wanted.
    Idle {
        /// The previous result, if it still matters.
        after: After,
    },
    /// A ticket is being worked on.
    Active {
        /// The ticket that is being worked on.
        ticket: Ticket,
    },
    /// A reflection is wanted, and no stop was refused yet.
    Pending {
        /// The reflection that the gate wants.
        want: Want,
    },
    /// A reflection is wanted, and a stop was refused for it.
    Blocked {
        /// The reflection that the gate wants.
        want: Want,
    },
    /// The agent reflected.
    Reflected {
        /// The time of the reflection.
        at: Timestamp,
        /// The tickets that the reflection was about.
        tickets: Vec<TicketName>,
    },
    /// The reflection was skipped.
    Skipped {
        /// The time of the skip.
        at: Timestamp,
        /// The agent, person or rule that skipped the reflection.
        by: SkippedBy,
        /// The tickets that the skip was about.
        tickets: Vec<TicketName>,
    },
}

/// The previous result that still matters in the phase `Idle`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// No previous result matters.
    #[default]
    Nothing,
    /// The gate let the agent stop, although the agent neither reflected nor skipped the
    /// reflection.
    Released {
        /// The limit on refused stops that was reached.
        by: ReleasedBy,
        /// The time of the release.
        at: Timestamp,
    },
}

impl Default for Phase {
    fn default() -> Self {
        Self::Idle { after: After::Nothing }
    }
}

impl Phase {
    /// The name of the phase in the log and in messages.
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

    /// The reflection that is wanted and still missing, if there is one.
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

    /// Whether a reflection or a skip was already about this ticket.
    pub(super) fn has_answer_for(&self, ticket: &TicketName) -> bool {
        match self {
            Self::Reflected { tickets, .. } | Self::Skipped { tickets, .. } => {
                ticket.id.is_some() && tickets.contains(ticket)
            }
            _ => false,
        }
    }

    /// The tickets that a reflection or a skip at this time would be about.
    pub fn answered(&self) -> Vec<TicketName> {
        match self {
            Self::Idle { .. } => vec![],
            Self::Active { ticket } => vec![ticket.name.clone()],
            Self::Pending { want } | Self::Blocked { want } => want.tickets(),
            Self::Reflected { tickets, .. } | Self::Skipped { tickets, .. } => tickets.clone(),
        }
    }
}
