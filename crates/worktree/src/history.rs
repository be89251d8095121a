//! The changes to a repository's commits since the start of a task: the content that others added,
//! and the task's content that is no longer checked out.
//!
//! A commit belongs to others when it can be reached from a reference's value at the start, or from
//! a commit fetched since. Every other commit belongs to the task, whatever its author and dates
//! are. A file that the task itself committed stays the task's even if others have the same
//! content: it may be the task's work coming back. Commits of others that a rebase rewrote also
//! count as the task's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::movement::{is_fetched, is_made_here, is_unbroken};
use crate::reflog::{Move, Since, latest_moves, shared_logs};
use crate::repository::Asking;
use crate::start_tree::Start;
use crate::tree_error::TreeError;
use crate::version::{CommitChanges, RepositoryPath, Version, parse_commits, parse_raw};

/// The maximum number of commits that `frontier` returns. Further ones are ignored.
const MAX_FRONTIER: usize = 16;
/// The maximum number of new references that are checked for being moved by a fetch.
const MAX_MOVED_REFERENCES: usize = 256;

pub(crate) struct History<'a> {
    asking: &'a Asking<'a>,
    start: &'a Start,
    head: Option<&'a str>,
    moves: Vec<Move>,
    trust: Trust,
    logs: PathBuf,
}

/// Whether the reflog has all moves from the start of the task to now.
enum Trust {
    Whole,
    Gaps,
}

/// For each path, the versions that others made and that didn't exist at the start of the task.
pub(crate) type Explained = BTreeMap<RepositoryPath, BTreeSet<Version>>;

impl<'a> History<'a> {
    pub(crate) fn since(
        start: &'a Start,
        asking: &'a Asking<'a>,
        git_dir: &Path,
        head: Option<&'a str>,
    ) -> Self {
        let (moves, is_same_log) = match start.log.since(&git_dir.join("logs/HEAD")) {
            Since::Moves(moves) => (moves, true),
            Since::Rewritten(moves) => (moves, false),
        };
        let is_whole = is_same_log && is_unbroken(&moves, start.head.as_deref(), head);
        let trust = if is_whole { Trust::Whole } else { Trust::Gaps };
        Self { asking, start, head, moves, trust, logs: shared_logs(git_dir) }
    }

    /// For each path, the versions that a pull, a merge or another branch brought in since the
    /// start of the task.
    pub(crate) fn explained(&self) -> Result<Explained, TreeError> {
        let Some(head) = self.head.filter(|head| self.start.head.as_deref() != Some(*head)) else {
            return Ok(Explained::new());
        };
        let mut explained = Explained::new();
        for commit in self.frontier(head)? {
            let step = "find the changes of others";
            let arguments =
                ["diff-tree", "-r", "--raw", "-z", "--no-renames", &self.start.base, &commit, "--"];
            let answer = self.asking.answer(step, &arguments, None, vec![])?;
            for (path, difference) in parse_raw(&answer).ok_or(TreeError::Answer { step })? {
                explained.entry(path).or_default().insert(difference.now);
            }
        }
        for (_, paths) in self.changes_of(&self.made())? {
            for path in paths.into_keys() {
                explained.remove(&path);
            }
        }
        Ok(explained)
    }

    /// Versions of files that the task committed or stashed and that are neither checked out nor in
    /// an ancestor of the checked-out commit.
    pub(crate) fn left_behind(&self) -> Result<Vec<(RepositoryPath, Version)>, TreeError> {
        let lost = self.lost()?.into_iter().collect();
        let commits: Vec<_> = [lost, self.stashed()?].concat();
        let changes = self.changes_of(&commits)?;
        Ok(changes.into_iter().flat_map(|(_, paths)| paths).collect())
    }

    /// The latest commits of others in the history of the checked-out commit `head`.
    fn frontier(&self, head: &str) -> Result<Vec<String>, TreeError> {
        let fetched = match self.trust {
            Trust::Whole => self.fetched()?,
            Trust::Gaps => BTreeSet::new(),
        };
        let lines = self.walk(&["--boundary"], [head], self.start.tips.union(&fetched))?;
        let (boundary, own): (Vec<_>, Vec<_>) =
            lines.iter().partition(|line| line.starts_with('-'));
        if own.is_empty() {
            return Ok(vec![head.to_owned()]);
        }
        let boundary = boundary.iter().map(|line| line.trim_start_matches('-').to_owned());
        Ok(boundary.take(MAX_FRONTIER).collect())
    }

