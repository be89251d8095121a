//! One check of a verification, and its result.

use serde::{Deserialize, Serialize};

use super::Depth;

/// The kind of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// The check whether the work is committed.
    GitState,
    /// The check whether the agent's own to-do list is done.
    OpenTasks,
    /// The check whether an added line has a mark of unfinished work.
    StubMarkers,
    /// The linter of the project.
    Lint,
    /// The check whether the files are formatted.
    Format,
    /// The type checker of the project.
    Types,
    /// The tests of the project.
    Tests,
    /// A command of the project that checks whether the work meets the request.
    Acceptance,
    /// The check whether the reviewer approved the work.
    Review,
}

impl CheckKind {
    /// All kinds, in the order in which they run.
    pub const ALL: [Self; 9] = [
        Self::GitState,
        Self::OpenTasks,
        Self::StubMarkers,
        Self::Lint,
        Self::Format,
        Self::Types,
        Self::Tests,
        Self::Acceptance,
        Self::Review,
    ];

    /// The name of the kind that people see.
    pub fn words(self) -> &'static str {
        match self {
            Self::GitState => "git state",
            Self::OpenTasks => "open tasks",
            Self::StubMarkers => "stub markers",
            Self::Lint => "lint",
            Self::Format => "format",
            Self::Types => "types",
            Self::Tests => "tests",
            Self::Acceptance => "acceptance",
            Self::Review => "review",
        }
    }

    /// Whether the result of such a check can change while the content stays the same. The gate
    /// makes the check again when the agent wants to stop.
    pub fn is_live(self) -> bool {
        match self {
            Self::GitState | Self::OpenTasks | Self::Review => true,
            Self::StubMarkers
            | Self::Lint
            | Self::Format
            | Self::Types
            | Self::Tests
            | Self::Acceptance => false,
        }
    }

    /// The shallowest depth of verification that includes such a check.
    pub fn depth(self) -> Depth {
        match self {
            Self::GitState
            | Self::OpenTasks
            | Self::StubMarkers
            | Self::Lint
            | Self::Format
            | Self::Types
            | Self::Tests
            | Self::Review => Depth::Quick,
            Self::Acceptance => Depth::Deep,
        }
    }

    /// Whether such a check runs a program of the project.
    pub fn is_command(self) -> bool {
        match self {
            Self::Lint | Self::Format | Self::Types | Self::Tests | Self::Acceptance => true,
            Self::GitState | Self::OpenTasks | Self::StubMarkers | Self::Review => false,
        }
    }
}

/// One check of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The name of the check, which is unique in a verification.
    pub name: String,
    /// The kind of the check.
    pub kind: CheckKind,
    /// The command that the check ran, as people would type it. `None` if it ran none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The result of the check.
    pub status: CheckStatus,
    /// The duration of the check in milliseconds.
    pub took_millis: u64,
    /// A summary of the result, in one line.
    pub summary: String,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum CheckStatus {
    /// The check found no problem.
    Passed,
    /// The check found at least one problem.
    Failed,
    /// The check couldn't run.
    CouldNotRun {
        /// The reason why the check couldn't run, and what to do about it.
        why: String,
    },
    /// The check didn't end within its time limit.
    TimedOut {
        /// The time limit of the check.
        limit_seconds: u64,
    },
    /// The check didn't run, because only a deeper verification includes it.
    NotInDepth {
        /// The shallowest depth that includes the check.
        needs: Depth,
    },
    /// The check wasn't needed.
    Skipped {
        /// The reason why the check wasn't needed.
        why: String,
    },
}

impl CheckStatus {
    /// The name of the result.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::CouldNotRun { .. } => "could not run",
            Self::TimedOut { .. } => "timed out",
            Self::NotInDepth { .. } => "not run",
            Self::Skipped { .. } => "skipped",
        }
    }
}
