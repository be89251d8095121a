//! The project that a directory belongs to.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::{ProjectId, hex};
use verger_exec::{Deadline, Output, RunError};

use crate::git::Git;
use crate::ground::{is_below_git, root_within, root_without_git};

/// The facts about the project that a directory belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFacts {
    pub id: ProjectId,
    pub basis: IdBasis,
    /// The project's root: the nearest directory with `.verger` within the repository, else the
    /// repository's top level.
    pub root: PathBuf,
    pub vcs: Vcs,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Vcs {
    None,
    Git { top_level: PathBuf },
}

/// The data from which a project's id is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdBasis {
    /// The id is the hash of the repository's first commit and the root's path inside of the
    /// repository. It is the same for all clones and worktrees.
    FirstCommit,
    /// The id is the hash of the root's canonical path. It is different for every copy.
    Path(PathReason),
}

/// The reason why a project's id can't be based on the repository's first commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathReason {
    /// The working directory does not exist, is a file, or cannot be entered.
    NoDirectory,
    NoRepository,
    /// The repository has no working tree here: it is bare, or the directory is inside of `.git`.
    NoWorkTree,
    NoCommits,
    /// The clone is shallow, so it lacks the first commit.
    Shallow,
    /// The repository is owned by another user and not among git's safe directories.
    NotSafe,
    Broken,
    GitMissing,
    /// Git did not find the first commit in time, which can happen with a long history. The result
    /// must not be cached: a later call with more time may find the commit.
    TimedOut,
}

/// Finds the project of `cwd`. Never fails; [`IdBasis`] says how reliable the id is.
pub fn project_facts(cwd: &Path, git: &Git) -> ProjectFacts {
    let canonical = cwd.canonicalize().ok().filter(|cwd| cwd.is_dir());
    let Some(cwd) = canonical.as_deref() else {
        let path = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        return by_path(path, Vcs::None, PathReason::NoDirectory);
    };
    let deadline = git.deadline();
    match find_repository(cwd, git, deadline) {
        Ok(repository) => {
            let root = root_within(cwd, &repository.top_level);
            let first_commit = match repository.history {
                History::Shallow => Err(PathReason::Shallow),
                History::Whole => find_first_commit(cwd, git, deadline),
            };
            let vcs = Vcs::Git { top_level: repository.top_level.clone() };
            match first_commit {
                Ok(commit) => by_first_commit(&commit, root, repository.top_level),
                Err(reason) => by_path(root, vcs, reason),
            }
        }
        Err(reason) => by_path(root_without_git(cwd, git.home()), Vcs::None, reason),
    }
}

fn by_path(root: PathBuf, vcs: Vcs, reason: PathReason) -> ProjectFacts {
    let id = hash("path", &[root.as_os_str()]);
    ProjectFacts { id, basis: IdBasis::Path(reason), root, vcs }
}

fn by_first_commit(commit: &str, root: PathBuf, top_level: PathBuf) -> ProjectFacts {
    let mut parts = vec![OsStr::new(commit)];
    if let Ok(inside) = root.strip_prefix(&top_level) {
        parts.extend(inside.iter());
    }
    let id = hash("first commit", &parts);
    ProjectFacts { id, basis: IdBasis::FirstCommit, root, vcs: Vcs::Git { top_level } }
}

/// Computes the project id from the kind of basis and its parts. NULs separate the parts, because
/// neither paths nor commit ids contain one.
fn hash(basis: &str, parts: &[&OsStr]) -> ProjectId {
    let mut hasher = Sha256::new();
    hasher.update("verger project\0");
    hasher.update(basis);
    for part in parts {
        hasher.update([0]);
        hasher.update(part.as_encoded_bytes());
    }
    ProjectId::new(hex(&hasher.finalize()[..16]))
}

struct Repository {
    top_level: PathBuf,
    history: History,
}

enum History {
    Whole,
    Shallow,
}

fn find_repository(
    cwd: &Path,
    git: &Git,
    deadline: Deadline<'_>,
) -> Result<Repository, PathReason> {
    // The top-level path is requested last, because it may contain a newline.
    let arguments = ["rev-parse", "--is-shallow-repository", "--show-toplevel"];
    let output = git.run(cwd, arguments, deadline).map_err(|error| reason_of(&error))?;
    if !output.status.success() {
        return Err(refusal(&output, cwd));
    }
    let (shallow, top_level) = split_line(&output.stdout).ok_or(PathReason::Broken)?;
    let history = match shallow {
        b"false" => History::Whole,
        _ => History::Shallow,
    };
    let top_level = path_from(top_level.strip_suffix(b"\n").unwrap_or(top_level));
    // `core.worktree` can name any directory. It is ignored if `cwd` isn't in that directory.
    let top_level = top_level
        .and_then(|path| path.canonicalize().ok())
        .filter(|path| cwd.starts_with(path))
        .ok_or(PathReason::Broken)?;
    Ok(Repository { top_level, history })
}

/// The root commit of HEAD with the oldest commit date; if there are several, the one with the
/// smallest id. The result is the same in all clones, whatever order git walks the history in.
fn find_first_commit(cwd: &Path, git: &Git, deadline: Deadline<'_>) -> Result<String, PathReason> {
    let arguments = ["rev-list", "--timestamp", "--max-parents=0", "HEAD", "--"];
    let output = git.run(cwd, arguments, deadline).map_err(|error| reason_of(&error))?;
    if !output.status.success() {
        return Err(refusal(&output, cwd));
    }
    let text = std::str::from_utf8(&output.stdout).map_err(|_| PathReason::Broken)?;
    text.lines()
        .filter_map(|line| {
            let (seconds, id) = line.split_once(' ')?;
            Some((seconds.parse::<i64>().ok()?, id))
        })
        .min()
        .map(|(_, id)| id.to_owned())
        .ok_or(PathReason::Broken)
}

pub(crate) fn reason_of(error: &RunError) -> PathReason {
    match error {
        RunError::TimedOut => PathReason::TimedOut,
        RunError::Start(error) if error.kind() == io::ErrorKind::NotFound => PathReason::GitMissing,
        RunError::Start(_)
        | RunError::Read(_)
        | RunError::Stopped
        | RunError::TooMuchOutput { .. } => PathReason::Broken,
    }
}

/// The reason for a failure of git. It comes from git's message, because the exit status is always
/// 128.
pub(crate) fn refusal(output: &Output, cwd: &Path) -> PathReason {
    let message = String::from_utf8_lossy(&output.stderr);
    let says = |text: &str| message.contains(text);
    if says("dubious ownership") || says("unsafe repository") {
        PathReason::NotSafe
    } else if says("must be run in a work tree") {
        PathReason::NoWorkTree
    } else if says("unknown revision") || says("bad revision") {
        PathReason::NoCommits
    } else if says("not a git repository") && !is_below_git(cwd) {
        PathReason::NoRepository
    } else {
        PathReason::Broken
    }
}

fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let newline = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..newline], &bytes[newline + 1..]))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems need an `Option`")]
pub(crate) fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(OsString::from_vec(bytes.to_owned()).into())
}

#[cfg(not(unix))]
pub(crate) fn path_from(bytes: &[u8]) -> Option<PathBuf> {
    let text = String::from_utf8(bytes.to_owned()).ok()?;
    Some(OsString::from(text).into())
}
