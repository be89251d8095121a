//! The layers that [`resolve`](crate::resolve()) takes, and the origins of resolved values.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use crate::problem::{Place, Problem, ProblemKind};

/// All layers of settings. A later field of the struct takes precedence over the fields before it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layers<'a> {
    pub user: Option<Source<'a>>,
    pub project: Option<Project<'a>>,
    /// The environment variables: all of them, or those that
    /// [`is_relevant_variable`](crate::is_relevant_variable) accepts.
    pub environment: &'a [(OsString, OsString)],
}

/// The bytes of one configuration file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file's name in messages, for example `~/.config/verger/config.toml`.
    pub file: &'a str,
    /// The content of the file. It may be cut after [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES) + 1
    /// bytes.
    pub bytes: &'a [u8],
}

/// The project's configuration file, and whether the user trusts the file.
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

/// A resolved value of a key, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
    /// The origins of values from lower layers that are included in `value`. Set only for keys
    /// whose layers are joined.
    pub joined: Vec<Origin>,
}

impl<T> Setting<T> {
    pub(crate) const fn by_default(value: T) -> Self {
        Self { value, origin: Origin::Default, joined: Vec::new() }
    }

    /// Creates the problem of a list entry that can't be interpreted. For the code that uses the
    /// list. Entries are counted from 1.
    pub fn bad_entry(&self, key: &'static str, number: usize, reason: String) -> Problem {
        let origins = self.joined.iter().chain([&self.origin]).cloned().collect();
        let place = Place::Setting { origins };
        Problem { place, kind: ProblemKind::BadEntry { key, number, reason } }
    }
}

/// The layer from which a value comes, with its file and line or its variable.
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
