//! Records the watched tools that failed in the current task and didn't succeed since.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

/// The maximum number of failures in the state. The newest failures are kept.
const REMEMBERED: usize = 12;

/// The watched tools that failed and didn't succeed since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Failures(Vec<Failure>);

/// The last failure of a watched tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The watched tool, as people would type it.
    pub what: String,
    /// The purpose of the tool.
    pub kind: WatchedKind,
    /// The time of the failure.
    pub at: Timestamp,
}

/// The purpose of a watched tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchedKind {
    /// The tool runs tests.
    Tests,
    /// The tool builds or checks types.
    Build,
    /// The tool lints or checks the format.
    Lint,
    /// The user added the tool to the watched tools.
    Users,
}

impl Failures {
    pub(super) fn failed(&mut self, what: &str, kind: WatchedKind, at: Timestamp) {
        self.succeeded(what);
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Failure { what: what.to_owned(), kind, at });
    }

    pub(super) fn succeeded(&mut self, what: &str) {
        self.0.retain(|failure| failure.what != what);
    }

    /// The latest failure, if there is one.
    pub fn last(&self) -> Option<&Failure> {
        self.0.last()
    }

    /// All stored failures. The latest is last.
    pub fn iter(&self) -> impl Iterator<Item = &Failure> {
        self.0.iter()
    }

    /// Whether this watched tool failed and didn't succeed since.
    pub fn contains(&self, what: &str) -> bool {
        self.0.iter().any(|failure| failure.what == what)
    }
}
