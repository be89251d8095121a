//! Marks: a mark is the position up to which a file was read, with a checksum that shows whether
//! the file is unchanged up to there.
//!
//! Git and people may replace whole files. If the bytes before the mark are unchanged, the file has
//! probably only grown. A caller that needs certainty reads the file from the beginning.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use verger_event::Timestamp;

/// The number of bytes before a mark that are compared. A change before these bytes isn't detected
/// if text is appended too. So the number is large, about the length of a hundred learnings, but
/// these bytes are still read quickly.
const TAIL_BYTES: usize = 64 * 1024;

/// A position in a file up to which the file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The number of bytes before the mark.
    pub len: u64,
    /// The number of lines before the mark.
    pub lines: usize,
    /// The time of the file's last change, in nanoseconds of the file system's clock.
    pub modified: u64,
    /// A checksum of the last bytes before the mark.
    pub tail: u32,
}

impl Mark {
    pub(crate) fn start(metadata: &Metadata) -> Self {
        Self { len: 0, lines: 0, modified: modified(metadata), tail: crc32fast::hash(&[]) }
    }

    /// The time of the file's last change when the mark was made.
    pub fn modified_at(&self) -> Timestamp {
        Timestamp::from_millis(self.modified / 1_000_000)
    }

    /// Whether the mark is at the end of the file and the file hasn't changed since the mark was
    /// made.
    pub(crate) fn is_of(&self, metadata: &Metadata) -> bool {
        (self.len, self.modified) == (metadata.len(), modified(metadata))
    }

    /// Whether the last bytes of the file before the mark are unchanged.
    pub(crate) fn is_in(&self, file: &File) -> io::Result<bool> {
        Ok(tail(file, self.len)? == self.tail)
    }

    /// Creates the mark after `bytes`, which follow this mark in the file.
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
