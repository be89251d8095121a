//! The undo points for a directory, and plans for restoring them.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use verger_engine::Home;
use verger_engine::{LoadedSettings, ProtectedFiles, undo_limits};
use verger_event::{Event, EventId, Fold, Record, Timestamp};
use verger_exec::Deadline;
use verger_store::ReadLog;
use verger_worktree::undo::{
    self, Copy, LeftOut, NoUndo, Plan, Point, Restored, Retention, Saved, Saving, Selection,
};
use verger_worktree::{Git, PathReason};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;
use crate::render::short_ids::{ambiguous, is_meant_event};
use crate::undo::point::UndoPoint;

/// The time limit of each call of git. It is long, because a large repository may need it and a
/// person waits.
const TIME_LIMIT: Duration = Duration::from_mins(2);

pub(crate) struct UndoPoints<'a> {
    context: &'a Context,
    git: Git,
    home: Home,
    loaded: LoadedSettings,
    /// The directory in which the command was started.
    pub(crate) cwd: PathBuf,
    protected: ProtectedFiles,
}

/// The failure to save an undo point before the project's last call that may have destroyed
/// something.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct UndoTrouble {
    last: Option<(Timestamp, String)>,
}

impl UndoTrouble {
    const NAME: &str = "undo";
}

impl Fold for UndoTrouble {
    const VERSION: u32 = 1;
    const KINDS: Option<&'static [&'static str]> = Some(&["undo_point.taken", "undo_point.failed"]);

    fn apply(&mut self, record: &Record) {
        match &record.draft.event {
            Event::UndoPointFailed { why, .. } => {
                self.last = Some((record.draft.at, why.clone()));
            }
            Event::UndoPointTaken { .. } => self.last = None,
            _ => {}
        }
    }
}

/// An undo point, and the changes that restoring it makes.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// The files whose index entries change.
    pub(crate) staged: Vec<PathBuf>,
    /// An undo point with the current files. `None` if none of the files exists.
    pub(crate) now: Option<UndoPoint>,
    /// Whether `now` was saved for this plan.
    is_new: bool,
}

impl Planned {
    /// Whether restoring would change nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.plan.is_empty() && self.staged.is_empty()
    }
}

impl<'a> UndoPoints<'a> {
    pub(crate) fn here(context: &'a Context) -> Result<Self, CommandError> {
        let home = context.home()?;
        let cwd = context.directory()?.to_owned();
        let cwd = cwd.canonicalize().unwrap_or(cwd);
        let environment = context.environment.all().iter().cloned();
        Ok(Self {
            context,
            git: Git::new("git", environment, TIME_LIMIT),
            loaded: context.settings(&home),
            protected: ProtectedFiles::of(Some(&home), &cwd, &context.environment),
            home,
            cwd,
        })
    }

    /// The points of this repository and the copies of files near this directory, newest first.
    pub(crate) fn points(&self) -> Result<Vec<UndoPoint>, CommandError> {
        let in_repository = match undo::points(&self.cwd, &self.git) {
            Ok(points) => points,
            Err(NoUndo::NotARepository(_)) => vec![],
            Err(error) => return Err(error.into()),
        };
        let copies = undo::copies(&self.home.undo_copies())?;
        let copies = copies.into_iter().filter(|copy| self.is_near(copy));
        let mut points: Vec<_> = in_repository.into_iter().map(UndoPoint::InRepository).collect();
        points.extend(copies.map(UndoPoint::Copied));
        points.sort_by_key(|point| std::cmp::Reverse(point.id()));
        Ok(points)
    }

    pub(crate) fn is_in_repository(&self) -> bool {
        undo::top_level(&self.cwd, &self.git).is_ok()
    }

    /// The error that prevents git from reading the repository. `None` if there is no repository.
    pub(crate) fn obstacle(&self) -> Option<NoUndo> {
        match undo::top_level(&self.cwd, &self.git) {
            Ok(_)
            | Err(NoUndo::NotARepository(PathReason::NoRepository | PathReason::NoWorkTree)) => {
                None
            }
            Err(error) => Some(error),
        }
    }