    /// The commits to which fetches have moved references since the start of the task.
    fn fetched(&self) -> Result<BTreeSet<String>, TreeError> {
        let known = &self.start.tips;
        let references = self.asking.references()?;
        let new = references.into_iter().filter(|(id, _)| !known.contains(id));
        let fetched = new.take(MAX_MOVED_REFERENCES).flat_map(|(_, name)| {
            let moves = latest_moves(&self.logs.join(&name)).into_iter();
            moves.filter(move |step| is_fetched(&name, step)).map(|step| step.to)
        });
        Ok(fetched.filter(|id| !known.contains(id)).collect())
    }

    /// The commits that were made in this worktree since the start of the task, in order.
    fn made(&self) -> Vec<String> {
        self.moves.iter().filter(|step| is_made_here(step)).map(|step| step.to.clone()).collect()
    }

    /// The commits made in this worktree that can't be reached from the checked-out commit or from
    /// a reference at the start of the task.
    fn lost(&self) -> Result<BTreeSet<String>, TreeError> {
        let made: BTreeSet<_> = self.made().into_iter().collect();
        if made.is_empty() {
            return Ok(made);
        }
        let not = self.start.tips.iter().map(String::as_str).chain(self.head);
        let reached = self.walk(&[], made.iter().map(String::as_str), not)?;
        Ok(reached.into_iter().filter(|id| made.contains(id)).collect())
    }

    /// The stashes that were made since the start of the task on a commit that was checked out in
    /// this worktree. For each, returns its changes to that commit, and its untracked files.
    fn stashed(&self) -> Result<Vec<String>, TreeError> {
        let stashes = stashes(&self.logs);
        let new: Vec<_> = stashes
            .iter()
            .filter(|id| !self.start.stashes.contains(*id))
            .map(String::as_str)
            .collect();
        if new.is_empty() {
            return Ok(vec![]);
        }
        let nothing: [&str; 0] = [];
        let lines = self.walk(&["--no-walk=unsorted", "--parents"], new, nothing)?;
        let was_here = |id: &str| {
            self.start.head.as_deref() == Some(id) || self.moves.iter().any(|step| step.to == id)
        };
        let told = lines.iter().filter_map(|line| {
            let ids: Vec<_> = line.split(' ').collect();
            let (stash, parents) = ids.split_first()?;
            let base = parents.first().filter(|base| was_here(base))?;
            let untracked = parents.get(2).map(|id| (*id).to_owned());
            // `diff-tree` compares the first of two ids with the second.
            Some([Some(format!("{stash} {base}")), untracked])
        });
        Ok(told.flatten().flatten().collect())
    }

    /// Lists the commits that can be reached from the ids `from` and not from the ids `not`.
    fn walk<'i>(
        &self,
        options: &[&str],
        from: impl IntoIterator<Item = &'i str>,
        not: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Vec<String>, TreeError> {
        let step = "walk the history";
        let mut input = String::new();
        for id in from {
            input.extend([id, "\n"]);
        }
        for id in not {
            input.extend(["^", id.as_ref(), "\n"]);
        }
        let arguments: Vec<_> = ["rev-list", "--ignore-missing", "--stdin"]
            .into_iter()
            .chain(options.iter().copied())
            .collect();
        let answer = self.asking.answer(step, &arguments, None, input.into_bytes())?;
        let text = String::from_utf8(answer).map_err(|_| TreeError::Answer { step })?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The changed files of each commit. For a merge, only the files that differ from all of its
    /// parents.
    fn changes_of(&self, commits: &[String]) -> Result<Vec<CommitChanges>, TreeError> {
        if commits.is_empty() {
            return Ok(vec![]);
        }
        let step = "find the changes of commits";
        let arguments =
            ["diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames"];
        let input = commits.join("\n") + "\n";
        let answer = self.asking.answer(step, &arguments, None, input.into_bytes())?;
        parse_commits(&answer).ok_or(TreeError::Answer { step })
    }
}

/// The ids of all stashes, the oldest first.
pub(crate) fn stashes(logs: &Path) -> Vec<String> {
    latest_moves(&logs.join("refs/stash")).into_iter().map(|step| step.to).collect()
}
