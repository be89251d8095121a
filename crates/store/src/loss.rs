//! Parts of a session's records that are lost.

use std::fmt;

/// A part of a session's records is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// The segment ends earlier than it did.
    Cut {
        /// Its length in bytes when a call last wrote to it.
        was: u64,
        /// Its length now; 0 if the file is gone.
        is: u64,
    },
    /// The segment differs where a snapshot names a record.
    Altered,
    /// Lines behind the last snapshot are no records.
    Damaged {
        /// How many.
        lines: u64,
    },
    /// Calls of the hook that were killed before they recorded their event.
    Unrecorded {
        /// How many.
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
