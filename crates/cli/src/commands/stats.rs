//! `verger stats`: the statistics of gates, guards and learnings.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use verger_engine::State;
use verger_event::Timestamp;
use verger_gate::review::Attempts;
use verger_store::SegmentName;
use verger_store_local::{Index, LocalStore, SessionRow};

use crate::guard::habit_stats::HabitStats;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Meter;
use crate::review::stats::ReviewStats;
use crate::sessions::event_picker::each_record;
use crate::sessions::needs_you::NeedsYou;
use crate::verify::stats::VerificationStats;

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;
const USUAL_DAYS: u64 = 30;

/// Count how reviews, verification and habits went.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(subcommand)]
    command: Option<StatsCommand>,
}

#[derive(Debug, Subcommand)]
enum StatsCommand {
    Review(ReviewArgs),
    Verification(VerificationArgs),
    Habits(HabitsArgs),
}

/// Compare the messages that refuse a stop, by their results.
///
/// Shows for each message template: the results of the refused stops, how many refusals and how
/// much time an approval took, and what let an agent pass without one. The last column also counts
/// reviews without an earlier refusal, and reviews of removed sessions.
#[derive(Debug, Args)]
struct ReviewArgs {
    #[command(flatten)]
    span: SpanArgs,
}

/// Count verifications and the stops refused for one.
///
/// Shows how many stops said that the work is done, how many were refused, the results of the
/// verifications, and what let an agent pass without one. Stops of removed sessions are not
/// counted.
#[derive(Debug, Args)]
struct VerificationArgs {
    #[command(flatten)]
    span: SpanArgs,
}

/// Count how often each habit was told, changed and denied.
///
/// An agent gets the advice of a habit once per session. Removed sessions are not counted.
#[derive(Debug, Args)]
struct HabitsArgs {
    #[command(flatten)]
    span: SpanArgs,
}

/// From when on things count.
#[derive(Debug, Args)]
struct SpanArgs {
    /// How many days back to count.
    #[arg(
        long,
        default_value_t = USUAL_DAYS,
        value_parser = clap::value_parser!(u64).range(1..=36_500)
    )]
    days: u64,
}

/// The statistics of the gates and guards of sessions.
struct GateStats {
    review: ReviewStats,
    verification: VerificationStats,
    habits: HabitStats,
    let_go: NeedsYou,
}

pub(crate) fn stats(ui: &mut Ui, context: &Context, args: &StatsArgs) -> Result<(), CommandError> {
    match &args.command {
        Some(StatsCommand::Review(ReviewArgs { span: SpanArgs { days } })) => {
            let GateStats { review, let_go, .. } = gates(ui, context, *days)?;
            if ui.output() == Output::Json {
                return Ok(ui.json(&review_json(&review, &let_go, *days))?);
            }
            print_review(ui, &review, &let_go, *days)
        }
        Some(StatsCommand::Verification(VerificationArgs { span: SpanArgs { days } })) => {
            let GateStats { verification, .. } = gates(ui, context, *days)?;
            if ui.output() == Output::Json {
                return Ok(ui.json(&verification.to_json(*days))?);
            }
            print_verification(ui, &verification, *days)
        }
        Some(StatsCommand::Habits(HabitsArgs { span: SpanArgs { days } })) => {
            let GateStats { habits, .. } = gates(ui, context, *days)?;
            if ui.output() == Output::Json {
                return Ok(ui.json(&habits.to_json(*days))?);
            }
            print_habits(ui, &habits, *days)
        }
        None => {
            let GateStats { review, verification, habits, let_go } =
                gates(ui, context, USUAL_DAYS)?;
            if ui.output() == Output::Json {
                return Ok(ui.json(&json!({
                    "review": review_json(&review, &let_go, USUAL_DAYS),
                    "verification": verification.to_json(USUAL_DAYS),
                    "habits": habits.to_json(USUAL_DAYS),
                }))?);
            }
            print_review(ui, &review, &let_go, USUAL_DAYS)?;
            print_verification(ui, &verification, USUAL_DAYS)?;
            print_habits(ui, &habits, USUAL_DAYS)?;
            Ok(ui.note("verger learn stats says how learnings were used")?)
        }
    }
}

fn gates(ui: &mut Ui, context: &Context, days: u64) -> Result<GateStats, CommandError> {
    let store = context.open_store(ui)?;
    let now = context.clock.now().as_millis();
    let since = Timestamp::from_millis(now.saturating_sub(days * DAY_MILLIS));
    let stats = collect(ui, &store, since)?;
    tell_passed_over(ui, &store);
    Ok(stats)
}

fn review_json(stats: &ReviewStats, let_go: &NeedsYou, days: u64) -> Value {
    let mut value = stats.to_json(days);
    value["let_go"] = let_go.to_json();
    value
}

fn print_review(
    ui: &mut Ui,
    stats: &ReviewStats,
    let_go: &NeedsYou,
    days: u64,
) -> Result<(), CommandError> {
    let span = count(days, "day");
    if stats.is_empty() {
        ui.wrapped_line(
            &[],
            &format!(
                "nothing recorded yet: no stop was refused and nothing was reviewed within {span}"
            ),
        )?;
        return Ok(ui.note(
            "a prompt that begins with #review asks for a review; verger config show review shows when \
             else a review is needed",
        )?);
    }
    ui.note(format!("reviews within {span}"))?;
    stats.grid().print(ui)?;
    Ok(let_go.summary().map_or(Ok(()), |summary| ui.line(summary))?)
}

fn print_verification(
    ui: &mut Ui,
    stats: &VerificationStats,
    days: u64,
) -> Result<(), CommandError> {
    let span = count(days, "day");
    if stats.is_empty() {
        ui.wrapped_line(&[], &format!(
            "nothing recorded yet: no stop was refused for a verification, and none ran, within {span}"
        ))?;
        return Ok(ui.note("verger config show verification.mode shows the mode")?);
    }
    ui.note(format!("verification within {span}"))?;
    Ok(stats.grid().print(ui)?)
}

fn print_habits(ui: &mut Ui, stats: &HabitStats, days: u64) -> Result<(), CommandError> {
    let span = count(days, "day");
    if stats.is_empty() {
        ui.wrapped_line(
            &[],
            &format!(
                "nothing recorded yet: no habit gave advice, changed or denied a call within {span}"
            ),
        )?;
        return Ok(ui.note("verger config show habits shows which are on")?);
    }
    ui.note(format!("habits within {span}"))?;
    Ok(stats.grid().print(ui)?)
}

fn collect(ui: &Ui, store: &LocalStore, since: Timestamp) -> Result<GateStats, CommandError> {
    let sessions =
        Index::current::<State, _>(store, |index| index.sessions_since(since, usize::MAX))?;
    let sessions = sessions.iter().filter(|row| row.last_ms.is_some()).map(SessionRow::segment);
    let segments: Vec<_> = sessions.chain(store.project_segments()?).collect();
    let mut meter = Meter::new(ui, "reading segment");
    let mut stats = GateStats {
        review: ReviewStats::since(since),
        verification: VerificationStats::since(since),
        habits: HabitStats::since(since),
        let_go: NeedsYou::find(store)?,
    };
    for (done, segment) in (1..).zip(&segments) {
        let mut attempts = Attempts::default();
        each_record(store, segment, &mut |record| {
            if let SegmentName::Session(_) = segment {
                attempts.apply(&record);
            }
            stats.review.add_lasting(&record);
            stats.verification.add(&record);
            stats.habits.add(&record);
        })?;
        stats.review.add_attempts(&attempts);
        meter.update(done, segments.len());
    }
    Ok(stats)
}
