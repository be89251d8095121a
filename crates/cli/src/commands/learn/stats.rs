//! `verger learn stats`: how learnings were used, and the insights that follow.

use clap::Args;
use serde_json::{Value, json};

use super::insights;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::learning::stats::LearningStats;
use crate::render::output::{Output, Ui};

/// Show how learnings were used, and what to do about it.
///
/// Shows how often learnings were given to sessions and used, the results of reflections, and the
/// rejected candidates: in total, and for the last days next to as many days before. Advice
/// follows, the most important first.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// List the rules by which the advice is found.
    #[arg(long)]
    rules: bool,
}

pub(super) fn stats(ui: &mut Ui, context: &Context, args: &StatsArgs) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    if args.rules {
        return insights::rules(ui);
    }
    let known = KnownLearnings::read(&project_learnings.project);
    known.warn(ui);
    let now = context.clock.now();
    let stats = LearningStats::of(&known, now);
    let found = insights::find(&project_learnings, &known, now);
    if ui.output() == Output::Json {
        let mut value = stats.to_json();
        value["insights"] = found.iter().map(insights::to_json).collect::<Value>();
        value["problems"] = json!(known.problems());
        return Ok(ui.json(&value)?);
    }
    print(ui, &stats)?;
    if stats.is_empty() && found.is_empty() { Ok(()) } else { insights::print(ui, &found) }
}

fn print(ui: &mut Ui, stats: &LearningStats) -> Result<(), CommandError> {
    if stats.is_empty() {
        ui.line("nothing recorded yet: nothing was learned in this project")?;
        return Ok(
            ui.note("verger reflect --example shows how an agent writes down what it learned")?
        );
    }
    ui.line(stats.standing())?;
    stats.periods().print(ui)?;
    stats.kinds().print(ui)?;
    for line in stats.turned_away() {
        ui.line(line)?;
    }
    Ok(())
}
