//! Undo points: earlier states of a working tree, kept in its own repository.
//!
//! A point is a commit that no branch names, under `refs/verger/undo/`. Its tree holds the files with
//! their bytes as they are on disk; its parents are the commit that was checked out, and, where they
//! differ from it, the index and the versions of an unfinished merge. Nothing of the user's is changed
//! by saving one: git's own index is only read, and no filter or hook is run.
//!
//! Files that are in no repository are copied instead ([`save_copy`]).

mod about;
mod contents;
mod copies;
mod copy_back;
mod ignored_then;
mod import;
mod index_back;
mod place;
mod plan;
mod points;
mod reading;
mod removal;
mod restore;
mod save;
mod staging;
mod walk;

use std::path::{Path, PathBuf};

use verger_event::{EventId, Timestamp};

use crate::project::PathReason;
use crate::tree_error::TreeError;

pub use about::{LeftOut, Reason};
pub use copies::{CopiedFile, Copy, SavedCopy, copies, save_copy};
pub use copy_back::{plan_copy, restore_copy};
pub use index_back::{restore_index, staged_changes};
pub use plan::{Kept, KeptWhy, Plan, Selection};
pub use points::{Point, forget, forget_all, has, points, prune, top_level};
pub use removal::{endangers, files_to_copy, ignored, ignored_below, tracked};
pub use restore::{Restored, plan, restore};
pub use save::save;

/// Where points are kept. No push sends them but one that mirrors everything.
const REFERENCES: &str = "refs/verger/undo/";

/// The number of left-out files that a point names. More files may be left out than are named.
const MAX_NAMED: usize = 500;

/// For this long, a point with the same content is reused instead of saving a new one.
const REUSE_MS: u64 = 24 * 60 * 60 * 1000;

/// The scratch directory for building a point, inside the repository's own directory: saving then
/// works even if verger's directory is full or closed.
const SCRATCH: &str = "verger";

/// The settings of one undo point: its name, reason, limits and exclusions.
pub struct Saving<'a> {
    /// Names the point and holds the time at which it was made.
    pub id: EventId,
    /// The session that is about to act, if there is one.
    pub session: Option<String>,
    /// The record of the call that it is about to make.
    pub on: Option<EventId>,
    /// The reason for saving it, in words.
    pub why: String,
    /// The limits of the point's size.
    pub limits: Limits,
    /// The rule for keeping points.
    pub retention: Retention,
    /// Whether a file's content must not be copied anywhere, by its absolute path.
    pub is_protected: &'a dyn Fn(&Path) -> bool,
}

/// The limits for the bytes that one point adds to the repository.
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
    /// Keeps every point.
    pub const ALL: Self = Self { points: usize::MAX, millis: u64::MAX };

    fn is_over(self, point: EventId, now: Timestamp) -> bool {
        now.millis_since(point.made_at()) > self.millis
    }
}

/// The point that now holds the working tree's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub point: Point,
    /// Nothing differs from the last point, which stands for both moments.
    pub is_reused: bool,
    /// The directory of the repository that holds the point.
    pub kept_in: PathBuf,
}

/// Why a working tree cannot be saved, or brought back.
#[derive(Debug, thiserror::Error)]
pub enum NoUndo {
    #[error("find a working tree of git: {}", absence(*.0))]
    NotARepository(PathReason),
    #[error("copy the files that the call names: {0}")]
    NothingCopied(String),
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl NoUndo {
    fn nothing_copied(left_out: &[LeftOut]) -> Self {
        Self::NothingCopied(match left_out {
            [] => "none of them exists".to_owned(),
            [first, more @ ..] => {
                let more = match more.len() {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                format!("{} is left out ({}){more}", first.path.display(), first.reason)
            }
        })
    }
}

fn absence(reason: PathReason) -> &'static str {
    match reason {
        PathReason::NoDirectory => "there is no such directory",
        PathReason::NoRepository | PathReason::NoCommits | PathReason::Shallow => {
            "there is no usable one here"
        }
        PathReason::NoWorkTree => "this repository has no working tree",
        PathReason::NotSafe => "git does not trust this repository, because another user owns it",
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
