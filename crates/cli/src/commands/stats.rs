//! `verger stats`: how things went.

use clap::{Args, Subcommand};
use verger_event::Timestamp;
use verger_gate::review::Attempts;
use verger_hook::State;
use verger_store_local::{Index, LocalStore, SegmentName, SessionRow};

use crate::command_error::CommandError;
use crate::context::{Context, tell_passed_over};
use crate::event_choice::each_record;
use crate::progress::Meter;
use crate::review_stats::ReviewStats;
use crate::ui::{Output, Ui, count};

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// Say how reviews and learnings went.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(subcommand)]
    command: Option<StatsCommand>,

    /// Of how many days, up to now.
    #[arg(
        long,
        global = true,
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=36_500)
    )]
    days: u64,
}

#[derive(Debug, Subcommand)]
enum StatsCommand {
    /// Compare the messages that refuse a stop, and say how reviews went.
    ///
    /// For each template: what came of the refused stops, how many it took until an approval and
    /// how long, and who or what let an agent pass without one. The last column also counts reviews
    /// that no refusal came before, and those of sessions that were cleaned.
    Review,
}

pub(crate) fn stats(ui: &mut Ui, context: &Context, args: &StatsArgs) -> Result<(), CommandError> {
    match &args.command {
        None | Some(StatsCommand::Review) => review(ui, context, args.days),
    }
}

fn review(ui: &mut Ui, context: &Context, days: u64) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let now = context.clock.now().as_millis();
    let since = Timestamp::from_millis(now.saturating_sub(days * DAY_MILLIS));
    let stats = collect(ui, &store, since)?;
    tell_passed_over(ui, &store);
    if ui.output() == Output::Json {
        return Ok(ui.json(&stats.to_json(days))?);
    }
    let span = count(days, "day");
    if stats.is_empty() {
        ui.line(format!("no stop was refused and nothing was reviewed within {span}"))?;
        return Ok(ui.note("a prompt that begins with #review asks for a review")?);
    }
    ui.note(format!("reviews within {span}"))?;
    Ok(stats.grid().print(ui)?)
}

fn collect(ui: &Ui, store: &LocalStore, since: Timestamp) -> Result<ReviewStats, CommandError> {
    let since_ms = i64::try_from(since.as_millis()).ok();
    let is_recent = |row: &SessionRow| row.last_ms >= since_ms;
    let sessions = Index::list::<State>(store)?.into_iter().filter(is_recent);
    let sessions = sessions.map(|row| row.segment());
    let projects = store.segments()?.into_iter().filter(|s| matches!(s, SegmentName::Project(_)));
    let segments: Vec<_> = sessions.chain(projects).collect();
    let mut meter = Meter::new(ui, "reading segment");
    let mut stats = ReviewStats::since(since);
    for (done, segment) in (1..).zip(&segments) {
        let mut attempts = Attempts::default();
        each_record(store, segment, &mut |record| {
            if let SegmentName::Session(_) = segment {
                attempts.apply(&record);
            }
            stats.add_lasting(&record);
        })?;
        stats.add_attempts(&attempts);
        meter.update(done, segments.len());
    }
    Ok(stats)
}
