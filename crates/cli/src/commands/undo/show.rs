//! `verger undo show`: the content of an undo point, and what a restore would change.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use verger_event::{Event, Record};
use verger_worktree::undo::Plan;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Tone, Ui};
use crate::render::table::Table;
use crate::render::time::local_time;
use crate::sessions::event_picker::each_record;
use crate::sessions::event_summary::summary;
use crate::sessions::picker::choose;
use crate::undo::point::UndoPoint;
use crate::undo::points::{Planned, UndoPoints};

/// The maximum number of files to list of each kind.
const MAX_FILES: usize = 20;

/// Show an undo point, and what restoring it would change.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Files and directories; without them, everything.
    paths: Vec<PathBuf>,

    /// The undo point: its id, its beginning or its last 8 characters; default: the newest.
    #[arg(long, value_name = "ID")]
    point: Option<String>,

    /// Show the result of `verger undo restore --exact`, which removes files created since.
    #[arg(long)]
    exact: bool,
}

pub(super) fn show(ui: &mut Ui, context: &Context, args: &ShowArgs) -> Result<(), CommandError> {
    let undo_points = UndoPoints::here(context)?;
    let point = undo_points.choose(args.point.as_deref())?;
    let planned = undo_points.plan(&point, &args.paths, args.exact)?;
    undo_points.forget(&planned)?;
    let plan = &planned.plan;
    if ui.output() == Output::Json {
        let mut json = point.to_json();
        json["would"] = plan_json(&planned);
        return Ok(ui.json(&json)?);
    }
    let mut table = Table::default();
    point_rows(&mut table, &point, call_text(ui, context, &point));
    if planned.is_empty() {
        table.row("would change", "nothing");
    }
    plan_rows(&mut table, plan, ["would write", "would remove", "would stay"]);
    name_rows(&mut table, "would restage", &names(&planned.staged));
    table.print_with(ui, |text| context.with_tilde(text))?;
    let id = point.id();
    let but = if point.left_out().is_empty() { "" } else { ", except for the files left out" };
    Ok(ui.note(format!("verger undo restore --point {id} brings it back{but}"))?)
}

fn point_rows(table: &mut Table, point: &UndoPoint, call: Option<String>) {
    table.toned_row(Tone::Faint, "point", point.id().to_string());
    table.toned_row(Tone::Faint, "when", local_time(point.id().made_at()));
    table.row("why", point.why());
    if let Some(call) = call {
        table.row("before", call);
    }
    table.row("of", point.root().display().to_string());
    match point {
        UndoPoint::InRepository(point) => {
            let branch = point.branch.as_deref().unwrap_or("no branch");
            let head = point.head.as_deref().unwrap_or("no commit");
            table.row("checked out", format!("{branch}, {head}"));
            table.row("kept as", point.reference());
        }
        UndoPoint::Copied(copy) => {
            let files: Vec<_> =
                copy.files.iter().map(|file| file.path.display().to_string()).collect();
            name_rows(table, "copied", &files);
        }
    }
    let left_out = point.left_out().iter();
    let left_out: Vec<_> =
        left_out.map(|left| format!("{} ({})", left.path.display(), left.reason)).collect();
    name_rows(table, "left out", &left_out);
    if point.more_left_out() > 0 {
        table.row("", format!("and {} more", point.more_left_out()));
    }
}

/// Describes the call before which the undo point was saved. `None` if the log doesn't have the
/// call.
fn call_text(ui: &Ui, context: &Context, point: &UndoPoint) -> Option<String> {
    let on = point.on()?;
    find_in_log(ui, context, point, |record| {
        (record.draft.id == on).then(|| summary(&record.draft.event))
    })
}

/// The files that the log lists as not saved for this undo point, each with the reason. Unlike the
/// point itself, the log also lists git-ignored files that the call destroyed.
pub(super) fn recorded_left_out(ui: &Ui, context: &Context, point: &UndoPoint) -> Vec<String> {
    let id = point.id();
    let left_out = find_in_log(ui, context, point, |record| match &record.draft.event {
        Event::UndoPointTaken { point, left_out, .. } if *point == id => Some(left_out.clone()),
        _ => None,
    });
    left_out.unwrap_or_default()
}

fn find_in_log<T>(
    ui: &Ui,
    context: &Context,
    point: &UndoPoint,
    mut pick: impl FnMut(&Record) -> Option<T>,
) -> Option<T> {
    let store = context.open_store(ui).ok()?;
    let segment = choose(&store, point.session()?).ok()?;
    let mut found = None;
    let each = &mut |record: Record| found = pick(&record).or(found.take());
    each_record(&store, &segment, each).ok()?;
    found
}

pub(super) fn plan_json(Planned { plan, staged, .. }: &Planned) -> serde_json::Value {
    let kept = plan
        .keep
        .iter()
        .map(|kept| json!({ "path": kept.path.to_string_lossy(), "why": kept.why.to_string() }));
    json!({
        "write": names(&plan.write),
        "remove": names(&plan.remove),
        "keep": kept.collect::<Vec<_>>(),
        "stage": names(staged),
    })
}

pub(super) fn plan_rows(table: &mut Table, plan: &Plan, [write, remove, keep]: [&str; 3]) {
    name_rows(table, write, &names(&plan.write));
    name_rows(table, remove, &names(&plan.remove));
    let kept = plan.keep.iter().map(|kept| format!("{} ({})", kept.path.display(), kept.why));
    name_rows(table, keep, &kept.collect::<Vec<_>>());
}

pub(super) fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

pub(super) fn name_rows(table: &mut Table, title: &str, names: &[String]) {
    for (number, name) in names.iter().take(MAX_FILES).enumerate() {
        table.row(if number == 0 { title } else { "" }, name);
    }
    if names.len() > MAX_FILES {
        table.row("", format!("and {} more", names.len() - MAX_FILES));
    }
}
