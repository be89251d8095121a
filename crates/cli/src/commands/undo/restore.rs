//! `verger undo restore`: restores files, and says how to undo the restore.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use verger_event::Event;
use verger_store::with_causes;
use verger_worktree::undo::{Point, Restored};

use super::show::{name_rows, names, plan_json, plan_rows, recorded_left_out};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Meter;
use crate::render::table::Table;
use crate::sessions::gated::GatedSession;
use crate::sessions::picker::choose;
use crate::undo::point::UndoPoint;
use crate::undo::points::{Planned, UndoPoints};

/// Bring files back as an undo point has them.
///
/// The current files are saved first, so that this can be undone too. Files created since stay,
/// unless they are in the way. Without paths, staged changes are restored too.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// Files and directories; without them, everything.
    paths: Vec<PathBuf>,

    /// The undo point: its id, its beginning or its last 8 characters; default: the newest.
    #[arg(long, value_name = "ID")]
    point: Option<String>,

    /// Remove files that were created since.
    #[arg(long)]
    exact: bool,
}

/// The result of restoring the index.
enum Index {
    /// The index was not to be restored.
    Kept,
    Restored,
    Failed(String),
}

pub(super) fn restore(
    ui: &mut Ui,
    context: &Context,
    args: &RestoreArgs,
) -> Result<(), CommandError> {
    let undo_points = UndoPoints::here(context)?;
    let point = undo_points.choose(args.point.as_deref())?;
    let planned = undo_points.plan(&point, &args.paths, args.exact)?;
    let plan = &planned.plan;
    let saved = match &point {
        _ if planned.is_empty() => {
            undo_points.forget(&planned)?;
            None
        }
        UndoPoint::InRepository(_) => planned.now.clone(),
        UndoPoint::Copied(copy) => undo_points.save_replaced(copy, plan)?,
    };
    let total = plan.write.len() + plan.remove.len();
    let mut meter = Meter::new(ui, "restoring file");
    let restored = undo_points.restore(&point, plan, &mut |done| meter.update(done, total))?;
    drop(meter);
    let index = match &point {
        UndoPoint::InRepository(point) if !planned.staged.is_empty() => {
            restore_index(&undo_points, point)
        }
        UndoPoint::InRepository(_) | UndoPoint::Copied(_) => Index::Kept,
    };
    if !planned.is_empty() {
        record(ui, context, &point, saved.as_ref(), &restored);
    }
    let (mut not_saved_count, mut not_saved) = undo_points.not_saved(&point, &args.paths);
    if args.paths.is_empty() {
        let mut destroyed = recorded_left_out(ui, context, &point);
        destroyed.retain(|name| !not_saved.contains(name));
        not_saved_count += destroyed.len() as u64;
        not_saved.extend(destroyed);
    }
    let is_whole = restored.failed.is_empty() && !matches!(index, Index::Failed(_));
    if ui.output() == Output::Json {
        let mut json = json!({
            "point": point.id(),
            "saved": saved.as_ref().map(UndoPoint::id),
            "written": restored.written,
            "removed": restored.removed,
            "plan": plan_json(&planned),
            "not_saved": not_saved,
            "failed": failures(&restored)
                .map(|(path, why)| json!({ "path": path, "why": why }))
                .collect::<Vec<_>>(),
        });
        json["index"] = match &index {
            Index::Kept => json!("kept"),
            Index::Restored => json!("restored"),
            Index::Failed(why) => json!({ "failed": why }),
        };
        ui.json(&json)?;
    } else {
        let mut table = Table::default();
        let is_done = |path: &PathBuf| restored.failed.iter().all(|(failed, _)| failed != path);
        let mut done = plan.clone();
        done.write.retain(is_done);
        done.remove.retain(is_done);
        plan_rows(&mut table, &done, ["written", "removed", "stays"]);
        let failed: Vec<_> =
            failures(&restored).map(|(path, why)| format!("{path}: cannot {why}")).collect();
        name_rows(&mut table, "failed", &failed);
        if matches!(index, Index::Restored) {
            name_rows(&mut table, "restaged", &names(&planned.staged));
        }
        if ui.has_notes() {
            table.print_with(ui, |text| context.with_tilde(text))?;
        }
        let written = count(restored.written, "file");
        let removed = count(restored.removed, "file");
        ui.line(match (total, restored.removed) {
            (0, _) if planned.is_empty() => {
                format!("nothing to restore: no file of {} differs (files that git ignores are not part of it)", point.id())
            }
            (0, _) => format!("brought back {}: only staged changes differed", point.id()),
            (_, 0) => format!("brought back {}: {written} written", point.id()),
            _ => format!("brought back {}: {written} written, {removed} removed", point.id()),
        })?;
        tell_not_saved(ui, not_saved_count, &not_saved)?;
        tell_rest(ui, &point, &planned, &index)?;
        if let Some(saved) = saved {
            let exact = if matches!(saved, UndoPoint::InRepository(_)) { " --exact" } else { "" };
            ui.note(format!("to go back: verger undo restore --point {}{exact}", saved.id()))?;
        }
    }
    if is_whole { Ok(()) } else { Err(CommandError::Found) }
}

