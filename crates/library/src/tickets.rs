//! Finds the ticket system of a project, and the current ticket.
//!
//! A system is recognized by its directory, or because the configuration names it. The current
//! ticket comes from the system's own program, within a time limit. A program that is missing,
//! hangs or prints invalid output is not an error, but the reason why no ticket is known.

mod active;
mod answer;

use std::path::{Path, PathBuf};

use verger_event::TicketSystem;

pub use active::{NoTicket, TIME_LIMIT, active_ticket};
pub use answer::Ticket;

pub use crate::switch::Switch;

/// The ticket systems in the default order, and whether verger looks for each. Tasks and sessions
/// have no directory, so they are used only if the configuration names them.
pub const DEFAULT_ORDER: [(TicketSystem, Switch); 4] = [
    (TicketSystem::Tissue, Switch::On),
    (TicketSystem::Beads, Switch::On),
    (TicketSystem::Tasks, Switch::Off),
    (TicketSystem::Session, Switch::Off),
];

/// The decision about one ticket system: whether it is used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub system: TicketSystem,
    pub why: Why,
}

/// The reason why a ticket system is used or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The system is used, because this directory of the system was found.
    Directory(PathBuf),
    /// The system is used, because the configuration names it. It has no directory.
    Configured,
    /// The system is not used, because the configuration switches it off or doesn't switch it on.
    SwitchedOff,
    /// The system is not used, because no directory with this name was found from the working
    /// directory up to the project's root.
    NoDirectory(&'static str),
    /// The system was found but is not used, because the other system comes first.
    Behind(TicketSystem),
}

/// The decisions about all ticket systems, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    pub found: Vec<Found>,
}

impl Discovery {
    /// The ticket system that is used. `None` if no system is used.
    pub fn in_use(&self) -> Option<TicketSystem> {
        let used = |found: &&Found| matches!(found.why, Why::Directory(_) | Why::Configured);
        self.found.iter().find(used).map(|found| found.system)
    }
}

/// Decides which ticket system is used. Searches the directories from `cwd` up to `root`. Both
/// paths must be absolute.
pub fn discover(root: &Path, cwd: &Path, order: &[(TicketSystem, Switch)]) -> Discovery {
    let mut discovery = Discovery { found: vec![] };
    for &(system, switch) in order {
        let why = match (look_for(system, switch, root, cwd), discovery.in_use()) {
            (Why::Directory(_) | Why::Configured, Some(first)) => Why::Behind(first),
            (why, _) => why,
        };
        discovery.found.push(Found { system, why });
    }
    discovery
}

fn look_for(system: TicketSystem, switch: Switch, root: &Path, cwd: &Path) -> Why {
    let directory = match (switch, system) {
        (Switch::Off, _) => return Why::SwitchedOff,
        (Switch::On, TicketSystem::Tissue) => ".tissue",
        (Switch::On, TicketSystem::Beads) => ".beads",
        (Switch::On, TicketSystem::Tasks | TicketSystem::Session) => return Why::Configured,
    };
    let within = cwd.ancestors().take_while(|directory| directory.starts_with(root));
    within
        .chain([root])
        .map(|parent| parent.join(directory))
        .find(|directory| directory.is_dir())
        .map_or(Why::NoDirectory(directory), Why::Directory)
}
