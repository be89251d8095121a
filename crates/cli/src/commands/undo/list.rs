//! `verger undo list`: the points that there are.

use clap::Args;
use serde_json::Value;

use crate::command_error::CommandError;
use crate::context::Context;
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