/// The maximum number of unsaved files that a line names.
const MAX_NOT_SAVED: usize = 5;

/// Names the files that the undo point does not contain.
fn tell_not_saved(ui: &mut Ui, count: u64, names: &[String]) -> Result<(), CommandError> {
    if count == 0 {
        return Ok(());
    }
    let first = names.iter().take(MAX_NOT_SAVED).cloned().collect::<Vec<_>>().join(", ");
    let more = match count.saturating_sub(MAX_NOT_SAVED as u64) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let verb = if count == 1 { "1 file was".to_owned() } else { format!("{count} files were") };
    ui.line(format!("{verb} not saved: {first}{more}"))?;
    Ok(())
}

fn restore_index(undo_points: &UndoPoints<'_>, point: &Point) -> Index {
    match undo_points.restore_index(point) {
        Ok(()) => Index::Restored,
        Err(error) => Index::Failed(with_causes(&error)),
    }
}

/// Reports everything besides files: the index, an unfinished merge, and the branch.
fn tell_rest(
    ui: &mut Ui,
    point: &UndoPoint,
    planned: &Planned,
    index: &Index,
) -> Result<(), CommandError> {
    if let Index::Failed(why) = index {
        ui.warn(&format!("staged changes were not restored: cannot {why}"));
    }
    let UndoPoint::InRepository(point) = point else { return Ok(()) };
    if point.unmerged.is_some() && matches!(index, Index::Restored) {
        ui.note("a merge was in progress at that time; run git merge again to repeat it")?;
    }
    let (Some(then), Some(UndoPoint::InRepository(now))) = (&point.head, &planned.now) else {
        return Ok(());
    };
    if now.head.as_ref() != Some(then) {
        let branch = point.branch.as_deref().unwrap_or("HEAD");
        ui.note(format!("{branch} was at {then}; git reset --soft {then} moves HEAD back to it"))?;
    }
    Ok(())
}

fn failures(restored: &Restored) -> impl Iterator<Item = (String, String)> {
    let failed = restored.failed.iter();
    failed.map(|(path, error)| (path.display().to_string(), with_causes(error)))
}

/// Records the restore in the session that the point was saved for, if there is one. A failure is
/// only a warning.
fn record(
    ui: &Ui,
    context: &Context,
    point: &UndoPoint,
    saved: Option<&UndoPoint>,
    restored: &Restored,
) {
    let Some(session) = point.session() else { return };
    let recorded = || -> Result<(), CommandError> {
        let store = context.open_store(ui)?;
        let segment = choose(&store, session)?;
        let session = GatedSession::look_up(context, &store, &segment)?;
        let event = Event::UndoPointRestored {
            point: point.id(),
            saved: saved.map_or(point.id(), UndoPoint::id),
            written: restored.written as u64,
            removed: restored.removed as u64,
            failed: restored.failed.len() as u64,
        };
        let evidence: Vec<_> = point.on().into_iter().collect();
        session.record(context, &store, &evidence, |_| (vec![event], ()))?;
        tell_passed_over(ui, &store);
        Ok(())
    };
    // A session that was removed can't get the record.
    match recorded() {
        Ok(()) | Err(CommandError::Usage { .. }) => {}
        Err(error) => ui.warn(&format!("this restore is not recorded: {error}")),
    }
}
