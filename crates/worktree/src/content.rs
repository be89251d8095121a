//! The content of a task: every file that differs from the start of the task, and one hash of all
//! these files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::{ContentHash, gathered, hex};

use crate::git::Git;
use crate::history::History;
use crate::ignore::Ignore;
use crate::ignore_rules::add_rules;
use crate::manifest::keep_manifest;
use crate::private::Scratch;
use crate::project::path_from;
use crate::repository::Asking;
use crate::start_tree::{Start, StartTree};
use crate::tree_error::TreeError;
use crate::version::{Differences, RepositoryPath, Version};
use crate::working_tree::WorkingTree;

/// The changes that a task has made so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The hash of the changed files and of `moved_out`.
    pub hash: ContentHash,
    /// The files that the task changed, sorted by path.
    pub files: Vec<ChangedFile>,
    pub moved_out: MovedOut,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The file's path, relative to the repository's top level.
    pub path: PathBuf,
    pub kind: ChangeKind,
    pub(crate) version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Added,
    Changed,
    Deleted,
}

/// Work of the task that is in the repository but no longer in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovedOut {
    Nothing,
    /// Files whose changes are in a stash, or in commits that are not checked out. Sorted.
    Files(Vec<PathBuf>),
}

/// The reason why the content of a task is unknown.
#[derive(Debug, thiserror::Error)]
pub enum NoContent {
    #[error("the start of the task is no longer recorded")]
    StartGone,
    #[error(transparent)]
    Unread(#[from] TreeError),
}

/// Compares the working tree with the start of its task.
pub fn content(
    tree: &StartTree,
    private_dir: &Path,
    ignore: &Ignore,
    git: &Git,
) -> Result<Content, NoContent> {
    let start = Start::load(tree, private_dir).ok_or(NoContent::StartGone)?;
    let scratch = Scratch::new(private_dir)?;
    let asking = Asking::begin(git, Path::new(&tree.root), git.deadline())?;
    let id_bytes = start.base.len() / 2;
    let found = WorkingTree::look(&asking, &start.git_dir, &scratch, id_bytes)?;
    let head = found.head().map(str::to_owned);
    let mut now = found.differences(&start.base, private_dir, &start.differences)?;
    add_rules(&mut now, &asking, &start.git_dir);
    let history = History::since(&start, &asking, &start.git_dir, head.as_deref());
    let is_ignored =
        |path: &[u8]| ignore.covers(start.project.as_os_str().as_encoded_bytes(), path);
    let explained = history.explained()?;
    let mut files = changed_files(&start.differences, &now);
    files.retain(|file| {
        let path = file.path.as_os_str().as_encoded_bytes();
        let is_others = explained.get(path).is_some_and(|known| known.contains(&file.version));
        !is_others && !is_ignored(path)
    });
    let mut left = history.left_behind()?;
    left.retain(|(path, _)| !is_ignored(path));
    let left = missing(left, &files, &start.differences, &now);
    let content = Content { hash: hash(&files, &left), files, moved_out: MovedOut::of(&left) };
    keep_manifest(&scratch, &content)?;
    Ok(content)
}

type LeftBehind = BTreeSet<(RepositoryPath, Version)>;

/// The files left behind in stashes or commits whose content is really missing. A file isn't
/// missing if it is among the task's changes, or if the same version of it is present at the start
/// or now.
fn missing(
    left: Vec<(RepositoryPath, Version)>,
    files: &[ChangedFile],
    start: &Differences,
    now: &Differences,
) -> LeftBehind {
    let changed = files.iter().map(|file| file.path.as_os_str().as_encoded_bytes());
    let changed: BTreeSet<_> = gathered(changed);
    let is_there = |path: &RepositoryPath, version: &Version| {
        [start, now].iter().any(|known| known.get(path).is_some_and(|found| found.now == *version))
    };
    let left = left.into_iter();
    gathered(
        left.filter(|(path, version)| {
            !changed.contains(path.as_slice()) && !is_there(path, version)
        }),
    )
}

impl MovedOut {
    fn of(left: &LeftBehind) -> Self {
        let paths: BTreeSet<_> = gathered(left.iter().filter_map(|(path, _)| path_from(path)));
        if paths.is_empty() { Self::Nothing } else { Self::Files(paths.into_iter().collect()) }
    }
}

/// Finds the files that differ between two states. Each state is given as its differences from the
/// same commit.
fn changed_files(start: &Differences, now: &Differences) -> Vec<ChangedFile> {
    let paths: BTreeSet<_> = gathered(start.keys().chain(now.keys()));
    let changed = paths.into_iter().filter_map(|path| {
        let (then, now) = match (start.get(path), now.get(path)) {
            (Some(then), Some(now)) => (&then.now, &now.now),
            (Some(then), None) => (&then.now, &then.base),
            (None, Some(now)) => (&now.base, &now.now),
            (None, None) => return None,
        };
        let kind = match (then, now) {
            (then, now) if then == now => return None,
            (Version::Absent, _) => ChangeKind::Added,
            (_, Version::Absent) => ChangeKind::Deleted,
            _ => ChangeKind::Changed,
        };
        Some(ChangedFile { path: path_from(path)?, kind, version: now.clone() })
    });
    changed.collect()
}

pub(crate) fn hash(files: &[ChangedFile], left: &LeftBehind) -> ContentHash {
    if files.is_empty() && left.is_empty() {
        return ContentHash::of_nothing();
    }
    let mut hasher = Sha256::new_with_prefix("verger content\0");
    let mut add = |path: &[u8], version: &Version| {
        hasher.update(path);
        hasher.update(format!("\0{version}\0"));
    };
    for file in files {
        add(file.path.as_os_str().as_encoded_bytes(), &file.version);
    }
    for (path, version) in left {
        // Two slashes can't be at the beginning of a path, so this entry differs from every file
        // above.
        add(&[b"//", path.as_slice()].concat(), version);
    }
    ContentHash::new(hex(&hasher.finalize()))
}
