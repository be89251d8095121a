//! `verger undo list`: the points that there are.

use clap::Args;
use serde_json::Value;
use verger_store::with_causes;

use crate::command_error::CommandError;
use crate::context::Context;
use crate::moment::age;
use crate::table::Table;
use crate::ui::{Output, Ui};
use crate::undo_desk::UndoDesk;
use crate::undo_point::UndoPoint;

/// List the undo points of this repository, and of files around here, the newest first.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {}

pub(super) fn list(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let desk = UndoDesk::here(context)?;
    let points = desk.points()?;
    warn(ui, context, &desk);
    if ui.output() == Output::Json {
        return Ok(ui.json(&points.iter().map(UndoPoint::to_json).collect::<Value>())?);
    }
    if points.is_empty() {
        return Ok(ui.line("there are no undo points here")?);
    }
    let mut table = Table::default();
    for point in &points {
        let text = point.text(&desk.cwd, context.clock.now());
        table.row(point.id().to_string(), context.with_tilde(&text));
    }
    table.print(ui)?;
    Ok(ui.note("verger undo show says what bringing one back would change")?)
}

/// Says why there may be fewer points than there should be.
fn warn(ui: &Ui, context: &Context, desk: &UndoDesk<'_>) {
    if let Some(obstacle) = desk.obstacle() {
        ui.warn(&format!("cannot {}", with_causes(&obstacle)));
    }
    match desk.last_failure(ui) {
        Ok(Some((at, why))) => {
            let (when, why) = (age(at, context.clock.now()), context.with_tilde(&why));
            let call = "the last call that may destroy work";
            ui.warn(&format!("before {call}, {when}, nothing could be saved: {why}"));
        }
        Ok(None) => {}
        // The points can be listed without it.
        Err(error) => ui.warn(&error.to_string()),
    }
}
