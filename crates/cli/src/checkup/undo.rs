//! Whether what agents may destroy here can be brought back.

use verger_config::Settings;

use super::Check;
use crate::command_error::CommandError;
use crate::context::Context;
use crate::moment::age;
use crate::ui::count;
use crate::undo_desk::UndoDesk;
use crate::undo_point::UndoPoint;

const NAME: &str = "undo points";

/// The points that there are here, in one line; nothing where there are none.
pub(crate) fn points_text(context: &Context) -> Result<Option<String>, CommandError> {
    let points = UndoDesk::here(context)?.points()?;
    let now = context.clock.now();
    Ok(points.first().map(|newest| {
        let newest = age(newest.id().made_at(), now);
        format!("{} here, the newest {newest}: verger undo list", points.len())
    }))
}

pub(crate) fn checks(context: &Context, settings: &Settings) -> Vec<Check> {
    if !settings.undo.enabled.value {
        // That it is off is said with everything else that is.
        return vec![];
    }
    let desk = match UndoDesk::here(context) {
        Ok(desk) => desk,
        Err(error) => return vec![Check::failed(NAME, error)],
    };
    let points = match desk.points() {
        Ok(points) => points,
        Err(error) => return vec![Check::failed(NAME, error)],
    };
    let is_copied = |point: &&UndoPoint| matches!(point, UndoPoint::Copied(_));
    let copies = points.iter().filter(is_copied).count();
    let number = count(points.len() - copies, "point");
    let mut checks = vec![if desk.is_in_repository() {
        Check::fine(NAME, format!("{number} of this repository"))
    } else if let Some(obstacle) = desk.obstacle() {
        Check::failed(NAME, obstacle)
    } else {
        Check::note(NAME, "no repository here: files are copied that a call names, and no others")
    }];
    if copies > 0 {
        let copies = count(copies, "point");
        checks.push(Check::fine(NAME, format!("{copies} of files that no repository keeps")));
    }
    checks
}
