//! The record of a task that ended, for later sessions of the project.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, TaskEnding};

use crate::tasks::TaskNumber;

/// The record of a task that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRecord {
    /// The task's number in the session.
    pub number: TaskNumber,
    /// The parent task, if the task was a subtask or a parallel task.
    pub parent: Option<TaskNumber>,
    /// The reason why the task ended, such as completion.
    pub ending: TaskEnding,
    /// The prompt that began the task.
    pub query: String,
    /// The goal of the task, on one line.
    pub goal: String,
    /// The last commit that the task made.
    pub commit: Option<String>,
    /// The steps, decisions, files and other details of the task.
    pub details: TaskDetails,
}

/// The details of a task's record. This is a stored form, so fields are only added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskDetails {
    /// The steps of the task, one line for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    /// The decisions that the agent or the person stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The person's limits that were in force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The files that the task changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Words for finding the task: folders and extensions of its files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The number of tool calls in the task.
    #[serde(default)]
    pub steps: u32,
    /// The number of steps that broke a limit.
    #[serde(default)]
    pub breaches: u32,
    /// The ids of the log records of the steps in `trace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<EventId>,
}

/// A decision that the agent or the person stated with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The choice that was made.
    pub choice: String,
    /// The reason for the choice. Empty only in old records.
    #[serde(default)]
    pub reason: String,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { choice, reason } = self;
        if reason.is_empty() { f.write_str(choice) } else { write!(f, "{choice}: {reason}") }
    }
}

impl TaskRecord {
    /// The event that stores this record in the log.
    pub fn event(&self) -> Event {
        Event::TaskRecorded {
            number: self.number.0.into(),
            parent: self.parent.map(|parent| parent.0.into()),
            status: self.ending.status(),
            trigger: self.ending,
            query: self.query.clone(),
            goal: self.goal.clone(),
            commit: self.commit.clone(),
            // Serializing can't fail, because the details have only texts and numbers.
            task: serde_json::to_value(&self.details).unwrap_or_default(),
        }
    }
}

impl TaskDetails {
    /// Parses the details of a task in the log. They are empty if another version wrote them in a
    /// form that this version can't parse.
    pub fn of(task: &serde_json::Value) -> Self {
        serde_json::from_value(task.clone()).unwrap_or_default()
    }
}
