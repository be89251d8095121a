//! Facts for the checks that verger itself makes in a verification.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Home;
use verger_config::Settings;
use verger_gate::verification::stubs::{Stub, added_stubs};
use verger_gate::{Start, Work};
use verger_worktree::{
    Git, Ignore, NoStartTree, StartTree, begun_lines, content, take_commit_tree, take_start_tree,
};

use super::{Amount, FactFinder, UnknownContent, start_of, tree_of};

/// Time limit for each run of git in a command that a person or agent waits for.
const PATIENT_TIME_LIMIT: Duration = Duration::from_secs(4);

/// Size limit of a diff that is searched for stubs.
const MAX_DIFF_BYTES: u64 = 8 * 1024 * 1024;

/// Stubs in lines that a task added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddedStubs {
    /// The stubs found.
    pub stubs: Vec<Stub>,
    /// Files whose added lines are unknown, and files that were not searched.
    pub not_looked_at: Vec<String>,
}

impl FactFinder {
    /// A finder for use outside of a session. Its work is everything uncommitted in the project
    /// at `root`.
    pub fn without_session(
        home: &Home,
        root: &Path,
        settings: &Settings,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> (Self, Work) {
        let directory = home.own_verifications(root);
        let finder = Self {
            git: Git::new("git", environment, PATIENT_TIME_LIMIT),
            private_dir: directory.join("trees"),
            reviews: directory,
            ignore: Ignore::new(settings.review.ignore.value.iter()),
        };
        let start = start_of(take_commit_tree(root, &finder.private_dir, &finder.git));
        let root = root.to_str().map(str::to_owned);
        let start = match start {
            verger_event::StartTree::Tree(tree) => Start::Tree(tree),
            verger_event::StartTree::Touched { reason } => Start::NoTree { reason, root },
            verger_event::StartTree::Unknown { reason } => Start::Unknown { reason, root },
        };
        (finder, Work { start, ..Work::default() })
    }

    /// Gives git more time for each run. For commands that don't block an agent.
    #[must_use]
    pub fn patient(self) -> Self {
        Self { git: self.git.within(PATIENT_TIME_LIMIT), ..self }
    }

    /// The uncommitted files in the repository around a directory. `None` if there is none.
    pub fn uncommitted(
        &self,
        directory: &Path,
    ) -> Result<Option<BTreeSet<String>>, UnknownContent> {
        let aside = self.aside();
        let Some(tree) = found(take_commit_tree(directory, &aside, &self.git))? else {
            return Ok(None);
        };
        let found = content(&tree, &aside, &self.ignore, &self.git)?;
        Ok(Some(found.files.iter().map(|file| file.path.display().to_string()).collect()))
    }

    /// A tree of the files as they are now, to compare with later. `None` without version control.
    pub fn watch(&self, directory: &Path) -> Result<Option<StartTree>, UnknownContent> {
        found(take_start_tree(directory, &self.aside(), &self.git))
    }

    /// The files that differ from the earlier tree.
    pub fn changed_since(&self, then: &StartTree) -> Result<Vec<String>, UnknownContent> {
        let found = content(then, &self.aside(), &self.ignore, &self.git)?;
        Ok(found.files.iter().map(|file| file.path.display().to_string()).collect())
    }

    /// Stubs in lines that the task added. A stub is a line with a mark of unfinished work. `None`
    /// without version control.
    pub fn added_stubs(
        &self,
        work: &Work,
        amount: &Amount,
    ) -> Option<Result<AddedStubs, UnknownContent>> {
        let diff = match self.diff(work, amount, MAX_DIFF_BYTES)? {
            Ok(diff) => diff,
            Err(unknown) => return Some(Err(unknown)),
        };
        let begun = tree_of(&work.start).and_then(Result::ok);
        let begun = begun.and_then(|tree| begun_lines(&tree, &self.private_dir));
        let had = |file: &str, line: &str| match &begun {
            Some(begun) => begun.had(Path::new(file), line),
            None => Some(false),
        };
        let stubs = added_stubs(&diff.text, |file, line| had(file, line) != Some(false));
        let unseen = |path: &&PathBuf| had(&path.to_string_lossy(), "").is_none();
        let not_known = diff.begun_before.iter().filter(unseen);
        let mut not_looked_at: Vec<_> =
            diff.not_shown.iter().chain(not_known).map(|path| path.display().to_string()).collect();
        if diff.is_cut {
            not_looked_at
                .push(format!("the part of the diff after {} MiB", MAX_DIFF_BYTES / (1024 * 1024)));
        }
        Some(Ok(AddedStubs { stubs, not_looked_at }))
    }

    /// The directory for short-lived trees. They are kept apart so that they don't evict the
    /// start trees of tasks.
    fn aside(&self) -> PathBuf {
        self.private_dir.join("aside")
    }
}

fn found(taken: Result<StartTree, NoStartTree>) -> Result<Option<StartTree>, UnknownContent> {
    match taken {
        Ok(tree) => Ok(Some(tree)),
        Err(NoStartTree::Unread(error)) => Err(error.into()),
        Err(NoStartTree::NotARepository(_) | NoStartTree::PathNotText) => Ok(None),
    }
}
