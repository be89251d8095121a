//! The result of a verification: the value that `verger verify` records and the gate looks up.
//!
//! This is a stored form. Fields are only added, and new ones are optional.

use serde::{Deserialize, Serialize};
pub use verger_event::VerificationStatus as Status;
use verger_event::{ContentHash, Event};

use super::Depth;
use super::bounds;
use super::check::{Check, CheckStatus};
use super::regression::TestRun;

/// The most bytes of the recorded JSON. It is stored twice in records of 64 KiB: as the gate's
/// change and as the event that outlives the session.
pub const MAX_VERIFIED_BYTES: usize = 40 * 1024;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The run's id.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content that it checked.
    pub content: ContentHash,
    /// The status.
    pub status: Status,
    /// The status without live checks, which can change while the content stays the same; `None` if
    /// it is the same: see [`super::judge_lasting`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<Status>,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// The issues that were found.
    pub issues: Vec<Issue>,
    /// The number of further issues that aren't kept.
    #[serde(default)]
    pub more_issues: u64,
    /// The agent's next steps.
    pub next_steps: Vec<String>,
    /// The tests that failed.
    pub failing_tests: FailingTests,
    /// The number of tests that ran, if their runners report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_tests: Option<u64>,
    /// Files that the checks themselves changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree_changed: Vec<String>,
    /// The name of the planned checks and their requirements: see [`super::plan::plan_name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// An issue that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The name of the check.
    pub check: String,
    /// The file, as a path below the project's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The issue in one line.
    pub text: String,
}

/// The tests that failed, if the runner names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "are", rename_all = "snake_case")]
pub enum FailingTests {
    /// Exactly these tests failed.
    Named {
        /// Their names, as the runner spells them.
        names: Vec<String>,
    },
    /// It couldn't be determined.
    Unknown {
        /// The reason.
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
    /// The issue on one line: the place, the text and the check.
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
    /// The tests of the verification.
    pub fn test_run(&self) -> TestRun {
        TestRun { failing: self.failing_tests.clone(), ran: self.ran_tests }
    }

    /// The status without live checks, which can change while the content stays the same.
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

    /// The event that outlives the session.
    pub fn event(&self) -> Event {
        Event::VerificationRecorded {
            status: self.status,
            depth: self.depth,
            content_hash: self.content.clone(),
            summary: self.summary(),
            // Serializing a verification can't fail.
            verified: serde_json::to_value(self).unwrap_or_default(),
        }
    }

    /// The recorded form: every text is on one line and every list within its bounds. If too many
    /// tests failed to keep, their names count as unknown.
    #[must_use]
    pub fn bounded(self) -> Self {
        bounds::bounded(self)
    }

    /// The form in the session's state, which is read and written on every hook call.
    pub(super) fn remembered(self) -> Self {
        bounds::remembered(self)
    }
}
