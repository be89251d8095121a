//! The size of a session's change of files since the gate's last request ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The size of a change of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "count", rename_all = "snake_case")]
pub enum Changed {
    /// No file changed.
    Nothing,
    /// This many lines were added or removed.
    Lines(u64),
    /// This many files changed, but their lines can't be counted.
    Files(u64),
    /// The size of the change couldn't be determined.
    Unknown,
}

impl Changed {
    /// The number of changed lines, if they were counted.
    pub fn lines(self) -> Option<u64> {
        match self {
            Self::Lines(lines) => Some(lines),
            Self::Nothing | Self::Files(_) | Self::Unknown => None,
        }
    }

    /// Whether the change is known to have fewer lines than `lines`.
    pub fn is_below(self, lines: u64) -> bool {
        match self {
            Self::Nothing => true,
            Self::Lines(changed) => changed < lines,
            Self::Files(_) | Self::Unknown => false,
        }
    }

    /// Whether the change is known to have at least `lines` lines. A change whose lines weren't
    /// counted always reaches the limit.
    pub fn reaches(self, lines: u64) -> bool {
        match self {
            Self::Nothing | Self::Unknown => false,
            Self::Lines(changed) => changed >= lines.max(1),
            Self::Files(changed) => changed > 0,
        }
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Lines(1) => f.write_str("1 line"),
            Self::Lines(count) => write!(f, "{count} lines"),
            Self::Files(1) => f.write_str("1 file"),
            Self::Files(count) => write!(f, "{count} files"),
            Self::Unknown => f.write_str("an unknown amount"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Changed::{self, Files, Lines, Nothing, Unknown};

    #[test]
    fn only_what_is_counted_is_small_and_only_what_is_known_is_enough() {
        let told: Vec<_> = [Nothing, Lines(0), Lines(4), Lines(5), Files(1), Files(0), Unknown]
            .map(|changed: Changed| (changed.is_below(5), changed.reaches(5), changed.reaches(0)))
            .into();
        let expected = [
            (true, false, false),
            (true, false, false),
            (true, false, true),
            (false, true, true),
            (false, true, true),
            (false, false, false),
            (false, false, false),
        ];
        assert_eq!(told, expected);
    }
}
