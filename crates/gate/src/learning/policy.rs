//! How the gate is set. The settings' own words are in `config`; the hook puts them into this form.

use verger_event::TicketSystem;

use crate::blocks;

/// What the user wants of reflections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Whether the gate is there at all.
    pub mode: Mode,
    /// What becomes of a small change.
    pub small: Small,
    /// Fewer lines than this are a small change.
    pub small_below: u64,
    /// Whose it is to say that there is nothing to reflect on.
    pub skip: SkipIs,
    /// What tells that work is done.
    pub systems: Vec<TicketSystem>,
    /// How patient the gate is.
    pub blocks: blocks::Policy,
}

/// Whether the gate is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// It asks for nothing.
    Off,
    /// It asks for a reflection when work is done.
    On,
}

/// What becomes of a small change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Small {
    /// It passes.
    Passes,
    /// The agent is asked once whether there is something to reflect on.
    IsAskedOnce,
    /// It counts like any other.
    Counts,
}

/// Whose it is to skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipIs {
    /// The agent's own.
    Agents,
    /// A person's.
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
    /// Whether this system is switched on.
    pub fn uses(&self, system: TicketSystem) -> bool {
        self.systems.contains(&system)
    }

    /// How many lines a session without tickets must have changed.
    pub(super) fn session_lines(&self) -> u64 {
        match self.small {
            Small::Counts => 1,
            Small::Passes | Small::IsAskedOnce => self.small_below,
        }
    }
}
