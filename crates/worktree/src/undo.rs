//! Undo points: a working tree as it was, kept in its own repository.
//!
//! A point is a commit that no branch names, under `refs/verger/undo/`. Its tree holds the files with
//! their bytes as they are on disk; its parents are the commit that was checked out, and, where they
//! differ from it, the index and the versions of an unfinished merge. Nothing of the user's is changed
//! by saving one: git's own index is only read, and no filter or hook is run.

mod about;
mod contents;
mod import;
mod place;
mod plan;
mod points;
mod restore;
mod save;
mod staging;

use std::path::Path;

use verger_event::{EventId, Timestamp};

use crate::project::PathReason;
use crate::tree_error::TreeError;

pub use about::{LeftOut, Reason};
pub use plan::{Kept, KeptWhy, Plan, Selection};
pub use points::{Point, points, prune};
pub use restore::{Restored, plan, restore, restore_index};
pub use save::save;

/// Where points are kept. No push sends them but one that mirrors everything.
const REFERENCES: &str = "refs/verger/undo/";

/// Where a point is put together, in the repository's own directory: what fills another disk, or
/// closes verger's directory, is no reason not to save.
const SCRATCH: &str = "verger";

/// What is to be saved, and what is not.
pub struct Saving<'a> {
    /// Names the point, and says when it was made.
    pub id: EventId,
    /// The session that is about to do something, where it is one.
    pub session: Option<String>,
    /// The record of the call that it is about to make.
    pub on: Option<EventId>,
    /// Why it is saved, in words.
    pub why: String,
    /// How much is saved.
    pub limits: Limits,
    /// How long points are kept.
    pub retention: Retention,
    /// Whether a file's content must not be copied anywhere, by its absolute path.
    pub is_protected: &'a dyn Fn(&Path) -> bool,
}

/// How much one point holds beside what the repository has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub max_file_bytes: u64,
    pub max_total_bytes: u64,
}

/// Which points are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Of one working tree.
    pub points: usize,
    pub millis: u64,
}

impl Retention {
    fn is_over(self, point: EventId, now: Timestamp) -> bool {
        now.millis_since(point.made_at()) > self.millis
    }
}

/// A point that now stands for the working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub point: Point,
    /// Nothing differs from the last point, which stands for both moments.
    pub is_reused: bool,
}

/// Why a working tree cannot be saved, or brought back.
#[derive(Debug, thiserror::Error)]
pub enum NoUndo {
    #[error("find a working tree of git: {}", absence(*.0))]
    NotARepository(PathReason),
    #[error(transparent)]
    Tree(#[from] TreeError),
}

fn absence(reason: PathReason) -> &'static str {
    match reason {
        PathReason::NoDirectory => "there is no such directory",
        PathReason::NoRepository | PathReason::NoCommits | PathReason::Shallow => "there is none",
        PathReason::NoWorkTree => "this repository has none",
        PathReason::NotSafe => "git does not trust this repository, which is somebody else's",
        PathReason::Broken => "git cannot read this repository",
        PathReason::GitMissing => "git is not installed",
        PathReason::TimedOut => "git took too long",
    }
}

impl From<PathReason> for NoUndo {
    fn from(reason: PathReason) -> Self {
        match reason {
            PathReason::TimedOut => Self::Tree(TreeError::TimedOut),
            reason => Self::NotARepository(reason),
        }
    }
}
