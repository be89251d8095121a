//! The log on disk: segments, locks, spill, blobs, snapshots and the derived index.
//!
//! ```text
//! log/<xx>/<agent>-<session>.jsonl    segment: the records of a session, append-only, chained
//! log/<xx>/<agent>-<session>.lock     lock of the segment, with a note of the segment's length
//! log/<xx>/<agent>-<session>.spill/   spill: records written without the lock, not merged yet
//! projects/<project>.jsonl            segment: records that outlive their session
//! blobs/<xx>/<sha256>                 payloads that are too large for a line
//! sessions/<agent>-<session>.json     snapshot of a segment's fold (a cache); `.1`: the previous
//! sessions/<agent>-<session>.<name>.json   snapshot of another fold of the session
//! projects/<project>.<name>.json      snapshot of a fold of a project
//! index.db                            SQLite, derived from the log
//! changed/<agent>-<session>           marks of sessions that the index has not read yet
//! trees/<agent>-<session>/            trees in which the session's tasks started
//! reviews/<agent>-<session>/          runs of a reviewer's program
//! left/                               names of sessions that need no further checks (a cache)
//! locks/<hash>.lock                   locks of files outside, such as a project's learnings
//! redaction.key                       key for the hashes that replace secrets
//! ```
//!
//! A turn takes the lock, folds the new records and appends all its records in one write. If the
//! segment does not end in a newline, the turn first adds one. A partial write is rolled back. When
//! a new snapshot is due, the turn writes it and renames it into place. A writer that is killed at
//! any moment leaves at most one bad line, and no acknowledged record is lost. `log clean` removes
//! all files of a session with its segment. Files have mode 0600, directories 0700, and links are
//! refused.

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
