//! `verger maintain`: looks after the learnings.

mod moving;
mod running;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use verger_engine::Unstored;
use verger_memory::{Decay, Learning};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::learning::known::{KnownLearning, KnownLearnings};
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;
use crate::render::time::local_date;

/// Look after the learnings of this project and your own.
///
/// Without more, it says what there is to do.
#[derive(Debug, Args)]
pub(crate) struct MaintainArgs {
    #[command(subcommand)]
    command: Option<MaintainCommand>,
}

#[derive(Debug, Subcommand)]
enum MaintainCommand {
    List(ListArgs),
    Archive(moving::MovingArgs),
    Restore(moving::RestoreArgs),
    Run(running::RunArgs),
}

/// Show what `run` would do, and what is put away within a week.
#[derive(Debug, Args)]
struct ListArgs {}

pub(crate) fn maintain(
    ui: &mut Ui,
    context: &Context,
    args: &MaintainArgs,
) -> Result<(), CommandError> {
    match &args.command {
        None | Some(MaintainCommand::List(ListArgs {})) => list(ui, context),
        Some(MaintainCommand::Archive(args)) => moving::archive(ui, context, args),
        Some(MaintainCommand::Restore(args)) => moving::restore(ui, context, args),
        Some(MaintainCommand::Run(args)) => running::run(ui, context, args),
    }
}

/// The work that there is to do.
struct Work {
    /// Learnings that are put away next.
    due: Vec<KnownLearning>,
    /// Learnings that are put away within a week, unless somebody uses them.
    soon: Vec<KnownLearning>,
    /// Learnings that are only in the log.
    unstored: Unstored,
}

impl Work {
    fn find(
        ui: &Ui,
        context: &Context,
        project_learnings: &ProjectLearnings,
        known_learnings: &KnownLearnings,
    ) -> Result<Self, CommandError> {
        let store = context.open_store(ui)?;
        let unstored = Unstored::read(&store, None, context.project_id().as_ref())?;
        tell_passed_over(ui, &store);
        let now = context.clock.now();
        let (mut due, mut soon) = (vec![], vec![]);
        for held in known_learnings.held.iter().filter(|held| held.account.is_active()) {
            match project_learnings.decay(&held.account, now) {
                Decay::Due { .. } => due.push(held.clone()),
                Decay::Soon { .. } => soon.push(held.clone()),
                Decay::Immune | Decay::Later { .. } => {}
            }
        }
        Ok(Self { due, soon, unstored })
    }
}

fn list(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    let work = Work::find(ui, context, &project_learnings, &known_learnings)?;
    if ui.output() == Output::Json {
        let all =
            |held: &[KnownLearning]| held.iter().map(KnownLearning::to_json).collect::<Value>();
        let unstored: Vec<_> = work.unstored.learnings().map(Learning::to_json).collect();
        return Ok(ui.json(&json!({
            "due": all(&work.due),
            "soon": all(&work.soon),
            "unstored": unstored,
            "problems": known_learnings.problems(),
        }))?);
    }
    known_learnings.warn(ui);
    let mut table = Table::default();
    let now = context.clock.now();
    for held in work.due.iter().chain(&work.soon) {
        let learning = &held.account.learning;
        let when = match project_learnings.decay(&held.account, now) {
            Decay::Due { until } => format!("to be archived since {}", local_date(until)),
            Decay::Soon { until } => format!("archived after {} unless used", local_date(until)),
            Decay::Immune | Decay::Later { .. } => String::new(),
        };
        table.row(learning.id.as_str(), format!("{when}: {}", learning.summary));
    }
    for learning in work.unstored.learnings() {
        table.row(learning.id.as_str(), format!("in the log alone: {}", learning.summary));
    }
    if table.is_empty() {
        return Ok(ui.line("nothing has to be done")?);
    }
    table.print(ui)?;
    if work.due.is_empty() && work.unstored.is_empty() {
        return Ok(ui.note("verger ref ID keeps one that is still of use")?);
    }
    Ok(ui.note("verger maintain run does it; verger ref ID keeps one that is still of use")?)
}
