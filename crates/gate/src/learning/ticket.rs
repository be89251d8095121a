//! Tickets, and the commands that close them.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{TicketSystem, ToolUseId};

/// The most bytes of a ticket that the state has; the ticket system has the whole ticket.
const MAX_ID_BYTES: usize = 80;
const MAX_TITLE_BYTES: usize = 200;
const MAX_DESCRIPTION_BYTES: usize = 1000;

/// The name of a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketName {
    /// The system that the ticket is in.
    pub system: TicketSystem,
    /// The ticket's id in the system; `None` if it isn't known before the command runs.
    pub id: Option<String>,
}

/// A ticket that is being worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The ticket's name.
    pub name: TicketName,
    /// The ticket's title; empty if it isn't known.
    pub title: String,
    /// The ticket's description; empty if it isn't known.
    pub description: String,
}

/// A ticket that a command closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Close {
    /// The ticket.
    pub ticket: TicketName,
    /// The call that closes the ticket, if the client gives ids to calls.
    pub call: Option<ToolUseId>,
    /// What a failed call says about the ticket.
    pub failing: Failing,
    /// The stage of the close.
    pub stage: Stage,
}

/// What a failed call says about the ticket that it should close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failing {
    /// The ticket is still open.
    MeansOpen,
    /// The ticket may be closed: another command of the line may have failed.
    MeansNothing,
}

/// The stage of a close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The close was requested. Its result may never be reported.
    Requested,
    /// The ticket was closed, to verger's knowledge.
    Done,
}

impl TicketName {
    /// The ticket of a system with this id.
    pub fn new(system: TicketSystem, id: &str) -> Self {
        Self { system, id: Some(beginning(id, MAX_ID_BYTES)) }
    }

    /// A ticket of this system without a known id.
    pub fn unknown(system: TicketSystem) -> Self {
        Self { system, id: None }
    }
}

impl fmt::Display for TicketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "{} {id}", self.system),
            None => write!(f, "a ticket of {}", self.system),
        }
    }
}

impl Ticket {
    /// A ticket as its system describes it.
    pub fn new(name: TicketName, title: &str, description: &str) -> Self {
        Self {
            name,
            title: beginning(title, MAX_TITLE_BYTES),
            description: beginning(description, MAX_DESCRIPTION_BYTES),
        }
    }

    /// A ticket of which only the name is known.
    pub(super) fn named(name: TicketName) -> Self {
        Self { name, title: String::new(), description: String::new() }
    }
}

pub(super) fn beginning(text: &str, max_bytes: usize) -> String {
    text[..text.floor_char_boundary(max_bytes)].to_owned()
}
