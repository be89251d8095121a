//! What a record is in the story of a session.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::Alignment;
use verger_drift::step::Action;
use verger_drift::{Level, PromptAction, Reading};
use verger_event::{EventId, Timestamp, ToolUseId};

use crate::position::Telling;

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A person said something.
    Prompted {
        /// What it does to the tasks.
        action: PromptAction,
        /// The task that is worked on from now on.
        task: u64,
    },
    /// A program read more out of it.
    Read(Box<Reading>),
    /// What is known of a task now.
    Task(Box<TaskRow>),
    /// All open tasks are left, but this one.
    Left {
        /// The one that goes on.
        but: Option<u64>,
    },
    /// The agent did something.
    Step(Box<StepRow>),
    /// The course was scored.
    Scored(Box<Scored>),
    /// The agent was told.
    Corrected(Given),
    /// An agent that is to go back did something that says whether it does.
    Turned(Alignment),
    /// A change of an agent that did not go back was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// It was denied often enough, and let go.
    LetGo {
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
    /// Where the work is expected.
    pub scope: Vec<String>,
    /// What is forbidden.
    pub constraints: Vec<String>,
    /// Words that say what it is about.
    pub keywords: Vec<String>,
    /// Whether the agent is on course.
    pub mode: Mode,
    /// Whether it was told to go back and has not yet.
    pub waits_for_recovery: bool,
    /// How often it did not go back.
    pub escalations: u64,
    /// When it began.
    pub began: Timestamp,
    /// When something happened to it last.
    pub last: Timestamp,
    /// `active`, `completed` or `abandoned`.
    pub status: String,
}

/// Whether an agent is on course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It is.
    #[default]
    Normal,
    /// It is not.
    Drifted,
    /// It did not go back when it was told.
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
    /// Whether it decides something for what follows.
    pub is_key_decision: bool,
    /// Where it leads.
    pub bearing: Alignment,
    /// Words that it shares with the goal.
    pub keywords: Vec<String>,
}

/// What a part of the course is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// From 1 to 10.
    pub score: u8,
    /// The steps after this one,
    pub after: u64,
    /// up to this one.
    pub upto: u64,
    /// What was asked for, where something was found.
    pub goal: Option<String>,
    /// What speaks against the course, the weightiest first.
    pub reasons: Vec<String>,
    /// What the way back begins with.
    pub way_back: Option<String>,
    /// How strongly the agent is corrected for it, where it is.
    pub level: Option<Level>,
    /// Whether the agent is told.
    pub telling: Telling,
}

impl Scored {
    /// Whether what was done is no step towards the goal.
    pub fn is_off_course(&self) -> bool {
        verger_drift::score::Score::new(self.score.into()).is_off_course()
    }
}

/// What the agent was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The step that it answered.
    pub ordinal: u64,
    /// How strongly; not known where the record of the score is missing.
    pub level: Option<Level>,
    /// The words.
    pub text: String,
}

/// How far a score is off course, in the words of the tables.
pub fn drift_type(score: u8) -> &'static str {
    match score {
        8.. => "none",
        5..=7 => "minor",
        3 | 4 => "major",
        0..=2 => "critical",
    }
}
