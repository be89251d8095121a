//! What goes into [`resolve`](crate::resolve()) and what a resolved value remembers of it.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use crate::problem::{Place, Problem, ProblemKind};

/// Everything that settings are made of, lowest precedence first.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layers<'a> {
    pub user: Option<Source<'a>>,
    pub project: Option<Project<'a>>,
    /// The whole environment, or only what
    /// [`is_relevant_variable`](crate::is_relevant_variable) lets through.
    pub environment: &'a [(OsString, OsString)],
}

/// The bytes of one configuration file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// How the file is named in origins and problems, for example `~/.config/verger/config.toml`.
    pub file: &'a str,
    /// As read. A reader that stops after [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) + 1 bytes
    /// has read enough.
    pub bytes: &'a [u8],
}

/// The project's file and what the user thinks of it.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    pub source: Source<'a>,
    pub trust: ProjectTrust,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectTrust {
    Trusted,
    Untrusted,
}

/// A resolved value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
    /// Lower layers whose entries are part of `value` too: only for keys whose layers add up.
    pub joined: Vec<Origin>,
}

impl<T> Setting<T> {
    pub(crate) const fn by_default(value: T) -> Self {
        Self { value, origin: Origin::Default, joined: Vec::new() }
    }

    /// An entry of a list, counted from 1, that means nothing to whoever uses the list.
    pub fn bad_entry(&self, key: &'static str, number: usize, reason: String) -> Problem {
        let origins = self.joined.iter().chain([&self.origin]).cloned().collect();
        let place = Place::Setting { origins };
        Problem { place, kind: ProblemKind::BadEntry { key, number, reason } }
    }
}

/// The layer that gave a value, as exactly as it can be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Default,
    User { file: Arc<str>, line: u32 },
    Project { file: Arc<str>, line: u32 },
    Environment { variable: String },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User { file, line } | Self::Project { file, line } => write!(f, "{file}:{line}"),
            Self::Environment { variable } => f.write_str(variable),
        }
    }
}
