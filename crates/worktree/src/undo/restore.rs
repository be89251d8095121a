//! Plans and carries out the restore of an undo point.

use std::path::{Path, PathBuf};

use super::plan::{Plan, Selection};
use super::points::Point;
use super::staging::stage;
use super::{NoUndo, SCRATCH, place};
use crate::git::Git;
use crate::private::Scratch;
use crate::repository::{Asking, find_place};
use crate::tree_error::TreeError;

/// The result of a restore.
#[derive(Debug, Default)]
pub struct Restored {
    pub written: usize,
    pub removed: usize,
    /// Paths of files that could not be written or removed, with the errors.
    pub failed: Vec<(PathBuf, TreeError)>,
}

impl Restored {
    fn done(&self) -> usize {
        self.written + self.removed + self.failed.len()
    }
}

/// Plans the restore of `point`. `now` is a point with the current files. Files for which the
/// predicate returns true stay unchanged; it gets absolute paths.
pub fn plan(
    cwd: &Path,
    git: &Git,
    point: &Point,
    now: &Point,
    selection: &Selection,
    is_protected: &dyn Fn(&Path) -> bool,
) -> Result<Plan, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    Ok(Plan::find(&asking, &place.git_dir, point, now, selection, is_protected)?)
}

/// Carries out the plan of a restore. Returns how many files were changed and which failed.
pub fn restore(
    cwd: &Path,
    git: &Git,
    point: &Point,
    plan: &Plan,
    tell: &mut dyn FnMut(usize),
) -> Result<Restored, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let top_level = &place.top_level;
    let asking = Asking::begin(git, top_level, deadline)?.with_filters();
    let scratch = Scratch::new(&place.git_dir.join(SCRATCH))?;
    // All files are extracted before the first one changes, so that an error changes nothing.
    let mut staged = stage(&asking, point, &plan.versions, &scratch)?;
    let mut restored = Restored::default();
    for path in &plan.remove {
        match place::remove(top_level, path) {
            Ok(()) => restored.removed += 1,
            Err(error) => restored.failed.push((path.clone(), error)),
        }
        tell(restored.done());
    }
    for (name, (path, version)) in plan.write.iter().zip(&plan.versions) {
        let placed = match (staged.files.get(path), staged.refused.remove(path)) {
            (_, Some(refused)) => Err(refused),
            (Some(from), None) => place::put(top_level, path, version, from),
            (None, None) => continue,
        };
        match placed {
            Ok(()) => restored.written += 1,
            Err(error) => restored.failed.push((name.clone(), error)),
        }
        tell(restored.done());
    }
    Ok(restored)
}
