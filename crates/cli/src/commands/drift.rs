//! `verger drift`: the person's limits, repeated attempts, corrections and their effects.

mod on_file;
mod place;

use clap::Args;
use serde_json::json;
use verger_chronicle::Timeline;
use verger_config::Settings;
use verger_event::Timestamp;
use verger_gate::drift::Mode;

use crate::drift::text::{
    moment_json, moments_rows, position_json, position_text, position_tone, task_json, task_text,
};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::short_ids::short_session;
use crate::render::table::Table;
use crate::sessions::event_picker::each_record_told;
use crate::sessions::picker::meant_or_latest;
use verger_store::{ReadLog, SegmentName};

/// See whether an agent breaks your limits or goes in circles.
///
/// Shows scores with their reasons, corrections and their effect. With --file it shows the history
/// of one file instead, across all sessions of this project. Only limits that you typed and checks
/// that keep failing are measured; docs/drift.md says how.
#[derive(Debug, Args)]
pub(crate) struct DriftArgs {
    /// The session's id or its beginning; default: this project's live session, or its latest.
    #[arg(long)]
    session: Option<String>,

    /// A file of this project, or the end of its path: show which steps touched it.
    ///
    /// Also shows the goal of each step, and the limit that it broke.
    #[arg(long, value_name = "PATH")]
    file: Option<String>,

    /// How many of the latest moments or steps; 0 for all.
    #[arg(long, short = 'n', default_value_t = 40)]
    limit: usize,
}

pub(crate) fn drift(ui: &mut Ui, context: &Context, args: &DriftArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    if let Some(file) = &args.file {
        let (session, limit) = (args.session.as_deref(), args.limit);
        let asked = on_file::Asked { file, session, limit };
        return on_file::on_file(ui, context, &store, &asked);
    }
    let segment = meant_or_latest(&store, context, args.session.as_deref())?;
    let mut timeline = Timeline::default();
    each_record_told(ui, &store, &segment, &mut |record| timeline.take(&record))?;
    tell_passed_over(ui, &store);
    let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
    let session = store.key_of(stem)?.map_or_else(|| stem.clone(), |key| key.session.to_string());
    let left_out = match args.limit {
        0 => 0,
        limit => timeline.moments().len().saturating_sub(limit),
    };
    if ui.output() == Output::Json {
        return print_json(ui, &session, &timeline, left_out);
    }
    print_text(ui, &session, &timeline, left_out, context.clock.now())?;
    if timeline.chronicle().position().is_none() {
        let loaded = context.settings(&context.home()?);
        ui.note(when_scored(&loaded.settings))?;
    }
    Ok(())
}

fn when_scored(settings: &Settings) -> String {
    match (settings.drift.mode.value, settings.drift.every.value) {
        (Mode::Off, _) => {
            "drift is not measured: drift.mode is \"off\"; verger config set drift.mode observe turns it on"
                .to_owned()
        }
        (Mode::Observe | Mode::Correct, 1) => {
            "drift is measured after every batch of tool calls".to_owned()
        }
        (Mode::Observe | Mode::Correct, every) => format!(
            "drift is measured after {every} batches of tool calls, and when the agent stops"
        ),
    }
}

fn print_text(
    ui: &mut Ui,
    session: &str,
    timeline: &Timeline,
    left_out: usize,
    now: Timestamp,
) -> Result<(), CommandError> {
    let chronicle = timeline.chronicle();
    let goal = chronicle.track().goal();
    let mut table = Table::default();
    let session = short_session(session);
    table.row("session", session);
    let has_limits = !chronicle.track().limits().is_empty();
    let (tone, drift) = match chronicle.position() {
        None if has_limits => (Tone::Plain, "not scored yet".to_owned()),
        position => (position_tone(position), position_text(position)),
    };
    table.toned_row(tone, "drift", drift);
    if goal.is_empty() {
        table.row("goal", "no prompt was recorded");
    } else {
        table.text_rows("goal", &goal.text);
        for added in &goal.added {
            table.text_rows("added", added);
        }
    }
    if let Some(text) = &goal.read_as {
        table.row("read as", text);
    }
    if let Some(task) = chronicle.task() {
        table.row("task", task_text(task));
        if task.parent.is_some() {
            table.text_rows("asked", &task.goal);
        }
        for place in &task.scope {
            table.row("scope", place);
        }
        for constraint in &task.constraints {
            table.row("limit", constraint);
        }
    }
    table.row("steps", chronicle.steps().to_string());
    if left_out > 0 {
        let moments = count(left_out, "moment");
        table.row("earlier", format!("{moments}: verger drift --session {session} --limit 0"));
    }
    moments_rows(&mut table, &timeline.moments()[left_out..], now);
    Ok(table.print(ui)?)
}

fn print_json(
    ui: &mut Ui,
    session: &str,
    timeline: &Timeline,
    left_out: usize,
) -> Result<(), CommandError> {
    let chronicle = timeline.chronicle();
    let goal = chronicle.track().goal();
    ui.json(&json!({
        "session": session,
        "goal": (!goal.is_empty()).then_some(&goal.text),
        "added": goal.added,
        "read_as": goal.read_as,
        "task": chronicle.task().map(task_json),
        "steps": chronicle.steps(),
        "position": position_json(chronicle.position()),
        "earlier": left_out,
        "moments": timeline.moments()[left_out..].iter().map(moment_json).collect::<Vec<_>>(),
    }))?;
    Ok(())
}
