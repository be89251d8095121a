//! `verger undo list`: lists the undo points.

use clap::Args;
use serde_json::json;
use verger_store::with_causes;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Ui};
use crate::render::short_ids::ShortIds;
use crate::render::time::age;
use crate::undo::point::UndoPoint;
use crate::undo::points::UndoPoints;

/// List the undo points of this directory, the newest first.
///
/// Lists the undo points of its repository, and of files around it that are in no repository. An id is shown by
/// its last characters; `--point` accepts them, and the beginning of an id.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {}

pub(super) fn list(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let undo_points = UndoPoints::here(context)?;
    let points = undo_points.points()?;
    warn(ui, context, &undo_points);
    if ui.output() == Output::Json {
        let points: Vec<_> = points.iter().map(UndoPoint::to_json).collect();
        return Ok(ui.json(&json!({ "points": points }))?);
    }
    if points.is_empty() {
        return Ok(ui.line("there are no undo points here")?);
    }
    let short = ShortIds::of_records(points.iter().map(UndoPoint::id));
    let mut listing = Listing::default();
    for point in &points {
        let text = point.text(&undo_points.cwd, context.clock.now());
        let id = short.of(&point.id().to_string());
        listing.row([Cell::faint(id), Cell::text(context.with_tilde(&text))]);
    }
    listing.print(ui)?;
    Ok(ui.note("verger undo show shows what restoring one would change")?)
}

/// Warns about problems because of which undo points may be missing.
fn warn(ui: &Ui, context: &Context, undo_points: &UndoPoints<'_>) {
    if let Some(obstacle) = undo_points.obstacle() {
        ui.warn(&format!("cannot {}", with_causes(&obstacle)));
    }
    match undo_points.last_failure(ui) {
        Ok(Some((at, why))) => {
            let (when, why) = (age(at, context.clock.now()), context.with_tilde(&why));
            let call = "the last call that may destroy work";
            ui.warn(&format!("before {call}, {when}, nothing could be saved: {why}"));
        }
        Ok(None) => {}
        // The points can be listed without the last failure.
        Err(error) => ui.warn(&error.to_string()),
    }
}
