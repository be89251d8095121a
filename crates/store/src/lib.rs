//! The traits of a log, their errors, an in-memory log, and the test suite that every log must
//! pass.
//!
//! Gates use [`Sessions`]: [`Sessions::open`] returns a session's folded state, and
//! [`Turn::commit`] appends records. Servers use [`Append`]. Other readers use [`ReadLog`], or
//! [`FollowLog`] to wait for new records. Stores differ only in where they keep lines. The
//! content of a line, with secrets redacted, is the same for all stores: see [`prepare()`].
#![warn(missing_docs)]

mod causes;
#[cfg(feature = "conformance")]
pub mod conformance;
mod loss;
#[cfg(feature = "conformance")]
mod memory;
mod prepare;

pub use causes::with_causes;
pub use loss::Loss;
#[cfg(feature = "conformance")]
pub use memory::MemoryStore;
pub use prepare::{Prepared, Redact, prepare};

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::stored::{Damage, EncodeError};
use verger_event::{Draft, Fold, ProjectId, Record, SessionKey};

/// Reads the log. Readers take no lock and never wait for writers.
///
/// A session is identified by the stem of its segment ([`SessionKey::file_stem`]). The stem is
/// known even if no record in the segment can be read.
pub trait ReadLog {
    /// All segments, those of sessions first.
    fn segments(&self) -> Result<Vec<SegmentName>, StoreError>;

    /// Whether the log has records of the session with this stem.
    fn has_session(&self, stem: &str) -> bool;

    /// Whether the log has records of any session other than `key`.
    fn has_other_sessions(&self, key: &SessionKey) -> Result<bool, StoreError>;

    /// The key of the session with this stem. `None` if it is known neither from the records nor
    /// from the segment's name.
    fn key_of(&self, stem: &str) -> Result<Option<SessionKey>, StoreError>;

    /// The size of a session's segment and of its spilled records together, in bytes.
    fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError>;

    /// The size of a project's segment, in bytes.
    fn project_bytes(&self, project: &ProjectId) -> Result<u64, StoreError>;

    /// Calls `each` with every entry of a segment, in order. Spilled records that are not merged
    /// yet come last.
    fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError>;

    /// The fold of a session's records. It is the same state as [`Sessions::open`] has.
    fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError>;

    /// An additional fold of a session's records. It is the same state as [`Turn::beside`] returns.
    fn folded_beside<G: Fold>(&self, stem: &str, name: &'static str) -> Result<G, StoreError>;

    /// A fold of a project's records. `name` must be unique among the folds of projects. A record
    /// may be applied twice, so the fold must recognize records by their ids.
    fn project_fold<G: Fold>(
        &self,
        project: &ProjectId,
        name: &'static str,
    ) -> Result<G, StoreError>;

    /// The text with its secrets redacted, as the store would write it.
    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// The failures that lost no record and that happened since the last call of this method.
    ///
    /// For a turn, a failure is a snapshot or a copy in the project's segment that could not be
    /// written; a later turn writes it again. For a reader of several segments, it is an unreadable
    /// segment that was skipped.
    fn take_unfinished(&self) -> Vec<StoreError>;

    /// Reads the segment of a session with [`ReadLog::read_segment`].
    fn read(&self, key: &SessionKey, each: &mut dyn FnMut(Entry)) -> Result<(), StoreError> {
        self.read_segment(&SegmentName::of_session(key), each)
    }

    /// Reads the segment of a project with [`ReadLog::read_segment`]. It has the records that
    /// outlive their sessions.
    fn read_project(
        &self,
        project: &ProjectId,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError> {
        self.read_segment(&SegmentName::of_project(project), each)
    }

    /// The stems of all sessions, sorted.
    fn session_stems(&self) -> Result<Vec<String>, StoreError> {
        let segments = self.segments()?.into_iter();
        let mut stems: Vec<_> = segments.filter_map(SegmentName::into_session_stem).collect();
        stems.sort();
        Ok(stems)
    }
}

/// The name of a segment of the log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SegmentName {
    /// The segment of the session with this stem.
    Session(String),
    /// The segment of the project with this stem.
    Project(String),
}

impl SegmentName {
    /// The name of the segment of a session.
    pub fn of_session(key: &SessionKey) -> Self {
        Self::Session(key.file_stem())
    }

