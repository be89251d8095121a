//! Losses: parts of a session's records that are missing.

use std::fmt;

/// A lost part of a session's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// The segment is shorter than it was before.
    Cut {
        /// The segment's length in bytes after the last call that wrote to it.
        was: u64,
        /// The segment's current length in bytes. 0 if its file is gone.
        is: u64,
    },
    /// The record that a snapshot ends with is not at its position in the segment.
    Altered,
    /// Lines after the last usable snapshot are damaged.
    Damaged {
        /// Number of damaged lines.
        lines: u64,
    },
    /// Hook calls were killed before they recorded their events.
    Unrecorded {
        /// Number of hook calls that were killed.
        calls: u64,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut { is: 0, .. } => f.write_str("the log file is gone"),
            Self::Cut { was, is } => {
                write!(f, "the log file had {was} bytes and now has {is}")
            }
            Self::Altered => f.write_str("the log file was changed from outside"),
            Self::Damaged { lines: 1 } => f.write_str("a line of the log is damaged"),
            Self::Damaged { lines } => write!(f, "{lines} lines of the log are damaged"),
            Self::Unrecorded { calls: 1 } => f.write_str("a call of the hook was killed midway"),
            Self::Unrecorded { calls } => write!(f, "{calls} calls of the hook were killed midway"),
        }
    }
}
