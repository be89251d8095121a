//! Undo points: earlier states of a working tree, kept in its own repository.
//!
//! A point is a commit under `refs/verger/undo/` that no branch names. Its tree has the files with
//! their bytes on disk. Its parents are the checked-out commit and, if they differ from it, the
//! index and the versions of an unfinished merge. Saving a point changes none of the user's data:
//! git's index is only read, and no filter or hook runs.
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

/// The prefix of the references of undo points. A push doesn't send them unless it mirrors all
/// references.
const REFERENCES: &str = "refs/verger/undo/";

/// The maximum number of left-out files that an undo point names. A point can leave out more files.
const MAX_NAMED: usize = 500;

/// The time in which a point is reused if nothing differs from it.
const REUSE_MS: u64 = 24 * 60 * 60 * 1000;

/// The name of the scratch directory for building a point. The directory is inside of the
/// repository's own directory, so saving works even if verger's directory is full or not writable.
const SCRATCH: &str = "verger";

/// The parameters for saving one undo point.
pub struct Saving<'a> {
    /// The point's id, which includes its creation time.
    pub id: EventId,
    /// The session that is about to change files, if there is one.
    pub session: Option<String>,
    /// The log record of the tool call that the session is about to make.
    pub on: Option<EventId>,
    /// The reason for saving the point, in words.
    pub why: String,
    /// The limits for the bytes that the point adds.
    pub limits: Limits,
    /// The rule that decides which points are kept.
    pub retention: Retention,
    /// Tells whether a file, given by its absolute path, must not be copied.
    pub is_protected: &'a dyn Fn(&Path) -> bool,
}

/// Limits for the bytes that one point adds to the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub max_file_bytes: u64,
    pub max_total_bytes: u64,
}

/// The rule that decides which undo points are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The maximum number of points of one working tree.
    pub points: usize,
    pub millis: u64,
}

impl Retention {
    /// The rule that keeps every point.
    pub const ALL: Self = Self { points: usize::MAX, millis: u64::MAX };

    fn is_over(self, point: EventId, now: Timestamp) -> bool {
        now.millis_since(point.made_at()) > self.millis
    }
}

/// The result of saving: the point that has the working tree's current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub point: Point,
    /// Whether an earlier point was reused because nothing differs from it.
    pub is_reused: bool,
    /// The directory of the repository that stores the point.
    pub kept_in: PathBuf,
}

/// The reason why a working tree can't be saved or restored.
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
