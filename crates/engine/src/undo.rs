//! Saves files that a call may destroy, before the call gets its answer.
//!
//! Saving needs neither the session nor the log. It takes no session lock, has its own time
//! limit, and works even if recording fails. The agent's working tree is saved in its repository,
//! and so are other working trees that the call names. Named files outside of repositories are
//! copied.

mod named;
mod overwritten;
mod policy;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Home;
use verger_config::Settings;
use verger_event::{Event, EventId, UndoPointAge, VergerPart};
use verger_exec::Deadline;
use verger_gate::permission::{NamedPath, Swept};
use verger_store::with_causes;
use verger_worktree::Git;
use verger_worktree::undo::{
    self as points, Copy, LeftOut, NoUndo, Reason, Saved, SavedCopy, Saving,
};

use crate::gates::guard::ProtectedFiles;
use crate::{Clock, Environment};
use named::{is_too_wide, on_disk};

pub(crate) use named::{emptied_by, hidden_in, named_by, removed_by, swept_by};
pub use policy::{undo_limits, undo_retention};

/// Maximum number of working trees that are saved in addition to the agent's own.
const MAX_OTHER_TREES: usize = 3;

/// Maximum number of unsaved files that the log names for one undo point.
const MAX_NAMED: usize = 20;

/// Maximum number of unsaved paths that a notice names.
const MAX_TOLD: usize = 3;

/// Maximum number of characters of an undo point's reason.
const MAX_WHY_CHARS: usize = 200;

/// Takes the undo points for one call.
pub(crate) struct Saver<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) home: Option<&'a Home>,
    pub(crate) settings: &'a Settings,
    pub(crate) clock: &'a Clock,
}

/// The files that a call may destroy, as far as its text shows.
pub(crate) struct Endangered<'a> {
    /// The agent's working directory.
    pub(crate) cwd: Option<&'a str>,
    pub(crate) session: &'a str,
    /// The paths that the call names.
    pub(crate) named: Vec<NamedPath>,
    /// The paths that the call removes with everything in them.
    pub(crate) removed: Vec<NamedPath>,
    /// The directories from which the call also removes the files that git ignores.
    pub(crate) emptied: Vec<NamedPath>,
    /// Files that the call removes without naming them, such as untracked files.
    pub(crate) swept: Swept,
    /// Operands whose values are known only when the call runs.
    pub(crate) hidden: Vec<String>,
    /// The reason why the call may destroy something, with the rule if there is one.
    pub(crate) why: String,
}

/// The result of saving.
#[derive(Debug, Clone)]
pub(crate) struct SavedBefore {
    /// The id of the call's record.
    pub(crate) on: EventId,
    /// The reason why the call may destroy something.
    pub(crate) why: String,
    taken: Vec<Taken>,
    /// The errors that prevented saving.
    faults: Vec<String>,
    /// The reasons why there was nothing to save.
    absence: Vec<String>,
    /// The named paths that no undo point contains, each with the reason.
    lacking: Vec<String>,
    /// Number of further paths that the call may destroy and no undo point contains.
    more_lacking: u64,
}

/// An undo point that was taken before the call.
#[derive(Debug, Clone)]
struct Taken {
    point: EventId,
    kept_at: String,
    root: PathBuf,
    /// The repository that stores the undo point. `None` if it is a copy of files.
    kept_in: Option<PathBuf>,
    age: UndoPointAge,
    left_out: Vec<LeftOut>,
    more_left_out: u64,
}

impl SavedBefore {
    /// The reason why the call can't be undone, if so.
    pub(crate) fn failure(&self) -> Option<String> {
        told(self.faults.iter().chain(&self.absence))
    }

    /// A text about the named paths that no undo point contains. `None` if all are saved.
    pub(crate) fn lacking(&self) -> Option<String> {
        let named = self.lacking.iter().take(MAX_TOLD).cloned().collect::<Vec<_>>().join(", ");
        let unnamed = self.lacking.len().saturating_sub(MAX_TOLD) as u64 + self.more_lacking;
        match (self.lacking.len(), unnamed) {
            (0, _) => None,
            (_, 0) => Some(named),
            (_, more) => Some(format!("{named}, and {more} more")),
        }
    }

