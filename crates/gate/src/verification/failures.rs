//! Watched tools that failed in the task in hand and did not succeed since.

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

/// How many are remembered; the newest are.
const REMEMBERED: usize = 12;

/// Watched tools that failed and did not succeed since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Failures(Vec<Failure>);

/// A watched tool that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What failed, as people would type it. The same thing succeeds under the same name.
    pub what: String,
    /// What it is for.
    pub kind: WatchedKind,
    /// When.
    pub at: Timestamp,
}

/// What a watched tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchedKind {
    /// It runs tests.
    Tests,
    /// It builds, or looks at types.
    Build,
    /// It lints, or looks at the format.
    Lint,
    /// The user watches it.
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

    /// The last one.
    pub fn last(&self) -> Option<&Failure> {
        self.0.last()
    }

    /// All that are remembered, the newest last.
    pub fn iter(&self) -> impl Iterator<Item = &Failure> {
        self.0.iter()
    }

    /// Whether this failed and did not succeed since.
    pub fn contains(&self, what: &str) -> bool {
        self.0.iter().any(|failure| failure.what == what)
    }
}
