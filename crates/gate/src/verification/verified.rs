//! The result of a verification, which `verger verify` records and the gate looks up.
//!
//! This is a stored form. Changes to it only add optional fields.

use serde::{Deserialize, Serialize};
pub use verger_event::VerificationStatus as Status;
use verger_event::{ContentHash, Event};

use super::Depth;
use super::bounds;
use super::check::{Check, CheckStatus};
use super::regression::TestRun;

/// The maximum number of bytes of the recorded JSON. A record has at most 64 KiB. The JSON is
/// stored in two records: in the gate's change, and in an event that verger keeps longer than the
/// session.
pub const MAX_VERIFIED_BYTES: usize = 40 * 1024;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The id of the verification's run.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content of the work that the verification checked.
    pub content: ContentHash,
    /// The status of the verification.
    pub status: Status,
    /// The status without live checks: see [`super::judge_lasting`]. `None` if it equals `status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<Status>,
    /// The checks of the verification, in order.
    pub checks: Vec<Check>,
    /// The issues that the checks found.
    pub issues: Vec<Issue>,
    /// The number of further issues, which aren't in `issues`.
    #[serde(default)]
    pub more_issues: u64,
    /// The next steps for the agent.
    pub next_steps: Vec<String>,
    /// The tests that failed.
    pub failing_tests: FailingTests,
    /// The number of tests that ran, if the test runners report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_tests: Option<u64>,
    /// Files that changed while the checks ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree_changed: Vec<String>,
    /// A hash of the planned checks and of the requirements: see [`super::plan::plan_name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// An issue that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The name of the check that found the issue.
    pub check: String,
    /// The file with the issue, as a path below the project's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The number of the line with the issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The text of the issue, in one line.
    pub text: String,
}

/// The tests that failed, if the runner names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "are", rename_all = "snake_case")]
pub enum FailingTests {
    /// Exactly these tests failed.
    Named {
        /// The names of the tests, as the runner spells them.
        names: Vec<String>,
    },
    /// It isn't known which tests failed.
    Unknown {
        /// The reason why the failed tests aren't known.
        why: String,
    },
}

impl FailingTests {
    /// The value for a test run in which no test failed.
    pub fn none() -> Self {
        Self::Named { names: vec![] }
    }
}

impl Issue {
    /// The issue on one line: the position, the text and the name of the check.
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
    /// The failed tests, and the number of tests that ran.
    pub fn test_run(&self) -> TestRun {
        TestRun { failing: self.failing_tests.clone(), ran: self.ran_tests }
    }

    /// The status without live checks, whose results can change while the content stays the same.
    pub fn lasting(&self) -> Status {
        self.lasting.unwrap_or(self.status)
    }

    /// A line with the number of passed checks and the number of issues. The other checks aren't
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

    /// The event with this result that verger keeps longer than the session.
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

    /// The form that is recorded: every text is one line, and every list is within its limit. If
    /// there are too many failed tests to store, their names count as unknown.
    #[must_use]
    pub fn bounded(self) -> Self {
        bounds::bounded(self)
    }

    /// The form for the session's state. It is shorter, because every hook call reads and writes
    /// the state.
    pub(super) fn remembered(self) -> Self {
        bounds::remembered(self)
    }
}