    /// The events that record the undo points. The first one also names the files that the call
    /// destroys and no undo point contains, such as files that git ignores. `verger undo restore`
    /// reads their names from that event.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> {
        let mut lacking = self.lacking.as_slice();
        let taken = self.taken.iter().map(move |taken| {
            let name = |left: &LeftOut| format!("{} ({})", left.path.display(), left.reason);
            let mut left_out: Vec<_> = taken.left_out.iter().map(name).collect();
            let unnamed = left_out.len().saturating_sub(MAX_NAMED);
            left_out.truncate(MAX_NAMED);
            let lacking = std::mem::take(&mut lacking);
            let new = lacking.iter().filter(|name| !is_named(&left_out, name)).take(MAX_NAMED);
            let new: Vec<_> = new.cloned().collect();
            left_out.extend(new);
            Event::UndoPointTaken {
                on: self.on,
                point: taken.point,
                kept_at: taken.kept_at.clone(),
                root: taken.root.display().to_string(),
                age: taken.age,
                left_out,
                more_left_out: unnamed as u64 + taken.more_left_out,
            }
        });
        let failed = self.failure().map(|why| Event::UndoPointFailed { on: self.on, why });
        // A failure to save is also recorded as a warning, so that it is listed with the
        // session's other warnings.
        let warning = told(self.faults.iter())
            .map(|message| Event::Warned { area: VergerPart::UndoPoints.into(), message });
        taken.chain(failed).chain(warning)
    }
}

/// Whether `names` contains `name`. A relative `name` also matches an absolute path that ends
/// with it.
fn is_named(names: &[String], name: &str) -> bool {
    names.iter().any(|known| {
        known.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    })
}

/// Files to copy, because no repository will keep them.
struct WantedCopy<'a> {
    cwd: &'a Path,
    /// Files that are in no repository.
    loose: Vec<PathBuf>,
    /// Files in repositories that the call removes together with their undo points.
    doomed: Vec<PathBuf>,
}

