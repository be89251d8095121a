//! Tickets, and the commands that close them.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{TicketSystem, ToolUseId};

/// The maximum number of bytes that the state keeps of a ticket's id, title and description. The
/// ticket system has the whole ticket.
const MAX_ID_BYTES: usize = 80;
const MAX_TITLE_BYTES: usize = 200;
const MAX_DESCRIPTION_BYTES: usize = 1000;

/// The name of a ticket: its system and its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketName {
    /// The ticket system that the ticket is in.
    pub system: TicketSystem,
    /// The ticket's id in its system. `None` if the id is known only when the command runs.
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

/// A ticket that a command closes, and how far this is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Close {
    /// The ticket that the command closes.
    pub ticket: TicketName,
    /// The id of the tool call that closes the ticket, if the client gives ids to tool calls.
    pub call: Option<ToolUseId>,
    /// The meaning of a failure of the tool call for the ticket.
    pub failing: Failing,
    /// The stage that the close has reached.
    pub stage: Stage,
}

/// The meaning of a failed tool call for the ticket that the call should close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failing {
    /// The ticket is still open.
    MeansOpen,
    /// The ticket may be closed, because another command of the command line may have failed.
    MeansNothing,
}

/// The stage that the close of a ticket has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The close was requested. The result may never be reported.
    Requested,
    /// As far as verger knows, the ticket was closed.
    Done,
}

impl TicketName {
    /// The name of the ticket with this id in `system`.
    pub fn new(system: TicketSystem, id: &str) -> Self {
        Self { system, id: Some(beginning(id, MAX_ID_BYTES)) }
    }

    /// The name of a ticket in `system` whose id isn't known.
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
    /// A ticket with the title and description that its system has.
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
