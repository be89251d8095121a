//! `verger doctor agents`: the agents that verger supports, which of them are here, how far verger
//! carries its policies out with each, and what the guard answers each.

use clap::Args;
use serde_json::{Value, json};
use verger_agent::{
    AGENTS, AgentSpec, Asking, Cell, GUARD_CLIENTS, GuardClient, GuardRow, Rewrites, Tested,
    by_name,
};
use verger_event::Triage;
use verger_gate::verification::plan::command_line;

use super::coverage_table;
use crate::doctor::coverage::{Gap, gaps};
use crate::doctor::registration::{AgentCheckup, Registered};
use crate::doctor::surroundings;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::grid::Grid;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// Show the agents that verger supports, and how far.
///
/// Shows which agents are here, a table of verger's policies with the coverage of each by each
/// agent, tested versions, events, and the answer that each agent gets for each verdict of the
/// guard.
///
/// A verdict of the guard is allow, unknown, risky or deny. The answer depends on the client: which
/// answers it follows, and whether it asks people in its permission mode. A question mark means
/// that the answer was not tested with the real program; verger then gives the more careful one.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {}

pub(super) fn agents(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let found = found(ui, context)?;
    match ui.output() {
        Output::Json => {
            let agents: Vec<_> = GUARD_CLIENTS.iter().map(agent_json).collect();
            let found: Vec<_> = found.iter().map(FoundAgent::to_json).collect();
            ui.json(&json!({ "found": found, "agents": agents }))?;
        }
        Output::Text => {
            let mut table = Table::default();
            for agent in &found {
                table.row(agent.agent.install.product, agent.text());
            }
            if found.is_empty() {
                table.row("agents", "none is installed here");
            }
            table.print_with(ui, |text| context.with_tilde(text))?;
            ui.line("")?;
            coverage_table::print(ui)?;
            for client in GUARD_CLIENTS {
                print(ui, client)?;
            }
            ui.note("?  not tested with the real program: verger sends the more careful answer")?;
        }
    }
    Ok(())
}

/// An agent whose program or registration was found here.
struct FoundAgent {
    agent: &'static AgentSpec,
    /// The version that its program tells, or told when it called last.
    version: Option<String>,
    is_tested: bool,
    registered: Registered,
    gaps: Vec<Gap>,
}

/// The agents that have a program on the `PATH` or a registration.
fn found(ui: &Ui, context: &Context) -> Result<Vec<FoundAgent>, CommandError> {
    let home = context.home()?;
    let settings = context.settings(&home);
    // Without a log there is nothing to read, and this command makes none.
    let store = home.data.is_dir().then(|| context.open_store(ui).ok()).flatten();
    let agents: Vec<_> = AGENTS.iter().collect();
    let checkups = AgentCheckup::of_all(context, &agents, store.as_ref())?;
    let found = checkups.into_iter().filter_map(|checkup| {
        let agent = checkup.agent;
        let program = surroundings::find(agent.install.program, &context.environment);
        let is_registered = checkup.registered != Registered::No;
        if program.is_none() && !is_registered {
            return None;
        }
        let installed = program.as_ref().and_then(surroundings::Found::version);
        let version = installed.or(checkup.version()).map(str::to_owned);
        let is_tested =
            version.as_deref().is_some_and(|version| agent.tested_versions.contains(&version));
        let gaps = if is_registered { gaps(agent, &settings.settings) } else { vec![] };
        Some(FoundAgent { agent, version, is_tested, registered: checkup.registered, gaps })
    });
    Ok(found.collect())
}

impl FoundAgent {
    fn text(&self) -> String {
        let version = match (&self.version, self.is_tested) {
            (Some(version), true) => format!("version {version}, tested"),
            (Some(version), false) => format!("version {version}, not tested"),
            (None, _) => "version not known".to_owned(),
        };
        let registered = match &self.registered {
            Registered::ByPlugin => "registered by verger's plugin".to_owned(),
            Registered::BySettings(files) => {
                let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                format!("registered in {}", files.join(", "))
            }
            Registered::No => {
                format!("not registered: verger init --agent {}", self.agent.name)
            }
        };
        let gaps = self.gaps.iter().map(|gap| gap.text(self.agent.install.product));
        [version, registered].into_iter().chain(gaps).collect::<Vec<_>>().join("; ")
    }

    fn to_json(&self) -> Value {
        let gap = |gap: &Gap| {
            json!({
                "setting": gap.setting,
                "policy": gap.policy.name(),
                "coverage": gap.coverage.to_string(),
                "reason": gap.reason,
            })
        };
        json!({
            "name": self.agent.name,
            "version": self.version,
            "tested": self.is_tested,
            "registered": match self.registered {
                Registered::ByPlugin => "plugin",
                Registered::BySettings(_) => "settings",
                Registered::No => "no",
            },
            "gaps": self.gaps.iter().map(gap).collect::<Vec<_>>(),
        })
    }
}

fn print(ui: &mut Ui, client: &GuardClient) -> Result<(), CommandError> {
    ui.line(format!("{} ({})", client.product, client.name))?;
    let mut table = Table::default();
    match by_name(client.name) {
        Some(spec) => {
            let events: Vec<_> = spec.registered_events().map(|(event, _)| event.name).collect();
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
        "tested_versions": spec.map(tested_json).unwrap_or_default(),
        "coverage": spec.map(coverage_table::coverage_json).unwrap_or_default(),
        "events": spec.map(events).unwrap_or_default(),
        "judge": spec.map(judge),
        "asking_modes": client.asking_modes,
        "starts_in": client.starts_in,
        "rewrites": client.rewrites == Rewrites::Alone,
        "guard": client.rows.iter().map(row_json).collect::<Vec<_>>(),
    })
}

fn tested_json(spec: &AgentSpec) -> Value {
    spec.tested().map(|tested| json!({ "version": tested.version, "date": tested.date })).collect()
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
