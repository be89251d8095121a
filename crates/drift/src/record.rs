//! What is kept of a task for good: for whoever comes after, in this project or this team.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId};

use crate::tasks::TaskNumber;

/// A task that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRecord {
    /// Which of its session.
    pub number: TaskNumber,
    /// Whose subtask or parallel task it was.
    pub parent: Option<TaskNumber>,
    /// How it ended.
    pub ending: Ending,
    /// What was asked for, in the person's words.
    pub query: String,
    /// What it was about, in a line.
    pub goal: String,
    /// The commit that holds it.
    pub commit: Option<String>,
    /// What was done.
    pub details: TaskDetails,
}

/// How a task ended, and what ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The agent said that it is finished, and nothing held it.
    Complete,
    /// Something was changed, and then other work began.
    LeftForOther,
    /// Something was changed, and then the session ended.
    SessionEnded,
    /// Something was changed, and then nothing was heard of the session any more.
    SessionLeft,
    /// Something was changed, and then the conversation was cleared.
    Cleared,
}

/// What was done for a task. A stored form: fields are only added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskDetails {
    /// Step by step: what was done to which file, in which function, at which line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    /// What was decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// What the person forbade.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The files that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How many steps it took.
    #[serde(default)]
    pub steps: u32,
    /// How many of them were changes that led off course.
    #[serde(default)]
    pub astray: u32,
    /// The records of the steps that it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<EventId>,
}

/// Something that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What.
    pub choice: String,
    /// Why, where that was seen.
    #[serde(default)]
    pub reason: String,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { choice, reason } = self;
        if reason.is_empty() { f.write_str(choice) } else { write!(f, "{choice}: {reason}") }
    }
}

impl Ending {
    /// How far the task came.
    pub fn status(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::SessionEnded | Self::SessionLeft => "partial",
            Self::LeftForOther | Self::Cleared => "abandoned",
        }
    }

    /// What ended it.
    pub fn trigger(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::LeftForOther => "other work",
            Self::SessionEnded => "session end",
            Self::SessionLeft => "session left",
            Self::Cleared => "clear",
        }
    }
}

impl TaskRecord {
    /// As the log keeps it.
    pub fn event(&self) -> Event {
        Event::TaskRecorded {
            number: self.number.0.into(),
            parent: self.parent.map(|parent| parent.0.into()),
            status: self.ending.status().to_owned(),
            trigger: self.ending.trigger().to_owned(),
            query: self.query.clone(),
            goal: self.goal.clone(),
            commit: self.commit.clone(),
            // Texts and numbers have a JSON form.
            task: serde_json::to_value(&self.details).unwrap_or_default(),
        }
    }
}

impl TaskDetails {
    /// From what the log keeps; what another version wrote and this one cannot read is empty.
    pub fn of(task: &serde_json::Value) -> Self {
        serde_json::from_value(task.clone()).unwrap_or_default()
    }
}