    /// The name of the segment of a project.
    pub fn of_project(project: &ProjectId) -> Self {
        Self::Project(project.file_stem())
    }

    /// The stem of the segment's name, for sessions and projects.
    pub fn stem(&self) -> &str {
        match self {
            Self::Session(stem) | Self::Project(stem) => stem,
        }
    }

    /// The stem of the segment's name. `None` for a project's segment.
    pub fn into_session_stem(self) -> Option<String> {
        match self {
            Self::Session(stem) => Some(stem),
            Self::Project(_) => None,
        }
    }
}

/// Reads, changes and writes the folded state of sessions. Gates use it.
pub trait Sessions {
    /// The type of a session that is open for one call.
    type Turn<'a, F: Fold>: Turn<F>
    where
        Self: 'a;

    /// Opens a session: takes its lock and applies the new records to its state.
    ///
    /// If the lock isn't free in time, the turn still has the state and can still commit. The
    /// records of the turn are then spilled: the next process that gets the lock merges them into
    /// the log. A spilled record is dropped if the log already has another report of the same
    /// [occurrence](verger_event::Event::occurrence).
    fn open<F: Fold>(&self, key: &SessionKey) -> Result<Self::Turn<'_, F>, StoreError>;

    /// Opens a session without waiting. Returns `None` if the session doesn't exist or its lock
    /// isn't free.
    fn open_if_free<F: Fold>(
        &self,
        key: &SessionKey,
    ) -> Result<Option<Self::Turn<'_, F>>, StoreError>;
}

/// All traits that handling an event needs: a complete store.
pub trait Store: Append + ReadLog + Sessions {}

impl<S: Append + ReadLog + Sessions> Store for S {}

/// Removes old sessions, and files that an idle session doesn't need. Keeps the records that must
/// outlive their sessions.
pub trait Retention {
    /// Copies the durable records of a session to its project's segment, if they are missing there.
    /// Returns the number of copied records. If the lock is free, spilled records are merged first.
    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError>;

    /// Removes a session's segment. Fails if another process has the session's lock. Also fails if
    /// the segment has the only copy of a durable record. An unreadable record counts as durable if
    /// it may be.
    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError>;

    /// Removes all files of a session except for its segment: snapshots, start trees and the
    /// outputs of reviews and checks. Returns `false` and removes nothing if the session is
    /// locked or has a record after `last_seq`.
    fn pack(&self, key: &SessionKey, last_seq: u64) -> Result<bool, StoreError>;
}

/// The user's options for a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// The maximum time for which a turn waits for the lock. After that, it spills its records.
    pub lock_wait: Duration,
    /// Additional names of keys whose values are secrets and are redacted.
    pub secret_names: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { lock_wait: Duration::from_millis(200), secret_names: vec![] }
    }
}

/// A function that opens the store in a directory and creates the directory if it is missing. A
/// program passes this function on to choose its store.
pub type OpenStore<'a, S> = &'a dyn Fn(&Path, Options) -> Result<S, StoreError>;

/// Number of a session's last records among which [`Append::append`] searches for the appended
/// ones.
pub const MAX_COMPARED: usize = 256;

/// Appends records to sessions without reading their state.
pub trait Append {
    /// Appends the records in the given order, either all or none. Returns whether they are in the
    /// log or spilled. Takes the lock with the same time limit as [`Sessions::open`], and releases
    /// it. Any thread may call this method.
    ///
    /// A record is skipped if its id is among the session's last [`MAX_COMPARED`] records or among
    /// the spilled ones. So a caller that doesn't know whether an append succeeded can repeat it.
    fn append(&self, key: &SessionKey, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;

    /// Whether this process can't write to the log's directory because the file system is
    /// read-only or permission is missing, for example in a sandbox.
    fn is_sealed(&self) -> bool;
}

/// Follows the log: waits for new records.
pub trait FollowLog {
    /// The type that waits for new records and returns them.
    type Following<'a>: Following + Send
    where
        Self: 'a;

