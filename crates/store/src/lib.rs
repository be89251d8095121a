//! The traits of a log, its errors, an in-memory log, and the test suite that every log passes.
//!
//! Gates use [`Sessions`]: [`Sessions::open`] gives a session's folded state, [`Turn::commit`] appends
//! records. Servers use [`Append`]. Everything else reads with [`ReadLog`], or follows with
//! [`FollowLog`]. Stores differ in where they keep lines; what is in a line, without secrets, is the
//! same for all: see [`prepare()`].
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

/// Reading the log. Nothing is locked, and readers never wait for writers.
///
/// A session is named by the stem of its segment ([`SessionKey::file_stem`]): that name is known even
/// when no record in the segment can be read.
pub trait ReadLog {
    /// Every segment, sessions first.
    fn segments(&self) -> Result<Vec<SegmentName>, StoreError>;

    /// Whether there are records of a session.
    fn has_session(&self, stem: &str) -> bool;

    /// Whether there is a session beside this one.
    fn has_other_sessions(&self, key: &SessionKey) -> Result<bool, StoreError>;

    /// The session that a segment belongs to. `None` if neither its records nor its name say it.
    fn key_of(&self, stem: &str) -> Result<Option<SessionKey>, StoreError>;

    /// The size of a session's segment, with the records that wait to be merged.
    fn segment_bytes(&self, stem: &str) -> Result<u64, StoreError>;

    /// The size of a project's segment.
    fn project_bytes(&self, project: &ProjectId) -> Result<u64, StoreError>;

    /// Gives every entry of a segment to `each`, in order. Spilled records that are not merged yet
    /// come last.
    fn read_segment(
        &self,
        segment: &SegmentName,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError>;

    /// The fold of a session's records, as [`Sessions::open`] gives it.
    fn folded<F: Fold>(&self, stem: &str) -> Result<F, StoreError>;

    /// A second fold of a session's records, as [`Turn::beside`] gives it.
    fn folded_beside<G: Fold>(&self, stem: &str, name: &'static str) -> Result<G, StoreError>;

    /// A fold of a project's records. `name` is a word that no other fold of projects has. A record
    /// may come twice: the fold has to know it by its id.
    fn project_fold<G: Fold>(
        &self,
        project: &ProjectId,
        name: &'static str,
    ) -> Result<G, StoreError>;

    /// A text without its secrets, as the store would write it.
    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// Failures since the last call that cost no record: of a turn, a snapshot or a copy in the
    /// project's segment that a later turn makes again; of a reader of many segments, those that it
    /// passed over because they could not be read.
    fn take_unfinished(&self) -> Vec<StoreError>;

    /// [`ReadLog::read_segment`] of a session.
    fn read(&self, key: &SessionKey, each: &mut dyn FnMut(Entry)) -> Result<(), StoreError> {
        self.read_segment(&SegmentName::of_session(key), each)
    }

    /// [`ReadLog::read_segment`] of a project: the records that outlive their sessions.
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

/// A segment of the log by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SegmentName {
    /// Of a session.
    Session(String),
    /// Of a project.
    Project(String),
}

impl SegmentName {
    /// The segment of a session.
    pub fn of_session(key: &SessionKey) -> Self {
        Self::Session(key.file_stem())
    }

    /// The segment of a project.
    pub fn of_project(project: &ProjectId) -> Self {
        Self::Project(project.file_stem())
    }

    /// The stem of the segment, for sessions and projects.
    pub fn stem(&self) -> &str {
        match self {
            Self::Session(stem) | Self::Project(stem) => stem,
        }
    }

    /// The stem if it is a session's.
    pub fn into_session_stem(self) -> Option<String> {
        match self {
            Self::Session(stem) => Some(stem),
            Self::Project(_) => None,
        }
    }
}

/// Reading, changing and writing a session's folded state, for gates.
pub trait Sessions {
    /// A session opened for one call.
    type Turn<'a, F: Fold>: Turn<F>
    where
        Self: 'a;

    /// Opens a session: takes its lock, folds what is new.
    ///
    /// If the lock is not free in time, the turn still has the state and can still commit: its
    /// records are spilled, and come into the log when the next holder of the lock merges them,
    /// unless another report of the same [occurrence](verger_event::Event::occurrence) is there
    /// already.
    fn open<F: Fold>(&self, key: &SessionKey) -> Result<Self::Turn<'_, F>, StoreError>;

    /// Opens a session that exists and whose lock is free; `None` otherwise, without waiting.
    fn open_if_free<F: Fold>(
        &self,
        key: &SessionKey,
    ) -> Result<Option<Self::Turn<'_, F>>, StoreError>;
}

/// Everything that handling an event needs of a log.
pub trait Store: Append + ReadLog + Sessions {}

impl<S: Append + ReadLog + Sessions> Store for S {}

/// Removing what is old: sessions without losing the records that must outlive them, and files that
/// an idle session does not need.
pub trait Retention {
    /// Copies the durable records of a session that its project's segment lacks, and gives their
    /// number. Spilled records are merged first if the lock is free.
    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError>;

    /// Removes a session's segment. Refused while a durable record is in it alone, or one that this
    /// program cannot read and that may be durable, and while another process holds the session's
    /// lock.
    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError>;

    /// Removes everything of a session but its segment: snapshots, start trees and the outputs of
    /// reviews and checks. Returns `false` and removes nothing while the session's lock is held, or
    /// if the session has a later record than `last_seq`.
    fn pack(&self, key: &SessionKey, last_seq: u64) -> Result<bool, StoreError>;
}

/// The choices of a user about a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a turn waits for the lock before it spills.
    pub lock_wait: Duration,
    /// Further names whose values are secrets.
    pub secret_names: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { lock_wait: Duration::from_millis(200), secret_names: vec![] }
    }
}

