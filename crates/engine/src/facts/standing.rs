//! Facts about a task's work that its verification needs: its size, and whether it is committed.

use std::collections::BTreeSet;
use std::path::Path;

use verger_event::gathered;
use verger_gate::Work;
use verger_gate::verification::own_checks;
use verger_gate::verification::{Came, Extent};
use verger_worktree::{MovedOut, changed_lines};

use super::{Amount, FactFinder, UnknownContent, tree_of};

/// The size of a task's work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkExtent {
    /// The files that the task changed, as paths below the root.
    pub files: Vec<String>,
    /// The number of lines added and removed. `None` if they could not be counted.
    pub lines: Option<u64>,
}

impl WorkExtent {
    /// The extent in the form that the verification gate uses.
    pub fn extent(&self) -> Extent<'_> {
        Extent { files: &self.files, lines: self.lines }
    }
}

impl FactFinder {
    /// The size of the work. Its lines are counted only under version control.
    pub fn extent(&self, work: &Work, amount: &Amount) -> Result<WorkExtent, UnknownContent> {
        let found = amount.found.as_ref();
        let changed = found.map(|found| found.files.as_slice()).unwrap_or_default();
        let lines = match tree_of(&work.start) {
            Some(tree) => Some(changed_lines(&tree?, &self.private_dir, changed, &self.git)?),
            None => None,
        };
        Ok(WorkExtent { files: own_files(amount).into_iter().collect(), lines })
    }

    /// Whether the files that the task changed are committed in the repository around
    /// `directory`.
    pub fn committed(&self, directory: &Path, amount: &Amount) -> Result<Came, UnknownContent> {
        let Some(mut uncommitted) = self.uncommitted(directory)? else {
            return Ok(own_checks::skipped("this directory is not under version control"));
        };
        let own = own_files(amount);
        uncommitted.retain(|path| own.contains(path));
        let moved_out = match amount.found.as_ref().map(|found| &found.moved_out) {
            Some(MovedOut::Files(files)) => {
                files.iter().map(|path| path.display().to_string()).collect()
            }
            Some(MovedOut::Nothing) | None => vec![],
        };
        Ok(own_checks::git_state(&uncommitted.into_iter().collect::<Vec<_>>(), &moved_out))
    }
}

fn own_files(amount: &Amount) -> BTreeSet<String> {
    let files = amount.found.iter().flat_map(|found| &found.files);
    gathered(files.map(|file| file.path.display().to_string()))
}
