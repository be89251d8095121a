//! Which ticket systems are known.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where a project keeps its tickets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketSystem {
    /// Files in `.tissue/`, and the program `tissue`.
    Tissue,
    /// A database in `.beads/`, and the program `bd`.
    Beads,
    /// The agent's own list of tasks.
    Tasks,
    /// No tickets: the session itself is the piece of work.
    Session,
}

/// The text names no ticket system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a ticket system is tissue, beads, tasks or session, not {0:?}")]
pub struct UnknownTicketSystem(String);

impl TicketSystem {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Self; 4] = [Self::Tissue, Self::Beads, Self::Tasks, Self::Session];

    /// Its name in configuration, records and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tissue => "tissue",
            Self::Beads => "beads",
            Self::Tasks => "tasks",
            Self::Session => "session",
        }
    }
}

impl fmt::Display for TicketSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TicketSystem {
    type Err = UnknownTicketSystem;

    fn from_str(text: &str) -> Result<Self, UnknownTicketSystem> {
        let known = Self::ALL.into_iter().find(|system| system.name() == text);
        known.ok_or_else(|| UnknownTicketSystem(text.to_owned()))
    }
}
