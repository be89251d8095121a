//! `verger guard stats`: the statistics of the guard's verdicts.

use clap::Args;

use crate::guard::stats::GuardStats;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Meter;
use crate::sessions::event_picker::each_record;
use crate::sessions::recent::RecentArgs;

/// Count the guard's verdicts and the rules that decided.
///
/// In mode observe, this counts the questions that the guard's approvals would have saved you.
/// Calls that match no rule are not counted. The results of habits are counted too.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    recent: RecentArgs,
}

pub(super) fn stats(ui: &mut Ui, context: &Context, args: &StatsArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let mut stats = GuardStats::since(args.recent.since(context));
    let segments = args.recent.segments(context, &store)?;
    let mut meter = Meter::new(ui, "reading segment");
    for (done, segment) in (1..).zip(&segments) {
        each_record(&store, segment, &mut |record| stats.add(&record))?;
        meter.update(done, segments.len());
    }
    drop(meter);
    tell_passed_over(ui, &store);
    let days = args.recent.days;
    if ui.output() == Output::Json {
        return Ok(ui.json(&stats.to_json(days))?);
    }
    let span = count(days, "day");
    if stats.is_empty() {
        let text = format!("nothing recorded yet: the guard judged nothing within {span}");
        ui.wrapped_line(&[], &text)?;
        return Ok(ui.note("verger config show guard.mode shows the mode")?);
    }
    if stats.has_judged() {
        ui.note(format!(
            "the guard within {span}; {} for a person",
            count(stats.dialogs(), "question")
        ))?;
        stats.grid().print(ui)?;
        stats.rules().print(ui)?;
    }
    if !stats.habits().is_empty() {
        stats.habits().grid().print(ui)?;
    }
    Ok(ui.note("verger guard suggest proposes rules for what you keep approving")?)
}
