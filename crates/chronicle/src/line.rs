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
    /// The person sent a prompt.
    Prompted {
        /// The effect of the prompt on the tasks.
        action: PromptAction,
        /// The current task from now on.
        task: u64,
    },
    /// The reader program's answer.
    Read(Box<Reading>),
    /// A task in its current state.
    Task(Box<TaskRow>),
    /// All open tasks were left, except this one.
    Left {
        /// The task that goes on.
        but: Option<u64>,
    },
    /// The agent took a step.
    Step(Box<StepRow>),
    /// The session was scored.
    Scored(Box<Scored>),
    /// A correction was given to the agent.
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
    /// The action was denied as often as allowed, and ran.
    Released {
        /// The call.
        what: String,
    },
    /// A task was recorded.
    Recorded {
        /// The number of the task.
        task: u64,
        /// The ending in the record: `complete`, `partial` or `abandoned`.
        ending: String,
        /// The status from now on: `completed` or `abandoned`.
        status: String,
        /// The steps that the record cites.
        cites: Vec<EventId>,
    },
    /// A handoff was written: the facts that the agent needs after its context is cut.
    HandedOver {
        /// The reason for which the context is cut.
        trigger: String,
        /// The text.
        text: String,
    },
}

/// A task of a session, in its current state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its number in the session, from 1.
    pub number: u64,
    /// The task that it is a subtask of, or parallel to.
    pub parent: Option<u64>,
    /// `main`, `subtask` or `parallel`.
    pub kind: String,
    /// The first request.
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
    /// The number of stronger corrections.
    pub escalations: u64,
    /// The time of its beginning.
    pub began: Timestamp,
    /// The time of its last event.
    pub last: Timestamp,
    /// `active`, `completed` or `abandoned`.
    pub status: String,
}

/// Whether an agent drifts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It does not drift.
    #[default]
    Normal,
    /// It drifts.
    Drifted,
    /// It broke a limit three times, and the action is denied.
    Forced,
}

impl Mode {
    /// The mode as a word.
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
    /// Its number in the session, from 1.
    pub ordinal: u64,
    /// Its task.
    pub task: Option<u64>,
    /// The time.
    pub at: Timestamp,
    /// The call, as the agent names it.
    pub tool_use: Option<ToolUseId>,
    /// The kind of the step.
    pub action: Action,
    /// The files of the call, within the directory of the session.
    pub files: Vec<String>,
    /// Their folders.
    pub folders: Vec<String>,
    /// The shell line, if any.
    pub command: Option<String>,
    /// Whether the call failed.
    pub failed: bool,
    /// Whether the step shapes later ones: a new file, a dependency, a commit.
    pub is_key_decision: bool,
    /// The limit that it breaks.
    pub breaks: Option<String>,
}

/// A score and the steps that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// The score from 1 to 10. `None` if there is nothing left to measure.
    pub score: Option<u8>,
    /// The kind of the finding.
    pub kind: Option<FindingKind>,
    /// The last step before the covered ones.
    pub after: u64,
    /// The last covered step.
    pub upto: u64,
    /// The person's words, if there is a finding.
    pub goal: Option<String>,
    /// The reasons, the worst first.
    pub reasons: Vec<String>,
    /// The first step to fix the finding.
    pub way_back: Option<String>,
    /// The level of the correction, if the score asks for one.
    pub level: Option<Level>,
    /// Whether the finding is given to the agent.
    pub telling: Telling,
}

/// A correction that was given to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The step before it.
    pub ordinal: u64,
    /// Its level. `None` if the record of the score is missing.
    pub level: Option<Level>,
    /// Its text.
    pub text: String,
}

/// The drift type in tables, for a score.
pub fn drift_type(score: u8) -> &'static str {
    match score {
        8.. => "none",
        5..=7 => "minor",
        3 | 4 => "major",
        0..=2 => "critical",
    }
}