    /// The failure to save an undo point before this project's last call that may have destroyed
    /// something, with its time. `None` if saving worked.
    pub(crate) fn last_failure(
        &self,
        ui: &Ui,
    ) -> Result<Option<(Timestamp, String)>, CommandError> {
        let Some(project) = self.context.project_id() else { return Ok(None) };
        let store = self.context.open_store(ui)?;
        let UndoTrouble { last } = store.project_fold(&project, UndoTrouble::NAME)?;
        Ok(last)
    }

    fn is_near(&self, copy: &Copy) -> bool {
        copy.root.starts_with(&self.cwd)
            || self.cwd.starts_with(&copy.root)
            || copy.files.iter().any(|file| file.path.starts_with(&self.cwd))
    }

    /// The point with this id, or with this part of an id. Without a prefix, the newest point of
    /// this working tree that was saved before a call. Points that a restore saved are skipped,
    /// because a user who restores again doesn't mean them.
    pub(crate) fn choose(&self, prefix: Option<&str>) -> Result<UndoPoint, CommandError> {
        let mut points = self.points()?;
        let help = "verger undo list".to_owned();
        let Some(prefix) = prefix else {
            let is_meant =
                |point: &UndoPoint| point.on().is_some() && self.cwd.starts_with(point.root());
            let newest = points.iter().position(is_meant);
            return newest.map(|at| points.swap_remove(at)).ok_or_else(|| CommandError::Usage {
                message: "there is no undo point of this directory".to_owned(),
                hint: format!("{help} shows those of other directories"),
            });
        };
        points.retain(|point| is_meant_event(point.id(), prefix));
        match points.len() {
            0 => Err(CommandError::Usage {
                message: format!("no undo point has the id {prefix:?}"),
                hint: help,
            }),
            1 => Ok(points.swap_remove(0)),
            _ => Err(ambiguous(prefix, points.iter().map(UndoPoint::id))),
        }
    }

    /// Plans the restore of a point. Saves the current files to compare with them.
    pub(crate) fn plan(
        &self,
        point: &UndoPoint,
        paths: &[PathBuf],
        exact: bool,
    ) -> Result<Planned, CommandError> {
        let is_protected = |path: &Path| self.protected.has(path);
        match point {
            UndoPoint::InRepository(point) => {
                let top_level = undo::top_level(&self.cwd, &self.git)?;
                let below = paths.iter().map(|path| self.below(path, &top_level));
                let selection = Selection { paths: below.collect::<Result<_, _>>()?, exact };
                for (path, given) in selection.paths.iter().zip(paths) {
                    let is_there = top_level.join(path).symlink_metadata().is_ok();
                    if !is_there && !undo::has(&self.cwd, &self.git, point, path)? {
                        return Err(no_such_path(given, point.id));
                    }
                }
                let Saved { point: now, is_reused, .. } =
                    undo::save(&self.cwd, &self.git, &self.saving(&is_protected))?;
                let plan =
                    undo::plan(&self.cwd, &self.git, point, &now, &selection, &is_protected)?;
                let staged = match paths {
                    [] => undo::staged_changes(&self.cwd, &self.git, point)?,
                    _ => vec![],
                };
                let (now, is_new) = (Some(UndoPoint::InRepository(now)), !is_reused);
                Ok(Planned { plan, staged, now, is_new })
            }
            UndoPoint::Copied(copy) => {
                let full = paths.iter().map(|path| normal(&self.cwd.join(path))).collect();
                let selection = Selection { paths: full, exact };
                for (path, given) in selection.paths.iter().zip(paths) {
                    let is_copied = copy.files.iter().any(|file| file.path.starts_with(path));
                    let is_left_out = copy.left_out.iter().any(|left| left.path.starts_with(path));
                    if !is_copied && !is_left_out && path.symlink_metadata().is_err() {
                        return Err(no_such_path(given, copy.id));
                    }
                }
                let copies = self.home.undo_copies();
                let plan = undo::plan_copy(&copies, copy, &selection, &is_protected);
                Ok(Planned { plan, staged: vec![], now: None, is_new: false })
            }
        }
    }

