//! The lines of a session's history, and their fields.

use serde::{Deserialize, Serialize};
use verger_drift::step::Action;
use verger_drift::{Level, PromptAction, Reading};
use verger_event::{EventId, Timestamp, ToolUseId};
use verger_gate::drift::FindingKind;

use crate::position::Telling;

/// One line of a session's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The person sent a prompt.
    Prompted {
        /// The effect of the prompt on the tasks.
        action: PromptAction,
        /// The current task after the prompt.
        task: u64,
    },
    /// The reader program's interpretation of the prompt.
    Read(Box<Reading>),
    /// A task in its current state.
    Task(Box<TaskRow>),
    /// All open tasks were left, except for at most one.
    Left {
        /// The number of the task that continues, if there is one.
        but: Option<u64>,
    },
    /// The agent took a step.
    Step(Box<StepRow>),
    /// The session was scored.
    Scored(Box<Scored>),
    /// A correction was given to the agent.
    Corrected(Given),
    /// Paths that broke a limit were restored to their content at the task's start.
    Restored {
        /// The paths that were restored.
        paths: Vec<String>,
    },
    /// An action that broke a limit three times was denied.
    Denied {
        /// A text that describes the denied tool call.
        what: String,
    },
    /// An action that breaks a limit was allowed, because it had been denied the maximum number of
    /// times.
    Released {
        /// A text that describes the tool call.
        what: String,
    },
    /// A task was recorded.
    Recorded {
        /// The number of the recorded task in its session.
        task: u64,
        /// The status in the record: `complete`, `partial`, `abandoned` or `unverified`.
        ending: String,
        /// The task's status after the record: `completed`, `unverified` or `abandoned`.
        status: String,
        /// The ids of the steps that the record cites.
        cites: Vec<EventId>,
    },
    /// A handoff was written. It has the facts that the agent needs after its conversation is
    /// compacted or its session has ended.
    HandedOver {
        /// The reason for writing the handoff.
        trigger: String,
        /// The text of the handoff.
        text: String,
    },
}

/// A task of a session, in its current state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// The number of the task in its session, starting with 1.
    pub number: u64,
    /// The number of the task that this task is a subtask of or parallel to.
    pub parent: Option<u64>,
    /// The relation to the parent task: `main`, `subtask` or `parallel`.
    pub kind: String,
    /// The first request of the task, in the person's words.
    pub goal: String,
    /// The paths that the person and the reader program named for the task.
    pub scope: Vec<String>,
    /// The limits that the person set for the task.
    pub constraints: Vec<String>,
    /// The names that the goal mentions, and the keywords of the reader program.
    pub keywords: Vec<String>,
    /// Whether the agent is drifting in this task.
    pub mode: Mode,
    /// Whether the agent was told about a finding that still applies.
    pub waits_for_recovery: bool,
    /// The number of escalations: 1 after an intervention, 2 after a halt, otherwise 0.
    pub escalations: u64,
    /// The time of the task's first event.
    pub began: Timestamp,
    /// The time of the task's last event.
    pub last: Timestamp,
    /// The task's status: `active`, `completed`, `unverified` or `abandoned`.
    pub status: String,
}

/// Whether an agent is drifting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The agent is not drifting.
    #[default]
    Normal,
    /// The agent is drifting.
    Drifted,
    /// The agent broke a limit three times, so verger denies the action.
    Forced,
}

impl Mode {
    /// The mode as a word, as tables show it.
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
    /// The id of the step's record.
    pub id: EventId,
    /// The number of the step in its session, starting with 1.
    pub ordinal: u64,
    /// The number of the task that the step belongs to, if there is one.
    pub task: Option<u64>,
    /// The time of the step.
    pub at: Timestamp,
    /// The agent's id for the tool call.
    pub tool_use: Option<ToolUseId>,
    /// The kind of action, such as a read or an edit.
    pub action: Action,
    /// The files of the tool call, relative to the session's directory.
    pub files: Vec<String>,
    /// The directories that contain the files.
    pub folders: Vec<String>,
    /// The command line, if the tool call runs one.
    pub command: Option<String>,
    /// Whether the tool call failed.
    pub failed: bool,
    /// Whether the step influences later steps, such as a new file, a dependency or a commit.
    pub is_key_decision: bool,
    /// The limit that the step breaks, if it breaks one.
    pub breaks: Option<String>,
}

/// A score, with the steps that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// The score from 1 to 10. `None` if there is nothing to measure.
    pub score: Option<u8>,
    /// The kind of the finding, if there is one.
    pub kind: Option<FindingKind>,
    /// The number of the last step before those that the score covers.
    pub after: u64,
    /// The number of the last step that the score covers.
    pub upto: u64,
    /// The task's goal in the person's words, if there is a finding.
    pub goal: Option<String>,
    /// The reasons for the score, the worst first.
    pub reasons: Vec<String>,
    /// The first action that would resolve the finding, if one is known.
    pub way_back: Option<String>,
    /// The level of the correction, if the score requires one.
    pub level: Option<Level>,
    /// Whether the agent is told about the finding.
    pub telling: Telling,
}

/// A correction that was given to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The number of the last step before the correction.
    pub ordinal: u64,
    /// The level of the correction. `None` if the record of the score is missing.
    pub level: Option<Level>,
    /// The text of the correction.
    pub text: String,
}

/// The type of drift that tables show for a score.
pub fn drift_type(score: u8) -> &'static str {
    match score {
        8.. => "none",
        5..=7 => "minor",
        3 | 4 => "major",
        0..=2 => "critical",
    }
}
