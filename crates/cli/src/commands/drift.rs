//! `verger drift`: whether an agent is on course, and how that came.

mod on_file;

use clap::Args;
use serde_json::json;
use verger_chronicle::{Mode, Timeline};
use verger_store_local::{LocalStore, SegmentName};

use crate::command_error::CommandError;
use crate::context::{Context, tell_passed_over};
use crate::course_text::{moment_json, moment_rows, task_json, task_text};
use crate::event_choice::each_record;
use crate::session_choice::meant_or_latest;
use crate::table::Table;
use crate::ui::{Output, Ui, count};

/// Show whether an agent is on course: goal, scores with their reasons, corrections and what followed.
///
/// With --file it shows instead what happened to a file and why, across all sessions of this project.
/// Sessions are scored by rules while they go on; docs/drift.md says how.
#[derive(Debug, Args)]
pub(crate) struct DriftArgs {
    /// The session: its id, or the beginning of it; otherwise the live one of this project, or its latest.
    #[arg(long)]
    session: Option<String>,

    /// A file of this project: which steps touched it, for which goal, on course or not.
    #[arg(long, value_name = "PATH")]
    file: Option<String>,

    /// How many moments or steps, the latest; 0 for all.
    #[arg(long, short = 'n', default_value_t = 40)]
    limit: usize,
}

pub(crate) fn drift(ui: &mut Ui, context: &Context, args: &DriftArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    if let Some(file) = &args.file {
        return on_file::on_file(ui, context, &store, (file, args.session.as_deref()), args.limit);
    }
    let segment = meant_or_latest(&store, context, args.session.as_deref())?;
    let timeline = timeline_of(&store, &segment)?;
    tell_passed_over(ui, &store);
    let (SegmentName::Session(stem) | SegmentName::Project(stem)) = &segment;
    let session = store.key_of(stem)?.map_or_else(|| stem.clone(), |key| key.session.to_string());
    let left_out = match args.limit {
        0 => 0,
        limit => timeline.moments().len().saturating_sub(limit),
    };
    match ui.output() {
        Output::Json => print_json(ui, &session, &timeline, left_out),
        Output::Text => print_text(ui, &session, &timeline, left_out),
    }
}

/// The story of a session.
pub(crate) fn timeline_of(
    store: &LocalStore,
    segment: &SegmentName,
) -> Result<Timeline, CommandError> {
    let mut timeline = Timeline::default();
    each_record(store, segment, &mut |record| timeline.take(&record))?;
    Ok(timeline)
}

fn print_text(
    ui: &mut Ui,
    session: &str,
    timeline: &Timeline,
    left_out: usize,
) -> Result<(), CommandError> {
    let chronicle = timeline.chronicle();
    let goal = chronicle.track().goal();
    let mut table = Table::default();
    table.row("session", session);
    if goal.is_empty() {
        table.row("goal", "none: no person has said anything yet");
    } else {
        table.text_rows("goal", &goal.text);
        for added in &goal.added {
            table.text_rows("added", added);
        }
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
            table.row("constraint", constraint);
        }
        table.row("course", course_text(task.mode, task.waits_for_recovery));
    }
    table.row("steps", chronicle.steps().to_string());
    if left_out > 0 {
        let moments = count(left_out, "moment");
        table.row("earlier", format!("{moments}: verger drift --session {session} --limit 0"));
    }
    for moment in &timeline.moments()[left_out..] {
        moment_rows(&mut table, moment);
    }
    table.print(ui)?;
    if !timeline.is_scored() {
        ui.note(
            "this session has not been scored yet: that is done every few tool calls, unless \
             drift.mode is \"off\"",
        )?;
    }
    Ok(())
}

fn course_text(mode: Mode, waits: bool) -> &'static str {
    match (mode, waits) {
        (Mode::Normal, _) => "on course, as far as it was scored",
        (Mode::Drifted, true) => "off course; it was told, and has not gone back yet",
        (Mode::Drifted, false) => "off course; nobody told it",
        (Mode::Forced, _) => "off course; it did not go back, and its changes elsewhere are denied",
    }
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
        "task": chronicle.task().map(task_json),
        "steps": chronicle.steps(),
        "is_scored": timeline.is_scored(),
        "earlier": left_out,
        "moments": timeline.moments()[left_out..].iter().map(moment_json).collect::<Vec<_>>(),
    }))?;
    Ok(())
}
