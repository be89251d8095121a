//! The lines of a session's story.

use serde::{Deserialize, Serialize};
use verger_drift::step::Action;
use verger_drift::{Level, PromptAction, Reading};
use verger_event::{EventId, Timestamp, ToolUseId};
use verger_gate::drift::FindingKind;

use crate::position::Telling;

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The person spoke.
    Prompted {
        /// What it does to the tasks.
        action: PromptAction,
        /// The current task from now on.
        task: u64,
    },
    /// The reader program's answer.
    Read(Box<Reading>),
    /// A task as it is now.
    Task(Box<TaskRow>),
    /// All open tasks are left, but this one.
    Left {
        /// The one that goes on.
        but: Option<u64>,
    },
    /// The agent did something.
    Step(Box<StepRow>),
    /// The session was scored.
    Scored(Box<Scored>),
    /// The agent was told.
    Corrected(Given),
    /// Paths that broke a limit have their content from the start of the task again.
    Restored {
        /// The paths.
        paths: Vec<String>,
    },
    /// An action that broke a limit three times was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// It was denied as often as allowed, and ran.
    Released {
        /// The call.
        what: String,
    },
    /// A task has its record.
    Recorded {
        /// Which.
        task: u64,
        /// What became of it, as the record says: `complete`, `partial` or `abandoned`.
        ending: String,
        /// What the task is from now on: `completed` or `abandoned`.
        status: String,
        /// The steps that the record speaks of.
        cites: Vec<EventId>,
    },
    /// What the agent must not lose was written down.
    HandedOver {
        /// What was about to cut its memory.
        trigger: String,
        /// The text.
        text: String,
    },
}

/// A task of a session, while it goes on and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Which of its session, from 1.
    pub number: u64,
    /// Whose subtask or parallel task it is.
    pub parent: Option<u64>,
    /// `main`, `subtask` or `parallel`.
    pub kind: String,
    /// What was asked for first.
    pub goal: String,
    /// The paths that the person and the reader program name.
    pub scope: Vec<String>,
    /// The limits of the person.
    pub constraints: Vec<String>,
    /// The names that the goal mentions, and the reader program's keywords.
    pub keywords: Vec<String>,
    /// Whether the agent drifts.
    pub mode: Mode,
    /// Whether the agent was told and the finding stands.
    pub waits_for_recovery: bool,
    /// How often the agent was told more strongly.
    pub escalations: u64,
    /// When it began.
    pub began: Timestamp,
    /// When something happened to it last.
    pub last: Timestamp,
    /// `active`, `completed` or `abandoned`.
    pub status: String,
}

/// Whether an agent drifts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It does not.
    #[default]
    Normal,
    /// It does.
    Drifted,
    /// It broke a limit three times, and the action is denied.
    Forced,
}

impl Mode {
    /// In a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Drifted => "drifted",
            Self::Forced => "forced",
        }
    }
}

/// A step: one tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRow {
    /// The record that reported it.
    pub id: EventId,
    /// Which of its session, from 1.
    pub ordinal: u64,
    /// For which task.
    pub task: Option<u64>,
    /// When.
    pub at: Timestamp,
    /// The call, as the agent names it.
    pub tool_use: Option<ToolUseId>,
    /// What was done.
    pub action: Action,
    /// The files that it is about, within the directory of the session.
    pub files: Vec<String>,
    /// Their folders.
    pub folders: Vec<String>,
    /// The line that it ran.
    pub command: Option<String>,
    /// Whether it failed.
    pub failed: bool,
    /// Whether it decides something for later steps: a new file, a dependency, a commit.
    pub is_key_decision: bool,
    /// The limit that it breaks.
    pub breaks: Option<String>,
}

/// A score and the steps that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// From 1 to 10; nothing where nothing is measured any more.
    pub score: Option<u8>,
    /// The kind of the finding.
    pub kind: Option<FindingKind>,
    /// The last step before those that it covers.
    pub after: u64,
    /// The last step that it covers.
    pub upto: u64,
    /// The person's words, where there is a finding.
    pub goal: Option<String>,
    /// The reasons, the worst first.
    pub reasons: Vec<String>,
    /// The first thing to do about it.
    pub way_back: Option<String>,
    /// The level of the correction, where it asks for one.
    pub level: Option<Level>,
    /// Whether the agent is told.
    pub telling: Telling,
}

/// A correction that the agent was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The step that it answered.
    pub ordinal: u64,
    /// How strongly; not known where the record of the score is missing.
    pub level: Option<Level>,
    /// The words.
    pub text: String,
}

/// The word of the tables for a score.
pub fn drift_type(score: u8) -> &'static str {
    match score {
        8.. => "none",
        5..=7 => "minor",
        3 | 4 => "major",
        0..=2 => "critical",
    }
}
