//! Tickets, and the commands seen that close them.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{TicketSystem, ToolUseId};

/// How much of a ticket the state keeps; its system has it whole.
const MAX_ID_BYTES: usize = 80;
const MAX_TITLE_BYTES: usize = 200;
const MAX_DESCRIPTION_BYTES: usize = 1000;

/// A ticket by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketName {
    /// Where it is kept.
    pub system: TicketSystem,
    /// Its id there; nothing when only running a command would tell it.
    pub id: Option<String>,
}

/// A ticket that is being worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// Its name.
    pub name: TicketName,
    /// Its title; empty where it is not known.
    pub title: String,
    /// What it asks for; empty where that is not known.
    pub description: String,
}

/// A ticket that a command closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Close {
    /// The ticket.
    pub ticket: TicketName,
    /// The call that closes it, where the agent names its calls.
    pub call: Option<ToolUseId>,
    /// What it means when the call fails.
    pub failing: Failing,
    /// How far it is.
    pub stage: Stage,
}

/// What it means when a call that closes a ticket fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failing {
    /// The ticket is still open.
    MeansOpen,
    /// Nothing: something else on the line may have failed.
    MeansNothing,
}

/// How far a close is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It was asked for. Whether it happened may never be reported.
    Requested,
    /// It happened, as far as anybody can tell.
    Done,
}

impl TicketName {
    /// The ticket of a system with this id.
    pub fn new(system: TicketSystem, id: &str) -> Self {
        Self { system, id: Some(beginning(id, MAX_ID_BYTES)) }
    }

    /// A ticket of a system, whichever it is.
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

    /// A ticket of which nothing but the name is known.
    pub(super) fn named(name: TicketName) -> Self {
        Self { name, title: String::new(), description: String::new() }
    }
}

pub(super) fn beginning(text: &str, max_bytes: usize) -> String {
    text[..text.floor_char_boundary(max_bytes)].to_owned()
}