impl Saver<'_> {
    /// The end of the time for saving the files of one call, which begins now.
    pub(crate) fn deadline(&self) -> Deadline<'static> {
        Deadline::after(Duration::from_millis(self.settings.undo.time_limit_ms.value))
    }

    pub(crate) fn save(&self, endangered: &Endangered<'_>, time: Deadline<'_>) -> SavedBefore {
        let on = self.clock.next_id();
        let mut saved = SavedBefore {
            on,
            why: endangered.why.clone(),
            lacking: vec![],
            more_lacking: 0,
            taken: vec![],
            faults: vec![],
            absence: vec![],
        };
        let cwd = endangered.cwd.map(Path::new).filter(|cwd| cwd.is_absolute());
        let Some(cwd) = cwd.and_then(|cwd| cwd.canonicalize().ok()) else {
            saved.absence.push("find the agent's working directory".to_owned());
            return saved;
        };
        let protected = ProtectedFiles::of(self.home, &cwd, self.environment);
        let is_protected = |path: &Path| protected.has(path);
        let saving = || Saving {
            id: self.clock.next_id(),
            session: Some(endangered.session.to_owned()),
            on: Some(on),
            why: endangered.why.chars().take(MAX_WHY_CHARS).collect(),
            limits: undo_limits(self.settings),
            retention: undo_retention(self.settings),
            is_protected: &is_protected,
        };
        let tree = |cwd: &Path| points::save(cwd, &self.git(time), &saving());
        let mut no_tree = None;
        match tree(&cwd) {
            Ok(tree) => saved.taken.push(tree.into()),
            Err(none @ NoUndo::NotARepository(_)) => no_tree = Some(with_causes(&none)),
            Err(error) => saved.faults.push(with_causes(&error)),
        }
        let loose = saved.other_trees(endangered, holder(&cwd), &tree);
        let doomed = self.doomed(&mut saved, endangered, time);
        let is_doomed = !doomed.is_empty();
        let wanted = WantedCopy { cwd: &cwd, loose, doomed };
        let not_copied = self.copy(&mut saved, wanted, &saving(), time).err();
        let no_tree = no_tree.filter(|_| saved.taken.is_empty());
        let is_bare = no_tree.is_some();
        saved.absence.extend(no_tree);
        match not_copied {
            // If there are other files to save, it is no error that a named path is missing on
            // disk.
            Some(none @ NoUndo::NothingCopied(_)) => {
                saved.absence.extend((is_bare || is_doomed).then(|| with_causes(&none)));
            }
            Some(error) => saved.faults.push(with_causes(&error)),
            None => {}
        }
        if holder(&cwd).is_none() {
            let hidden = endangered.hidden.iter();
            saved
                .lacking
                .extend(hidden.map(|word| {
                    format!("{word} (its value is not known before the command runs)")
                }));
        }
        saved.lacking.extend(self.left_out(&saved, endangered, time));
        if !endangered.swept.untracked.is_empty() {
            saved.more_lacking = saved.taken.iter().map(|taken| taken.more_left_out).sum();
        }
        saved
    }

    /// The paths that the call names and the undo points don't contain. A call that names a file
    /// in a working tree doesn't name the whole tree.
    fn left_out(
        &self,
        saved: &SavedBefore,
        endangered: &Endangered<'_>,
        time: Deadline<'_>,
    ) -> Vec<String> {
        let is_plain = |named: &&NamedPath| matches!(named, NamedPath::Path(_));
        let plain: Vec<_> = endangered.named.iter().filter(is_plain).cloned().collect();
        let (named, plain) = (on_disk(&endangered.named), on_disk(&plain));
        let emptied = on_disk(&endangered.emptied);
        let mut lacking = vec![];
        for taken in &saved.taken {
            let paths = taken.of_its_own(&named);
            let is_named = |left: &Path| {
                paths.iter().any(|path| left.starts_with(path) || path.starts_with(left))
            };
            let left_out = taken.left_out.iter().map(|left| {
                let path = left.path.strip_prefix(&taken.root).unwrap_or(&left.path);
                (path, left.reason)
            });
            let swept = self.swept(taken, endangered, time);
            let is_meant = |path: &Path| is_named(path) || swept.contains(path);
            let left_out = left_out.filter(|(path, _)| is_meant(path) && !is_of_repository(path));
            lacking.extend(left_out.map(|(path, why)| format!("{} ({why})", path.display())));
            if taken.kept_in.is_some() {
                let plain = taken.of_its_own(&plain);
                // If git can't tell which paths are ignored, no path is reported. The undo point
                // exists already.
                let named = points::ignored(&taken.root, &plain, &self.git(time));
                let below =
                    points::ignored_below(&taken.root, &taken.within(&emptied), &self.git(time));
                let ignored: BTreeSet<_> =
                    [named, below].into_iter().flat_map(Result::unwrap_or_default).collect();
                // A listed directory includes its contents, so they aren't listed again.
                let is_first = |path: &&PathBuf| {
                    path.ancestors().skip(1).all(|above| !ignored.contains(above))
                };
                let ignored = ignored.iter().filter(is_first);
                lacking.extend(ignored.map(|path| format!("{} (git ignores it)", path.display())));
            }
        }
        lacking
    }

    /// The files that the call removes without naming them and that an undo point doesn't
    /// contain.
    fn swept(
        &self,
        taken: &Taken,
        endangered: &Endangered<'_>,
        time: Deadline<'_>,
    ) -> BTreeSet<PathBuf> {
        let Swept { untracked, tracked } = &endangered.swept;
        let cleaned = taken.within(&on_disk(untracked));
        let is_file = |left: &&LeftOut| left.reason != Reason::Repository;
        let left_out = taken.left_out.iter().filter(is_file).map(|left| left.path.clone());
        let left_out: Vec<_> = left_out.collect();
        if taken.kept_in.is_none() || left_out.is_empty() || (cleaned.is_empty() && !tracked) {
            return BTreeSet::new();
        }
        let known = points::tracked(&taken.root, &left_out, &self.git(time));
        let known: BTreeSet<_> = known.unwrap_or_default().into_iter().collect();
        let is_swept = |path: &PathBuf| {
            if known.contains(path) {
                *tracked
            } else {
                cleaned.iter().any(|above| path.starts_with(above))
            }
        };
        left_out.into_iter().filter(is_swept).collect()
    }

    /// The files of repositories that the call removes together with their undo points.
    fn doomed(
        &self,
        saved: &mut SavedBefore,
        endangered: &Endangered<'_>,
        time: Deadline<'_>,
    ) -> Vec<PathBuf> {
        let removed: Vec<_> =
            on_disk(&endangered.removed).into_iter().map(|(path, _)| path).collect();
        let mut doomed = vec![];
        for taken in &saved.taken {
            let Some(kept_in) = &taken.kept_in else { continue };
            if !removed.iter().any(|path| points::endangers(path, kept_in)) {
                continue;
            }
            match points::files_to_copy(&taken.root, kept_in, &removed, &self.git(time)) {
                Ok(files) => doomed.extend(files),
                Err(error) => saved.faults.push(with_causes(&error)),
            }
        }
        doomed
    }

    fn copy(
        &self,
        saved: &mut SavedBefore,
        wanted: WantedCopy<'_>,
        saving: &Saving<'_>,
        time: Deadline<'_>,
    ) -> Result<(), NoUndo> {
        let WantedCopy { cwd, loose, doomed } = wanted;
        let user_home = self.environment.get("HOME").map(PathBuf::from);
        let is_wide = |path: &PathBuf| is_too_wide(path, cwd, user_home.as_deref());
        let (wide, mut paths): (Vec<_>, Vec<_>) = loose.into_iter().partition(is_wide);
        let too_wide = wide.first().map(|wide| {
            NoUndo::NothingCopied(format!("{} is too large to be copied", wide.display()))
        });
        match too_wide {
            Some(too_wide) if paths.is_empty() && doomed.is_empty() => return Err(too_wide),
            Some(too_wide) if !doomed.is_empty() => saved.absence.push(with_causes(&too_wide)),
            _ => {}
        }
        let is_doomed = !doomed.is_empty();
        paths.extend(doomed);
        let Some(home) = self.home else {
            let nowhere = || NoUndo::NothingCopied("verger has no data directory".to_owned());
            return if is_doomed { Err(nowhere()) } else { Ok(()) };
        };
        let copies = home.undo_copies();
        let SavedCopy { copy, is_reused } = points::save_copy(&copies, cwd, &paths, saving, time)?;
        if is_doomed {
            saved.absence.extend(incomplete(&copy));
        }
        saved.taken.push(Taken {
            point: copy.id,
            kept_at: copy.directory(&copies).display().to_string(),
            root: copy.root,
            kept_in: None,
            age: age(is_reused),
            left_out: copy.left_out,
            more_left_out: copy.more_left_out,
        });
        Ok(())
    }

    fn git(&self, time: Deadline<'_>) -> Git {
        Git::new("git", self.environment.all().iter().cloned(), time.left())
    }
}