    /// The number of files at or below these paths that the point does not contain, and the names
    /// that the point lists.
    pub(crate) fn not_saved(&self, point: &UndoPoint, paths: &[PathBuf]) -> (u64, Vec<String>) {
        let wanted: Vec<_> = paths.iter().map(|path| normal(&self.cwd.join(path))).collect();
        let is_wanted = |left: &&LeftOut| {
            let full = point.root().join(&left.path);
            wanted.is_empty()
                || wanted.iter().any(|path| full.starts_with(path) || path.starts_with(&full))
        };
        let left_out = point.left_out().iter().filter(is_wanted);
        let names: Vec<_> =
            left_out.map(|left| format!("{} ({})", left.path.display(), left.reason)).collect();
        let unnamed = if paths.is_empty() { point.more_left_out() } else { 0 };
        (names.len() as u64 + unnamed, names)
    }

    /// Saves the files that restoring a copy would replace.
    pub(crate) fn save_replaced(
        &self,
        copy: &Copy,
        plan: &Plan,
    ) -> Result<Option<UndoPoint>, CommandError> {
        let is_protected = |path: &Path| self.protected.has(path);
        let saving = self.saving(&is_protected);
        let (copies, time) = (self.home.undo_copies(), Deadline::after(TIME_LIMIT));
        let there = plan.write.iter().filter(|path| path.symlink_metadata().is_ok());
        let there: Vec<_> = there.cloned().collect();
        if there.is_empty() {
            return Ok(None);
        }
        let saved = undo::save_copy(&copies, &copy.root, &there, &saving, time)?;
        Ok(Some(UndoPoint::Copied(saved.copy)))
    }

    fn saving<'s>(&self, is_protected: &'s dyn Fn(&Path) -> bool) -> Saving<'s> {
        let settings = &self.loaded.settings;
        Saving {
            id: self.context.clock.next_id(),
            session: None,
            on: None,
            why: "before an undo point was brought back".to_owned(),
            limits: undo_limits(settings),
            // Saving must not delete the point that is being restored, neither now nor in a later
            // attempt. The next point that is saved before a call deletes the surplus.
            retention: Retention::ALL,
            is_protected,
        }
    }

    /// Makes a path relative to the top level of the working tree.
    fn below(&self, path: &Path, top_level: &Path) -> Result<PathBuf, CommandError> {
        let full = normal(&self.cwd.join(path));
        full.strip_prefix(top_level).map(Path::to_owned).map_err(|_| CommandError::Usage {
            message: format!("{} is not in {}", path.display(), top_level.display()),
            hint: "give paths inside this working tree".to_owned(),
        })
    }

    pub(crate) fn restore(
        &self,
        point: &UndoPoint,
        plan: &Plan,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Restored, CommandError> {
        match point {
            UndoPoint::InRepository(point) => {
                Ok(undo::restore(&self.cwd, &self.git, point, plan, tell)?)
            }
            UndoPoint::Copied(copy) => Ok(undo::restore_copy(&self.home.undo_copies(), copy, plan)),
        }
    }

    pub(crate) fn restore_index(&self, point: &Point) -> Result<(), NoUndo> {
        undo::restore_index(&self.cwd, &self.git, point)
    }

    /// Removes the point if it was saved only for comparing.
    pub(crate) fn forget(&self, planned: &Planned) -> Result<(), CommandError> {
        match &planned.now {
            Some(UndoPoint::InRepository(now)) if planned.is_new => {
                Ok(undo::forget(&self.cwd, &self.git, now)?)
            }
            _ => Ok(()),
        }
    }
}

fn no_such_path(path: &Path, point: EventId) -> CommandError {
    CommandError::Usage {
        message: format!("{} exists neither here nor in undo point {point}", path.display()),
        hint: format!("verger undo show --point {point} shows what restoring it would change"),
    }
}

/// The path without `.` and `..`. The file system is not used, because the file may be missing.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
