//! Finds the ticket that the agent works on, as a fact for the learning gate and for recall.

use std::ffi::OsString;
use std::path::Path;

use verger_config::Settings;
use verger_event::TicketSystem;
use verger_gate::learning::{Ticket, TicketName};
use verger_library::tickets::{NoTicket, TIME_LIMIT, active_ticket, discover};
use verger_worktree::root_without_git;

use crate::gates::learning::ticket_order::ticket_order;

/// The ticket system and the ticket that were found.
#[derive(Debug, Default)]
pub(crate) struct FoundTickets {
    pub(crate) system: Option<TicketSystem>,
    pub(crate) ticket: Option<Ticket>,
    /// The reason why the ticket is unknown, if a person can fix it.
    pub(crate) problem: Option<String>,
}

/// Looks for tickets in the agent's directory. The ticket system's program has a time limit.
pub(crate) fn find_tickets(
    settings: &Settings,
    cwd: &Path,
    environment: &[(OsString, OsString)],
) -> FoundTickets {
    // A directory that can't be resolved has no tickets. The agent's own tools will report it.
    let Ok(cwd) = cwd.canonicalize() else { return FoundTickets::default() };
    let home = environment.iter().find(|(name, _)| name == "HOME").map(|(_, home)| Path::new(home));
    let root = root_without_git(&cwd, home);
    let Some(system) = discover(&root, &cwd, &ticket_order(settings)).in_use() else {
        return FoundTickets::default();
    };
    let (ticket, problem) = match active_ticket(system, &cwd, environment, TIME_LIMIT) {
        Ok(found) => {
            let name = TicketName::new(system, &found.id);
            (Some(Ticket::new(name, &found.title, &found.description)), None)
        }
        // A ticket system's program may be missing on purpose, so this is no problem to report.
        Err(
            NoTicket::NoTool { .. }
            | NoTicket::NoProgram { .. }
            | NoTicket::NoneInProgress
            | NoTicket::SeveralOpen { .. },
        ) => (None, None),
        Err(trouble) => (None, Some(trouble.to_string())),
    };
    FoundTickets { system: Some(system), ticket, problem }
}
