//! What a log must do, its errors, an in-memory log, and the suite every log passes.
//!
//! A hook call is one [`Turn`]: [`Store::open`] gives the session's folded state, [`Turn::commit`]
//! appends what happened. Everything else reads. Backends differ in where they keep lines; what is
//! written, and that no secret is in it, is [`prepare`]'s part and the same for all.
#![warn(missing_docs)]

mod causes;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "conformance")]
mod memory;
mod prepare;

pub use causes::with_causes;
#[cfg(feature = "conformance")]
pub use memory::MemoryStore;
pub use prepare::{Prepared, Redact, prepare};

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use verger_event::stored::{Damage, EncodeError};
use verger_event::{Draft, Fold, ProjectId, Record, SessionKey};

/// A place that keeps the log.
pub trait Store {
    /// A session opened for one hook call.
    type Turn<'a, F: Fold>: Turn<F>
    where
        Self: 'a;

    /// Opens a session: takes its lock, folds what is new.
    ///
    /// When the lock is not to be had in time, the turn still has the state and can still commit:
    /// what it commits is spilled, and takes its place in the log when the next holder merges it,
    /// unless another report of the same [occurrence](verger_event::Event::occurrence) came there
    /// first.
    fn open<F: Fold>(&self, key: &SessionKey) -> Result<Self::Turn<'_, F>, StoreError>;

    /// Gives every entry of a session to `each`, in order; spilled records that are not merged yet
    /// come last.
    fn read(&self, key: &SessionKey, each: &mut dyn FnMut(Entry)) -> Result<(), StoreError>;

    /// Gives every entry of the project's own segment to `each`: what outlives its session.
    fn read_project(
        &self,
        project: &ProjectId,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), StoreError>;

    /// The sessions that have a segment, in no order.
    fn sessions(&self) -> Result<Vec<SessionKey>, StoreError>;

    /// Copies the durable records of a session that its project's segment lacks, and says how many.
    /// What the session spilled is merged first where its lock is to be had.
    fn settle(&self, key: &SessionKey) -> Result<u64, StoreError>;

    /// Removes a session's segment. Refused while a durable record stands in it alone, or one that
    /// this program cannot read and that may be durable, and while somebody else holds the
    /// session's lock.
    fn remove(&self, key: &SessionKey) -> Result<(), RemoveError>;
}

/// How many of a session's last records are compared with those that are appended.
pub const MAX_COMPARED: usize = 256;

/// Appending to sessions whose state does not matter.
pub trait Append {
    /// Appends the records, all or none, in the order given, and says where they are. The lock is taken
    /// and released inside, and waited for as long as [`Store::open`] does; any thread may call it.
    ///
    /// Those that are among the session's last [`MAX_COMPARED`] records or wait to be merged, by their
    /// ids, are left out: whoever is not sure that an append went through can do it again.
    fn append(&self, key: &SessionKey, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;
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
    /// The records that came since the last call. Where there are none, waits for the next ones, no
    /// longer than `wait`; what it waited for can be something else than a record, so that there may be
    /// none earlier. Records that wait to be merged come when they are merged.
    fn next(&mut self, wait: Duration) -> Result<Vec<Record>, StoreError>;
}

/// A session opened for one hook call.
pub trait Turn<F> {
    /// The session's state, with every record so far.
    fn state(&self) -> &F;

    /// Appends the records, all or none, and says where they are. With none, it only merges what
    /// was spilled and gives back the lock.
    ///
    /// An error means that no record counts as written. What fails once they are in the log (a
    /// cache, a copy) is no error: it is made good later.
    fn commit(self, drafts: Vec<Draft>) -> Result<Receipt, StoreError>;
}

/// Where committed records are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// In the log, up to this sequence number.
    Logged {
        /// Of the last record of the segment.
        last_seq: u64,
    },
    /// In a spill file, because the lock was not to be had in time.
    Spilled,
}

/// What a reader meets in a segment.
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
        /// What is wrong with it.
        damage: Damage,
    },
}

/// A store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("{action} {}", path.display())]
    Io {
        /// What was being done, such as `open`.
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
    #[error("put a record into a line")]
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
    #[error("others may write to it (chmod 700 makes it private)")]
    Writable,
}

/// A session was not removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// Records that must outlive the session are nowhere else.
    #[error("drop {count} records that are or may be durable and are in no project's segment")]
    Unsettled {
        /// How many.
        count: u64,
    },
    /// Something happened in it after the time up to which it may be removed.
    #[error("drop a session in which something happened meanwhile")]
    Recent,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
