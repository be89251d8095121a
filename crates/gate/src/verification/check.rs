//! One check of a verification, and its result.

use serde::{Deserialize, Serialize};

use super::Depth;

/// The kind of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Whether the work is committed.
    GitState,
    /// Whether the agent's own to-do list is done.
    OpenTasks,
    /// Whether an added line has a mark of unfinished work, such as `TODO`.
    StubMarkers,
    /// The linter.
    Lint,
    /// Whether the files are formatted.
    Format,
    /// The type checker.
    Types,
    /// The tests.
    Tests,
    /// A command of the project that checks whether the work meets the request.
    Acceptance,
    /// Whether the reviewer approved.
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

    /// The name that people see.
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

    /// Whether the result can change while the content stays the same. The gate makes such a check
    /// again when the agent wants to stop.
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

    /// The shallowest depth that includes the check.
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

    /// Whether the check runs a program of the project.
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
    /// The check's name, unique in a verification.
    pub name: String,
    /// The kind of the check.
    pub kind: CheckKind,
    /// The command that it ran, as people would type it; `None` if it ran none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The result.
    pub status: CheckStatus,
    /// The duration.
    pub took_millis: u64,
    /// The result in one line.
    pub summary: String,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum CheckStatus {
    /// The check found nothing wrong.
    Passed,
    /// The check found something wrong.
    Failed,
    /// The check couldn't run.
    CouldNotRun {
        /// The reason and the remedy.
        why: String,
    },
    /// The check didn't end within its time limit.
    TimedOut {
        /// The limit.
        limit_seconds: u64,
    },
    /// Only a deeper verification makes this check.
    NotInDepth {
        /// The shallowest depth that includes the check.
        needs: Depth,
    },
    /// The check wasn't needed.
    Skipped {
        /// The reason.
        why: String,
    },
}

impl CheckStatus {
    /// The word for the status.
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
