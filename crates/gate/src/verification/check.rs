//! One check of a verification, and what came of it.

use serde::{Deserialize, Serialize};

use super::Depth;

/// What a check looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Whether the work is committed.
    GitState,
    /// Whether the agent's own list is done.
    OpenTasks,
    /// Whether a line that was added says that it is unfinished.
    StubMarkers,
    /// The linter.
    Lint,
    /// Whether the files are formatted.
    Format,
    /// The types.
    Types,
    /// The tests.
    Tests,
    /// A command of the project's own that says whether the work is what was wanted.
    Acceptance,
    /// Whether the reviewer approved.
    Review,
}

impl CheckKind {
    /// All of them, in the order in which they are run.
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

    /// What people call it.
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

    /// Whether what it comes to can change while the content stays: it is looked at again when the
    /// agent wants to stop.
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

    /// The shallowest depth that has it.
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

    /// Whether a program of the project makes the check.
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
    /// Its name, once in a verification.
    pub name: String,
    /// What it looks at.
    pub kind: CheckKind,
    /// The command that it ran, as people would type it; nothing where it ran none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What came of it.
    pub status: CheckStatus,
    /// How long it took.
    pub took_millis: u64,
    /// What it found, in a line.
    pub summary: String,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum CheckStatus {
    /// Nothing is wrong.
    Passed,
    /// Something is.
    Failed,
    /// It could not look.
    CouldNotRun {
        /// Why, and what helps.
        why: String,
    },
    /// It did not end in its time.
    TimedOut {
        /// How long it had.
        limit_seconds: u64,
    },
    /// A deeper verification makes it.
    NotInDepth {
        /// The shallowest depth that has it.
        needs: Depth,
    },
    /// There was no need to look.
    Skipped {
        /// Why.
        why: String,
    },
}

impl CheckStatus {
    /// The word for it.
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
