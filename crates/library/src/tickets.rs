//! Which ticket system a project uses, and which ticket is being worked on.
//!
//! A system is recognised by its directory, or because the configuration says that it is used. The
//! ticket itself is what the system's own program says, within a time limit. Nothing here can fail:
//! a program that is missing, hangs or talks nonsense is a reason why no ticket is known.

mod active;
mod answer;

use std::path::{Path, PathBuf};

use verger_event::TicketSystem;

pub use active::{NoTicket, TIME_LIMIT, active_ticket};
pub use answer::Ticket;

pub use crate::switch::Switch;

/// The order in which systems are looked for when nothing is configured. Tasks and sessions show
/// nowhere on disk, so they are used by those who ask for them.
pub const DEFAULT_ORDER: [(TicketSystem, Switch); 4] = [
    (TicketSystem::Tissue, Switch::On),
    (TicketSystem::Beads, Switch::On),
    (TicketSystem::Tasks, Switch::Off),
    (TicketSystem::Session, Switch::Off),
];

/// What was found out about one system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub system: TicketSystem,
    pub why: Why,
}

/// Why a system is used, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// Used: this is its directory.
    Directory(PathBuf),
    /// Used: nothing on disk shows it, but the configuration says so.
    Configured,
    /// Not used: the configuration says so, or does not ask for it.
    SwitchedOff,
    /// Not used: no directory of this name from the working directory up to the project's root.
    NoDirectory(&'static str),
    /// Not used: it is there, but this one comes first.
    Behind(TicketSystem),
}

/// What was looked at, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    pub found: Vec<Found>,
}

impl Discovery {
    /// The system that is used.
    pub fn in_use(&self) -> Option<TicketSystem> {
        let used = |found: &&Found| matches!(found.why, Why::Directory(_) | Why::Configured);
        self.found.iter().find(used).map(|found| found.system)
    }
}

/// Looks for ticket systems from `cwd` up to `root`, which are absolute.
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