/// Opens the store in a directory, which is made if it is missing. Programs say with it which store
/// they use.
pub type OpenStore<'a, S> = &'a dyn Fn(&Path, Options) -> Result<S, StoreError>;

/// The number of a session's last records that are compared with the appended ones.
pub const MAX_COMPARED: usize = 256;

/// Appending to sessions whose state does not matter.
pub trait Append {
    /// Appends the records, all or none, in the order given, and says where they are. The lock is taken
    /// and released inside, and waited for as long as [`Sessions::open`] does; any thread may call it.
    ///
    /// Those that are among the session's last [`MAX_COMPARED`] records or wait to be merged, by
    /// their ids, are left out: a caller that is not sure whether an append succeeded can repeat
    /// it.
    fn append(&self, key: &SessionKey, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;

    /// Whether the system lets this process write nothing here, as in a sandbox: the file system is
    /// read-only or the right is missing.
    fn is_sealed(&self) -> bool;
}

/// Following the log: new records as they come.
pub trait FollowLog {
    /// See [`Following`].
    type Following<'a>: Following + Send
    where
        Self: 'a;

    /// Follows every session from now on.
    fn follow(&self) -> Result<Self::Following<'_>, StoreError>;
}

/// Gives new records, each once and those of a session in order.
pub trait Following {
    /// The records that came since the last call. Without any, waits for the next ones, no longer
    /// than `wait`. It may return without records before `wait` is over. Records that wait to be
    /// merged come when they are merged.
    fn next(&mut self, wait: Duration) -> Result<Vec<Record>, StoreError>;
}

/// A session opened for one call.
pub trait Turn<F> {
    /// The session's state, with every record so far.
    fn state(&self) -> &F;

    /// The parts of the session's records that are lost, as far as opening the session shows. Empty if the log is whole,
    /// and if the lock was not free: only its holder can tell.
    fn losses(&self) -> &[Loss] {
        &[]
    }

    /// Gives back the lock while the caller looks for facts, and opens the session again to commit. A caller that is
    /// killed in between is a [`Loss::Unrecorded`] for the next one.
    fn suspend(self)
    where
        Self: Sized,
    {
    }

    /// Another fold of the same records: for state that few turns need and that all others should not
    /// have to read. `name` is a word that no other fold has.
    fn beside<G: Fold>(&self, name: &'static str) -> Result<Box<G>, StoreError>;

    /// Appends the records, all or none, and says where they are. With none, it only merges what
    /// was spilled and gives back the lock.
    ///
    /// An error means that no record counts as written. A failure after they are in the log (of a
    /// cache or a copy) is no error and is repaired later.
    fn commit(self, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;
}

/// The place of committed records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// In the log, up to this sequence number.
    Logged {
        /// Of the last record of the segment.
        last_seq: u64,
    },
    /// In a spill file, because the lock was not free in time.
    Spilled,
}

/// An entry that a reader finds in a segment.
#[derive(Debug, PartialEq)]
pub enum Entry {
    /// A record.
    Record(Box<Record>),
    /// A record that waits to be merged; its sequence number is 0.
    Spilled(Box<Record>),
    /// A line of a version that this program does not read.
    Foreign {
        /// The version.
        version: u32,
    },
    /// A line that is no record. Readers count it and go on.
    Bad {
        /// Where it begins, in bytes.
        offset: u64,
        /// The damage of the line.
        damage: Damage,
    },
}

/// A store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("{action} {}", path.display())]
    Io {
        /// The action that failed, such as `open`.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// Its answer.
        #[source]
        source: std::io::Error,
    },
    /// The directory is not safe to write to.
    #[error("use {}: {problem}", path.display())]
    Unsafe {
        /// Which directory.
        path: PathBuf,
        /// Why.
        problem: UnsafeDirectory,
    },
    /// A record could not be serialised.
    #[error("write a record as a line")]
    Encode(#[from] EncodeError),
}

impl StoreError {
    /// Whether the system does not let us: the file system is read-only, or the right is missing.
    pub fn is_refusal(&self) -> bool {
        let Self::Io { source, .. } = self else { return false };
        matches!(source.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
    }
}

/// Why a directory is not safe to keep records in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnsafeDirectory {
    /// It is a symbolic link, so somebody else may choose where the records go.
    #[error("it is a symbolic link")]
    Symlink,
    /// It is not a directory.
    #[error("it is not a directory")]
    NotADirectory,
    /// It belongs to another user.
    #[error("it belongs to another user")]
    Owner,
    /// Others may write to it.
    #[error("other users may write to it (chmod 700 makes it private)")]
    Writable,
}

/// A session was not removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// Records that must outlive the session are nowhere else.
    #[error("drop {count} records that must be kept and are not in a project's log yet")]
    Unsettled {
        /// How many.
        count: u64,
    },
    /// Something happened in it after the time up to which it may be removed.
    #[error("remove a session that was changed meanwhile")]
    Recent,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