impl SavedBefore {
    /// Saves the other working trees that the call names. Returns the files that are in no working
    /// tree.
    fn other_trees(
        &mut self,
        endangered: &Endangered<'_>,
        own: Option<PathBuf>,
        save: &dyn Fn(&Path) -> Result<Saved, NoUndo>,
    ) -> Vec<PathBuf> {
        let mut loose = vec![];
        let mut tried: Vec<_> = own.into_iter().collect();
        for (path, is_file) in on_disk(&endangered.named) {
            let holder = holder(&path);
            if self.taken.iter().any(|taken| Some(&taken.root) == holder.as_ref()) {
                continue;
            }
            let is_new =
                |holder: &PathBuf| tried.len() <= MAX_OTHER_TREES && !tried.contains(holder);
            let outcome = holder.filter(is_new).map(|holder| {
                let outcome = save(&holder);
                tried.push(holder);
                outcome
            });
            match outcome {
                Some(Ok(tree)) => self.taken.push(tree.into()),
                Some(Err(NoUndo::NotARepository(_))) | None if is_file => loose.push(path),
                Some(Err(NoUndo::NotARepository(_))) | None => {}
                Some(Err(error)) => self.faults.push(with_causes(&error)),
            }
        }
        loose
    }
}

impl Taken {
    /// The existing files that this undo point should contain, relative to its root if they are
    /// below it.
    fn of_its_own(&self, named: &[(PathBuf, bool)]) -> Vec<PathBuf> {
        let is_own =
            |path: &Path| self.kept_in.is_none() || holder(path).as_ref() == Some(&self.root);
        let paths = named.iter().filter(|(path, is_file)| *is_file && is_own(path));
        let paths = paths.map(|(path, _)| path.strip_prefix(&self.root).unwrap_or(path));
        let is_inner = |path: &&Path| !path.as_os_str().is_empty() && !is_of_repository(path);
        paths.filter(is_inner).map(Path::to_owned).collect()
    }

    /// The existing paths in this undo point's working tree, relative to its root. The root
    /// itself is included.
    fn within(&self, paths: &[(PathBuf, bool)]) -> Vec<PathBuf> {
        let own = paths.iter().filter(|(path, _)| holder(path).as_ref() == Some(&self.root));
        let own = own.filter_map(|(path, _)| path.strip_prefix(&self.root).ok());
        own.filter(|path| !is_of_repository(path)).map(Path::to_owned).collect()
    }
}

impl From<Saved> for Taken {
    fn from(Saved { point, is_reused, kept_in }: Saved) -> Self {
        Self {
            point: point.id,
            kept_in: Some(kept_in),
            kept_at: point.reference(),
            age: age(is_reused),
            left_out: point.left_out,
            more_left_out: point.more_left_out,
            root: point.root,
        }
    }
}

/// The nearest directory at or above a path that has a `.git` entry, so it may be the root of a
/// working tree.
fn holder(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| above.join(".git").exists()).map(Path::to_owned)
}

/// A message about the first file that is missing from a copy of a repository. Protected files
/// are never copied, so they are not reported.
fn incomplete(copy: &Copy) -> Option<String> {
    let mut missing = copy.left_out.iter().filter(|left| left.reason != Reason::Protected);
    let first = missing.next()?;
    let more = match missing.count() as u64 + copy.more_left_out {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let path = first.path.display();
    Some(format!("copy all files of the repository: {path} ({}){more}", first.reason))
}

fn is_of_repository(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}

fn told<'a>(reasons: impl Iterator<Item = &'a String>) -> Option<String> {
    let reasons: Vec<_> = reasons.map(|reason| format!("cannot {reason}")).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn age(is_reused: bool) -> UndoPointAge {
    if is_reused { UndoPointAge::Earlier } else { UndoPointAge::New }
}
