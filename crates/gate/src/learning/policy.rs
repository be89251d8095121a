//! The settings of the learning gate. `config` parses them, and the hook converts them into this
//! form.

use verger_event::TicketSystem;

use crate::blocks;

/// The settings for reflections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Whether the gate is on.
    pub mode: Mode,
    /// The treatment of a small change.
    pub small: Small,
    /// A change with fewer lines than this is small.
    pub small_below: u64,
    /// Whether agents may skip a reflection, or only people.
    pub skip: SkipIs,
    /// The ticket systems that the gate uses to see when work is done.
    pub systems: Vec<TicketSystem>,
    /// The limits on refused stops.
    pub blocks: blocks::Policy,
}

/// Whether the gate is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// The gate never requires a reflection.
    Off,
    /// The gate requires a reflection when work is done.
    On,
}

/// The treatment of a small change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Small {
    /// A small change needs no reflection.
    Passes,
    /// The agent is asked once whether there is something to reflect on.
    IsAskedOnce,
    /// A small change counts like any other change.
    Counts,
}

/// Whether agents may skip a reflection, or only people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipIs {
    /// Agents and people may skip a reflection.
    Agents,
    /// Only people may skip a reflection.
    Persons,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::On,
            small: Small::IsAskedOnce,
            small_below: 5,
            skip: SkipIs::Agents,
            systems: vec![TicketSystem::Tissue, TicketSystem::Beads],
            blocks: blocks::Policy::default(),
        }
    }
}

impl Policy {
    /// Whether this ticket system is enabled.
    pub fn uses(&self, system: TicketSystem) -> bool {
        self.systems.contains(&system)
    }

    /// The number of changed lines from which a session without tickets needs a reflection.
    pub(super) fn session_lines(&self) -> u64 {
        match self.small {
            Small::Counts => 1,
            Small::Passes | Small::IsAskedOnce => self.small_below,
        }
    }
}
