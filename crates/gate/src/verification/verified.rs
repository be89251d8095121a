//! What a verification found: the value that `verger verify` records and the gate looks up.
//!
//! This is a stored form. Fields are added, and new ones are optional.

use serde::{Deserialize, Serialize};
pub use verger_event::VerificationStatus as Status;
use verger_event::{ContentHash, Event};

use super::Depth;
use super::bounds;
use super::check::{Check, CheckStatus};
use super::regression::TestRun;

/// The JSON of what is recorded has at most this many bytes: it is stored twice in records of 64 KiB,
/// as the gate's change and as what outlives the session.
pub const MAX_VERIFIED_BYTES: usize = 40 * 1024;

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The run's id.
    pub run: String,
    /// How deep it looked.
    pub depth: Depth,
    /// The content that it looked at.
    pub content: ContentHash,
    /// What it comes to.
    pub status: Status,
    /// What it comes to without what can change while the content stays, where that is not the same:
    /// see [`super::judge_lasting`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<Status>,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// What is wrong.
    pub issues: Vec<Issue>,
    /// How many more issues there were than are kept.
    #[serde(default)]
    pub more_issues: u64,
    /// What the agent does next, one step each.
    pub next_steps: Vec<String>,
    /// The tests that failed.
    pub failing_tests: FailingTests,
    /// How many tests ran, where their runners say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_tests: Option<u64>,
    /// Files that the checks themselves changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree_changed: Vec<String>,
    /// Names the checks that were planned and what was required of them: see [`super::plan::plan_name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The check that found it, by its name.
    pub check: String,
    /// The file, as a path below the project's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What is wrong, in a line.
    pub text: String,
}

/// The tests that failed, as far as the runner names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "are", rename_all = "snake_case")]
pub enum FailingTests {
    /// These, and no others.
    Named {
        /// Their names, as the runner spells them.
        names: Vec<String>,
    },
    /// Nobody can tell.
    Unknown {
        /// Why.
        why: String,
    },
}

impl FailingTests {
    /// No test failed.
    pub fn none() -> Self {
        Self::Named { names: vec![] }
    }
}

impl Issue {
    /// On one line: where, what, and by which check.
    pub fn line(&self) -> String {
        let place = match (&self.path, self.line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            (Some(path), None) => format!("{path}: "),
            (None, _) => String::new(),
        };
        format!("{place}{} ({})", self.text, self.check)
    }
}

impl Verified {
    /// What is known of its tests.
    pub fn test_run(&self) -> TestRun {
        TestRun { failing: self.failing_tests.clone(), ran: self.ran_tests }
    }

    /// What it comes to without what can change while the content stays.
    pub fn lasting(&self) -> Status {
        self.lasting.unwrap_or(self.status)
    }

    /// One line: how many checks passed, and how many issues there are. Checks that were skipped or failed aren't
    /// counted, so that no line reads "0 of 3 passed: green".
    pub fn summary(&self) -> String {
        let passed = self.checks.iter().filter(|check| check.status == CheckStatus::Passed).count();
        let issues = (self.issues.len() as u64).saturating_add(self.more_issues);
        let issues = match issues {
            0 => "no issue".to_owned(),
            1 => "1 issue".to_owned(),
            issues => format!("{issues} issues"),
        };
        let passed = match passed {
            1 => "1 check passed".to_owned(),
            passed => format!("{passed} checks passed"),
        };
        format!("{passed}, {issues}")
    }

    /// What outlives the session.
    pub fn event(&self) -> Event {
        Event::VerificationRecorded {
            status: self.status,
            depth: self.depth,
            content_hash: self.content.clone(),
            summary: self.summary(),
            // It has a JSON form.
            verified: serde_json::to_value(self).unwrap_or_default(),
        }
    }

    /// As it is recorded: every text on one line and every list within its bounds. Too many failing
    /// tests to keep are none that are known.
    #[must_use]
    pub fn bounded(self) -> Self {
        bounds::bounded(self)
    }

    /// As the session's state keeps it, which is read and written on every hook call.
    pub(super) fn remembered(self) -> Self {
        bounds::remembered(self)
    }
}
