//! How far a file was read, and whether it is still the same up to there.
//!
//! Git and people replace whole files. A file that still has, where we stopped, the bytes that were
//! there has only grown; whoever wants to be surer reads it from the beginning.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use verger_event::Timestamp;

/// A word that somebody mended further up, just before more was appended, goes unseen: so this is
/// about a hundred learnings, which are read in no time.
const TAIL_BYTES: usize = 64 * 1024;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// How many bytes are before it.
    pub len: u64,
    /// How many lines are before it.
    pub lines: usize,
    /// When the file was changed last, in nanoseconds of the file system's clock.
    pub modified: u64,
    /// A checksum of the bytes right before it.
    pub tail: u32,
}

impl Mark {
    pub(crate) fn start(metadata: &Metadata) -> Self {
        Self { len: 0, lines: 0, modified: modified(metadata), tail: crc32fast::hash(&[]) }
    }

    /// When the file was changed last.
    pub fn modified_at(&self) -> Timestamp {
        Timestamp::from_millis(self.modified / 1_000_000)
    }

    /// Whether the file ends here and was not touched.
    pub(crate) fn is_of(&self, metadata: &Metadata) -> bool {
        (self.len, self.modified) == (metadata.len(), modified(metadata))
    }

    /// Whether the file still has what was right before the mark.
    pub(crate) fn is_in(&self, file: &File) -> io::Result<bool> {
        Ok(tail(file, self.len)? == self.tail)
    }

    /// The mark behind `bytes`, which follow this one in the file.
    pub(crate) fn followed_by(&self, bytes: &[u8], file: &File) -> io::Result<Self> {
        let len = self.len + bytes.len() as u64;
        let lines = self.lines + memchr::memchr_iter(b'\n', bytes).count();
        Ok(Self { len, lines, modified: self.modified, tail: tail(file, len)? })
    }
}

fn modified(metadata: &Metadata) -> u64 {
    let nanos = metadata.mtime().wrapping_mul(1_000_000_000).wrapping_add(metadata.mtime_nsec());
    nanos.cast_unsigned()
}

fn tail(file: &File, len: u64) -> io::Result<u32> {
    let wanted = usize::try_from(len).map_or(TAIL_BYTES, |len| len.min(TAIL_BYTES));
    let mut bytes = vec![0; wanted];
    file.read_exact_at(&mut bytes, len - wanted as u64)?;
    Ok(crc32fast::hash(&bytes))
}
