//! The log on disk: segments, locks, spill, blobs, snapshots and the derived index.
//!
//! ```text
//! log/<xx>/<agent>-<session>.jsonl    the truth: one segment per session, append-only, chained
//! log/<xx>/<agent>-<session>.lock     its lock, beside it, with how far the segment goes; it goes with the session
//! log/<xx>/<agent>-<session>.spill/   what could not wait for the lock
//! projects/<project>.jsonl            the truth that outlives sessions
//! blobs/<xx>/<sha256>                 payloads too large for a line
//! sessions/<agent>-<session>.json     snapshot of a segment's fold (a cache), `.1` the one before
//! sessions/<agent>-<session>.<name>.json   the same of another fold, which few turns need
//! projects/<project>.<name>.json      the same of a fold of a project
//! index.db                            SQLite, derived
//! changed/<agent>-<session>           marks of sessions that the index has not seen yet
//! trees/<agent>-<session>/            what its tasks are compared with; it goes with the session
//! reviews/<agent>-<session>/          runs of a reviewer's program; they go with the session
//! left/                               which sessions need not be looked at again (a cache)
//! locks/<hash>.lock                   locks of files that lie outside, such as a project's learnings
//! redaction.key                       makes the hashes that stand for secrets
//! ```
//!
//! A turn takes the lock, folds what is new, checks that the segment ends in a newline and heals it
//! if not, appends everything in one write (rolled back when short), and now and then replaces the
//! snapshot by rename. A writer that is killed at any moment leaves at most one bad line, and no
//! record that was acknowledged is lost. Files are 0600, directories 0700, links are refused.

mod append;
mod append_drafts;
mod blob;
mod blob_sweep;
mod chain;
mod changed;
mod clean;
mod dir;
mod failure;
#[cfg(feature = "follow")]
mod follow;
#[cfg(feature = "index")]
mod index;
mod line_reader;
mod lock;
mod lock_note;
mod outside_lock;
mod probe;
mod project;
mod read_log;
#[cfg(feature = "index")]
mod rebuild;
mod redaction;
mod segment_files;
mod snapshot;
mod snapshot_name;
mod spill;
mod store;
mod turn;
mod verify;

pub use append::{ends_in_newline, write_whole};
pub use blob_sweep::Blobs;
pub use clean::{REVIEWS, TREES, VERIFICATIONS};
#[cfg(feature = "follow")]
pub use follow::LocalFollowing;
#[cfg(feature = "index")]
pub use index::{Index, IndexError, OpenTask, RefreshMeter, SessionRow, StepEntry};
pub use outside_lock::{OutsideLock, name_of_path};
pub use probe::{NoProbe, Point, Probe};
#[cfg(feature = "index")]
pub use rebuild::{Difference, Progress, Rebuilt};
pub use segment_files::{SegmentFiles, SnapshotFile};
pub use store::LocalStore;
pub use turn::LocalTurn;
pub use verify::{Fault, SegmentReport};
