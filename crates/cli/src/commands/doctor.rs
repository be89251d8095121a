//! `verger doctor`: checks whether verger works, and prints a report without secrets, which can be
//! shared.

mod agents;
mod coverage_table;
mod learnings;
mod repair;
mod tickets;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use verger_agent::AgentSpec;
use verger_engine::Home;
use verger_engine::{ConfigFiles, open_library};
use verger_event::Timestamp;
use verger_library::Archive;
use verger_store_local::LocalStore;

use crate::doctor::recorded::{Depth, Recent};
use crate::doctor::registration::{AgentCheckup, Registered, joined};
use crate::doctor::{
    Check, Finding, coverage, guard_rules, guarding, learnings as learning_files, log_health,
    permissions, recorded, registration, surroundings, undo,
};
use crate::install::agents_here;
use crate::install::guarding::guarding_wanted;
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::progress::showing_updates;
use crate::render::time::wall_clock;
use repair::Outcome;

/// Check that verger works, and repair what is broken.
///
/// Checks that verger is registered with your agents, that they call it and that it records, and
/// that its files are complete and private. The report has no secrets in it, so you can share it.
/// Exit code 1 means that something is wrong; each problem is listed with the command that helps.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct DoctorArgs {
    #[command(subcommand)]
    command: Option<DoctorCommand>,

    /// Repair what can be repaired without losing anything, and check again.
    #[arg(long)]
    fix: bool,

    /// Look at every session and every file, however long it takes.
    #[arg(long)]
    deep: bool,

    #[command(flatten)]
    _consent: Consent,
}

#[derive(Debug, Subcommand)]
enum DoctorCommand {
    Agents(agents::AgentsArgs),
    Tickets(tickets::TicketsArgs),
    Learnings(learnings::LearningsArgs),
}

pub(crate) fn doctor(
    ui: &mut Ui,
    context: &Context,
    args: &DoctorArgs,
) -> Result<(), CommandError> {
    match &args.command {
        None => check_all(ui, context, args),
        Some(DoctorCommand::Agents(agents::AgentsArgs {})) => agents::agents(ui, context),
        Some(DoctorCommand::Tickets(tickets::TicketsArgs {})) => tickets::tickets(ui, context),
        Some(DoctorCommand::Learnings(learnings::LearningsArgs {})) => {
            learnings::learnings(ui, context)
        }
    }
}

fn check_all(ui: &mut Ui, context: &Context, args: &DoctorArgs) -> Result<(), CommandError> {
    let home = context.home()?;
    let depth = if args.deep { Depth::Deep } else { Depth::Usual };
    let mut checks = examine(ui, context, &home, depth)?;
    let mut fixed = vec![];
    if args.fix {
        fixed = repair::all(ui, context, &checks);
        checks = examine(ui, context, &home, depth)?;
    }
    match ui.output() {
        Output::Text => print(ui, context, &checks, &fixed)?,
        Output::Json => ui.json(&json!({
            "version": crate::VERSION,
            "system": system(),
            "repairs": fixed.iter().map(Outcome::to_json).collect::<Vec<_>>(),
            "checks": checks.iter().map(Check::to_json).collect::<Vec<_>>(),
        }))?,
    }
    let is_well = checks.iter().all(|check| check.as_problem().is_none());
    if is_well { Ok(()) } else { Err(CommandError::Found) }
}

fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Runs all checks. A check that fails becomes a finding, and the others still run.
fn examine(
    ui: &Ui,
    context: &Context,
    home: &Home,
    depth: Depth,
) -> Result<Vec<Check>, CommandError> {
    let files = ConfigFiles::read(home, context.directory().ok(), &context.environment);
    let loaded = files.resolve(&context.environment);
    let this: Option<PathBuf> = std::env::current_exe().ok();
    let own = surroundings::find("verger", &context.environment);
    let mut checks = vec![surroundings::own_program(own.as_ref(), this.as_deref())];
    let log = LocalStore::open(&home.data, loaded.store_options())
        .map_err(CommandError::from)
        .and_then(|store| Log::read(showing_updates(ui, store), context.clock.now(), depth));
    match log {
        Ok(log) => {
            checks.extend(of_agents(ui, context, Some(&log), &agents_here(context)?)?);
            let health = log_health::checks(ui, &log.store, &log.recent);
            checks.extend(health.unwrap_or_else(|error| vec![Check::failed("log", error)]));
            let now = context.clock.now();
            checks.extend(recorded::checks(&log.recent.sessions, &loaded.settings, now));
            checks.extend(log_health::passed_over(&log.store));
        }
        Err(error) => {
            checks.extend(of_agents(ui, context, None, &agents_here(context)?)?);
            checks.push(Check::failed("log", error));
        }
    }
    checks.extend(permissions::checks(home, rustix::process::geteuid().as_raw(), depth));
    checks.extend(surroundings::settings(home, &loaded));
    checks.push(surroundings::trust(home, &files));
    // Without a current directory, `guard_rules::checks` fails. Another check reports the missing
    // directory.
    checks.extend(guard_rules::checks(context).unwrap_or_default());
    checks.extend(undo::checks(context, &loaded.settings));
    if let Ok(root) = context.project_root() {
        let now = wall_clock(context.clock.now());
        let ground = context.ground(&root)?;
        let project =
            open_library(&ground, home.recall(&root), &loaded.settings, now, Archive::Left);
        checks.extend(learning_files::checks(&project));
    }
    Ok(checks)
}