    /// Begins to follow all sessions. The first record that is returned is the next one that is
    /// appended.
    fn follow(&self) -> Result<Self::Following<'_>, StoreError>;
}

/// Returns new records of the log, each once. The records of a session are returned in order.
pub trait Following {
    /// Returns the records that were appended since the last call. If there are none, waits for
    /// new ones, at most `wait`; the wait may also end early without records. Spilled records are
    /// returned after they are merged.
    fn next(&mut self, wait: Duration) -> Result<Vec<Record>, StoreError>;
}

/// A session that is open for one call.
pub trait Turn<F> {
    /// The session's state, folded from all records so far.
    fn state(&self) -> &F;

    /// The losses in the session's records that opening the session found. Empty if nothing is
    /// lost. Also empty if the lock was not free, because only the holder of the lock can find
    /// losses.
    fn losses(&self) -> &[Loss] {
        &[]
    }

    /// Releases the lock while the caller looks up facts. To commit, the caller opens the session
    /// again. If the caller is killed before that, the next call finds a [`Loss::Unrecorded`].
    fn suspend(self)
    where
        Self: Sized,
    {
    }

    /// The state of an additional fold of the session's records, which only a few turns need.
    /// `name` must be unique among the additional folds.
    fn beside<G: Fold>(&self, name: &'static str) -> Result<Box<G>, StoreError>;

    /// Appends the records, either all or none. Returns whether they are in the log or spilled.
    /// Without records, it only merges spilled records and releases the lock.
    ///
    /// After an error, no record is written. If a cache or copy can't be written later, that is no
    /// error, because a later turn repairs it.
    fn commit(self, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;
}

/// The place of committed records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// The records are in the log.
    Logged {
        /// The sequence number of the segment's last record.
        last_seq: u64,
    },
    /// The records are in a spill file, because the lock was not free in time.
    Spilled,
}

/// An entry of a segment, as a reader gets it.
#[derive(Debug, PartialEq)]
pub enum Entry {
    /// A record of the segment.
    Record(Box<Record>),
    /// A spilled record that is not merged yet. Its sequence number is 0.
    Spilled(Box<Record>),
    /// A line of a version that this program can't read.
    Foreign {
        /// The format version of the line.
        version: u32,
    },
    /// A damaged line. Readers count it and continue.
    Bad {
        /// The position of the line in the segment, in bytes.
        offset: u64,
        /// The kind of damage of the line.
        damage: Damage,
    },
}

/// An error of a store, such as a failed file operation.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An operation on a file failed.
    #[error("{action} {}", path.display())]
    Io {
        /// The operation that failed, such as `open`.
        action: &'static str,
        /// The path of the file on which the operation failed.
        path: PathBuf,
        /// The error from the operating system.
        #[source]
        source: std::io::Error,
    },
    /// Writing to a directory would not be safe.
    #[error("use {}: {problem}", path.display())]
    Unsafe {
        /// The path of the directory.
        path: PathBuf,
        /// The reason why the directory is not safe.
        problem: UnsafeDirectory,
    },
    /// A record could not be serialised.
    #[error("write a record as a line")]
    Encode(#[from] EncodeError),
}

impl StoreError {
    /// Whether the operating system denied access: the file system is read-only, or permission is
    /// missing.
    pub fn is_refusal(&self) -> bool {
        let Self::Io { source, .. } = self else { return false };
        matches!(source.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
    }
}

/// The reason why records must not be stored in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnsafeDirectory {
    /// The path is a symbolic link, so another user may choose its target.
    #[error("it is a symbolic link")]
    Symlink,
    /// The path is not a directory.
    #[error("it is not a directory")]
    NotADirectory,
    /// The directory belongs to another user.
    #[error("it belongs to another user")]
    Owner,
    /// Other users may write to the directory.
    #[error("other users may write to it (chmod 700 makes it private)")]
    Writable,
}

/// The reason why a session was not removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// The session has the only copy of records that must outlive it.
    #[error("drop {count} records that must be kept and are not in a project's log yet")]
    Unsettled {
        /// Number of records that are only in this session's segment.
        count: u64,
    },
    /// The session has records that are newer than the time up to which it should be removed.
    #[error("remove a session that was changed meanwhile")]
    Recent,
    /// The store failed to read or remove the session.
    #[error(transparent)]
    Store(#[from] StoreError),
}
