//! `verger doctor agents`: the agents that verger knows, and how each one receives the guard's
//! verdict on a call.

use clap::Args;
use serde_json::{Value, json};
use verger_agent::{
    AgentSpec, Asking, Cell, GUARD_CLIENTS, GuardClient, GuardRow, Rewrites, Tested, by_name,
};
use verger_event::Triage;
use verger_gate::verification::plan::command_line;

use crate::invocation::command_error::CommandError;
use crate::render::grid::Grid;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// Show the agents that verger supports, and how far.
///
/// Shows tested versions, events, and the answer that each agent gets for each verdict of the
/// guard.
///
/// A verdict of the guard is allow, unknown, risky or deny. The answer depends on the client: which
/// answers it follows, and whether it asks people in its permission mode. A question mark means
/// that the answer was not tested with the real program; verger then gives the more careful one.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {}

pub(super) fn agents(ui: &mut Ui) -> Result<(), CommandError> {
    match ui.output() {
        Output::Json => {
            let agents: Vec<_> = GUARD_CLIENTS.iter().map(agent_json).collect();
            ui.json(&json!({ "agents": agents }))?;
        }
        Output::Text => {
            for client in GUARD_CLIENTS {
                print(ui, client)?;
            }
            ui.note("?  not tested with the real program: verger sends the more careful answer")?;
        }
    }
    Ok(())
}

fn print(ui: &mut Ui, client: &GuardClient) -> Result<(), CommandError> {
    ui.line(format!("{} ({})", client.product, client.name))?;
    let mut table = Table::default();
    match by_name(client.name) {
        Some(spec) => {
            let events: Vec<_> = spec.registered_events().map(|(event, _)| event.name).collect();
            table.row("  tested with", spec.tested_versions.join(", "));
            table.row("  events", events.join(", "));
            table.row("  as a judge", command_line(&judge(spec)));
        }
        None => table.row("  events", "none: verger does not support it yet"),
    }
    let asking = match client.asking_modes {
        [] => "in no permission mode that was tested".to_owned(),
        modes => format!("in the permission modes {}", modes.join(", ")),
    };
    table.row("  asks people", asking);
    if let Some(mode) = client.starts_in {
        table.row("  starts in", format!("{mode} if a person uses it, default if headless"));
        table.row(format!("  in {mode}"), start_mode_text(client, mode));
    }
    table.row("  other input", rewrites_text(client.rewrites));
    table.print(ui)?;
    let verdicts = Triage::ALL.map(|triage| triage.to_string());
    let mut grid = Grid::new("  told", verdicts.iter().map(String::as_str));
    for row in client.rows {
        let name = format!("  {} ({})", row.event, asking_word(row.asking));
        grid.row(&name, row.cells.map(cell_text));
    }
    grid.print(ui)?;
    Ok(ui.line("")?)
}

/// The effect of verger's features in the mode in which a client starts.
fn start_mode_text(client: &GuardClient, mode: &str) -> String {
    let event = client.rows.first().map_or("", |row| row.event);
    let told =
        Triage::ALL.map(|triage| format!("{triage}: {}", client.sent(event, Some(mode), triage)));
    format!(
        "if the guard enforces, it answers {} (not tested in this mode); the client's own classifier decides the calls that the guard leaves open, \
         and verger does not record the calls that the classifier refuses; recording, undo points and gates do not depend \
         on the mode",
        told.join(", ")
    )
}

/// The command that makes the agent's program judge a text. It is used for reviews and for
/// opinions.
fn judge(spec: &AgentSpec) -> Vec<String> {
    let words = [spec.install.program].into_iter().chain(spec.judge.iter().copied());
    words.map(str::to_owned).collect()
}

fn cell_text(cell: Cell) -> String {
    match cell.tested {
        Tested::Seen => cell.sent.to_string(),
        Tested::Untested => format!("{}?", cell.sent),
    }
}

fn asking_word(asking: Asking) -> &'static str {
    match asking {
        Asking::Asks => "asks people",
        Asking::Bypass => "bypass",
    }
}

/// Describes how the client handles a call whose input the hook replaces.
fn rewrites_text(rewrites: Rewrites) -> &'static str {
    match rewrites {
        Rewrites::Alone => "used; the client then decides about the call as usual",
        Rewrites::OnlyApproved => {
            "used only if the hook also approves the call, so such calls are denied"
        }
        Rewrites::Untested => {
            "not tested whether it also approves the call, so such calls are denied?"
        }
    }
}

fn agent_json(client: &GuardClient) -> Value {
    let spec = by_name(client.name);
    let events = |spec: &AgentSpec| -> Vec<_> {
        spec.registered_events().map(|(event, _)| event.name).collect()
    };
    json!({
        "name": client.name,
        "product": client.product,
        "spoken_with": spec.is_some(),
        "tested_versions": spec.map_or(&[][..], |spec| spec.tested_versions),
        "events": spec.map(events).unwrap_or_default(),
        "judge": spec.map(judge),
        "asking_modes": client.asking_modes,
        "starts_in": client.starts_in,
        "rewrites": client.rewrites == Rewrites::Alone,
        "guard": client.rows.iter().map(row_json).collect::<Vec<_>>(),
    })
}

fn row_json(row: &GuardRow) -> Value {
    let told: serde_json::Map<_, _> = Triage::ALL
        .into_iter()
        .map(|triage| {
            let Cell { sent, tested } = row.cell(triage);
            let told = json!({ "sent": sent.to_string(), "tested": tested == Tested::Seen });
            (triage.to_string(), told)
        })
        .collect();
    json!({ "event": row.event, "asks_people": row.asking == Asking::Asks, "told": told })
}