/// The log and its recent sessions.
pub(super) struct Log {
    store: LocalStore,
    recent: Recent,
}

impl Log {
    fn read(store: LocalStore, now: Timestamp, depth: Depth) -> Result<Self, CommandError> {
        let recent = Recent::find(&store, now, depth)?;
        Ok(Self { store, recent })
    }
}

/// Checks the agents. Their records in the log show whether they call verger.
pub(super) fn of_agents(
    ui: &Ui,
    context: &Context,
    log: Option<&Log>,
    agents: &[&'static AgentSpec],
) -> Result<Vec<Check>, CommandError> {
    if agents.is_empty() {
        return Ok(vec![registration::no_agent()]);
    }
    let store = log.map(|log| &log.store);
    let checkups = AgentCheckup::of_all(context, agents, store)?;
    let checks = |checkup| Ok((checkup, of_agent(ui, context, log, checkup)?));
    Ok(joined(checkups.iter().map(checks).collect::<Result<_, CommandError>>()?))
}

fn of_agent(
    ui: &Ui,
    context: &Context,
    log: Option<&Log>,
    checkup: &AgentCheckup,
) -> Result<Vec<Check>, CommandError> {
    let AgentCheckup { agent, installation, registered, .. } = checkup;
    let mut checks = checkup.checks();
    checks.extend(guarding::checks(agent, installation, guarding_wanted(context)?));
    if *registered != Registered::No {
        let files = installation.settings_with_hooks().map(|(file, _)| file.path.as_path());
        checks.extend(coverage::consent(&context.places(agent)?, files));
        checks.extend(coverage::checks(agent, &context.settings(&context.home()?).settings));
    }
    if let Some(log) = log
        && *registered != Registered::No
    {
        let sessions = log.recent.readable().iter();
        let sessions: Vec<_> = sessions.filter(|one| one.row.agent == agent.name).collect();
        let seen = recorded::kinds(ui, &log.store, &sessions, checkup.installed);
        checks.push(seen.map_or_else(
            |error| Check::failed("events", error),
            |seen| registration::events(agent, &seen),
        ));
    }
    if *registered == Registered::ByPlugin {
        let directory = context.directory().ok();
        checks.push(surroundings::reviewer(agent, &context.environment, directory));
    }
    let program = surroundings::find(agent.install.program, &context.environment);
    checks.extend(surroundings::agent_versions(agent, program.as_ref(), checkup.version()));
    Ok(checks)
}

/// Prints the finding of a check. If quiet, only problems are printed.
fn print_check(
    ui: &mut Ui,
    context: &Context,
    (tone, word): (Tone, &str),
    name: &str,
    what: &str,
) -> Result<(), CommandError> {
    if tone != Tone::Bad && !ui.has_notes() {
        return Ok(());
    }
    let rest = format!("{}{name}  ", " ".repeat(9 - word.len()));
    let head = [(tone, word), (Tone::Plain, rest.as_str())];
    Ok(ui.wrapped_line(&head, &context.with_tilde(what))?)
}

fn print(
    ui: &mut Ui,
    context: &Context,
    checks: &[Check],
    fixed: &[Outcome],
) -> Result<(), CommandError> {
    ui.note(format!("verger {} on {}", crate::VERSION, system()))?;
    for outcome in fixed {
        ui.line(context.with_tilde(&outcome.text()))?;
    }
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or_default();
    let [mut notes, mut problems, mut fixable] = [0; 3];
    for check in checks {
        let name = format!("{:<width$}", check.name);
        match &check.finding {
            Finding::Fine(what) => print_check(ui, context, (Tone::Good, "fine"), &name, what)?,
            Finding::Note(what) => {
                notes += 1;
                print_check(ui, context, (Tone::Warn, "note"), &name, what)?;
            }
            Finding::Problem(problem) => {
                problems += 1;
                fixable += usize::from(problem.repair.is_some());
                print_check(ui, context, (Tone::Bad, "problem"), &name, &problem.text())?;
                let head = format!("         {:<width$}  ", "");
                let help = context.with_tilde(&problem.help);
                ui.wrapped_line(&[(Tone::Plain, &head)], &help)?;
            }
        }
    }
    let fine = checks.len() - notes - problems;
    ui.note(format!("{fine} fine, {}, {}", count(notes, "note"), count(problems, "problem")))?;
    if fixable > 0 {
        ui.note(format!("verger doctor --fix repairs {fixable} of them"))?;
    }
    Ok(())
}
