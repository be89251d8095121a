//! `verger doctor tickets`: which ticket system a project uses, and why.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use verger_engine::ticket_order;
use verger_event::TicketSystem;
use verger_library::tickets::{Discovery, Found, NoTicket, Ticket, Why, active_ticket, discover};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// The time limit. It is longer than a hook's, because a person waits for the result.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Show which ticket system is used, and the current ticket.
///
/// Systems are looked for in the order of `tickets.order`; the first one found is used. When an
/// agent closes a ticket of it, verger asks the agent to reflect.
#[derive(Debug, Args)]
pub(crate) struct TicketsArgs {}

pub(super) fn tickets(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let loaded = context.settings(&context.home()?);
    if ui.output() == Output::Text {
        loaded.problems.iter().for_each(|problem| ui.warn(problem));
    }
    let (root, cwd) = (context.project_root()?, context.directory()?);
    let discovery = discover(&root, cwd, &ticket_order(&loaded.settings));
    let ticket = discovery
        .in_use()
        .map(|system| active_ticket(system, cwd, context.environment.all(), TIME_LIMIT));
    let seen = Seen { root, discovery, ticket };
    match ui.output() {
        Output::Json => ui.json(&seen.to_json())?,
        Output::Text => {
            seen.table(context).print(ui)?;
            if seen.discovery.in_use().is_none() {
                ui.note(
                    "verger config set tickets.session true asks for a reflection without tickets",
                )?;
            }
        }
    }
    Ok(())
}

struct Seen {
    root: PathBuf,
    discovery: Discovery,
    /// `None` if no system is used.
    ticket: Option<Result<Ticket, NoTicket>>,
}

impl Seen {
    fn to_json(&self) -> Value {
        let systems: Vec<_> = self.discovery.found.iter().map(system_json).collect();
        let ticket = self.ticket.as_ref().and_then(|ticket| ticket.as_ref().ok());
        let ticket = ticket.map(|ticket| {
            json!({
                "id": ticket.id,
                "title": ticket.title,
                "description": ticket.description,
            })
        });
        let no_ticket = self.ticket.as_ref().and_then(|ticket| ticket.as_ref().err());
        json!({
            "root": self.root,
            "system": self.discovery.in_use().map(TicketSystem::as_str),
            "systems": systems,
            "ticket": ticket,
            "no_ticket": no_ticket.map(ToString::to_string),
        })
    }

    fn table(&self, context: &Context) -> Table {
        let mut table = Table::default();
        for found in &self.discovery.found {
            table.row(found.system.as_str(), context.with_tilde(&standing(found)));
        }
        match &self.ticket {
            Some(Ok(ticket)) => table.row("ticket", format!("{}: {}", ticket.id, ticket.title)),
            Some(Err(none)) => table.row("ticket", none.to_string()),
            None => {}
        }
        table
    }
}

/// Whether a system is used, and why.
fn standing(found: &Found) -> String {
    match &found.why {
        Why::Directory(path) => format!("used: {}", path.display()),
        Why::Configured => format!("used: tickets.{} is true", found.system),
        Why::SwitchedOff => format!("not used: tickets.{} is false", found.system),
        Why::NoDirectory(name) => format!("not used: no {name} in this project"),
        Why::Behind(first) => format!("not used: {first} comes first in tickets.order"),
    }
}

fn system_json(found: &Found) -> Value {
    let (why, directory) = match &found.why {
        Why::Directory(path) => ("directory", Some(path)),
        Why::Configured => ("configured", None),
        Why::SwitchedOff => ("switched_off", None),
        Why::NoDirectory(_) => ("no_directory", None),
        Why::Behind(_) => ("behind", None),
    };
    let is_used = matches!(found.why, Why::Directory(_) | Why::Configured);
    json!({ "system": found.system.as_str(), "used": is_used, "why": why, "directory": directory })
}
