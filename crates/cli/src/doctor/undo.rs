//! Checks whether undo points can be saved here.

use verger_config::Settings;

use super::Check;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::count;
use crate::render::time::age;
use crate::undo::point::UndoPoint;
use crate::undo::points::UndoPoints;

const NAME: &str = "undo points";

/// The undo points here in one line. `None` if there are none.
pub(crate) fn points_text(context: &Context) -> Result<Option<String>, CommandError> {
    let points = UndoPoints::here(context)?.points()?;
    let now = context.clock.now();
    Ok(points.first().map(|newest| {
        let newest = age(newest.id().made_at(), now);
        format!("{} here, the newest {newest}: verger undo list", points.len())
    }))
}

pub(crate) fn checks(context: &Context, settings: &Settings) -> Vec<Check> {
    if !settings.undo.enabled.value {
        // The list of capabilities already reports that undo is off.
        return vec![];
    }
    let undo_points = match UndoPoints::here(context) {
        Ok(undo_points) => undo_points,
        Err(error) => return vec![Check::failed(NAME, error)],
    };
    let points = match undo_points.points() {
        Ok(points) => points,
        Err(error) => return vec![Check::failed(NAME, error)],
    };
    let is_copied = |point: &&UndoPoint| matches!(point, UndoPoint::Copied(_));
    let copies = points.iter().filter(is_copied).count();
    let number = count(points.len() - copies, "point");
    let mut checks = vec![if undo_points.is_in_repository() {
        Check::fine(NAME, format!("{number} of this repository"))
    } else if let Some(obstacle) = undo_points.obstacle() {
        Check::failed(NAME, obstacle)
    } else {
        Check::note(NAME, "not in a git repository: verger saves only files that a call names")
    }];
    if copies > 0 {
        let copies = count(copies, "point");
        checks.push(Check::fine(NAME, format!("{copies} of files outside of git repositories")));
    }
    checks
}
