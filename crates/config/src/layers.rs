//! The layers that [`resolve`](crate::resolve()) takes, and the origins of resolved values.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use crate::problem::{Place, Problem, ProblemKind};

/// All layers of settings. Later fields have precedence.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layers<'a> {
    pub user: Option<Source<'a>>,
    pub project: Option<Project<'a>>,
    /// The whole environment, or the variables that
    /// [`is_relevant_variable`](crate::is_relevant_variable) accepts.
    pub environment: &'a [(OsString, OsString)],
}

/// The bytes of one configuration file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file's name in origins and problems, for example `~/.config/verger/config.toml`.
    pub file: &'a str,
    /// The content. It may be cut after [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) + 1 bytes.
    pub bytes: &'a [u8],
}

/// The project's file, and whether the user trusts it.
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

/// A resolved value and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
    /// Lower layers whose entries are also in `value`. Set only for keys whose layers are joined.
    pub joined: Vec<Origin>,
}

impl<T> Setting<T> {
    pub(crate) const fn by_default(value: T) -> Self {
        Self { value, origin: Origin::Default, joined: Vec::new() }
    }

    /// The problem of a list entry that the code which uses the list can't interpret. Entries are
    /// counted from 1.
    pub fn bad_entry(&self, key: &'static str, number: usize, reason: String) -> Problem {
        let origins = self.joined.iter().chain([&self.origin]).cloned().collect();
        let place = Place::Setting { origins };
        Problem { place, kind: ProblemKind::BadEntry { key, number, reason } }
    }
}

/// The layer that set a value, with its file and line or its variable.
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
