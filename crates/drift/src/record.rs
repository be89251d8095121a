//! The record of a task that ended, for later sessions of the project.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, TaskEnding};

use crate::tasks::TaskNumber;

/// A task that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskRecord {
    /// The task's number in the session.
    pub number: TaskNumber,
    /// The task whose subtask or parallel task it was.
    pub parent: Option<TaskNumber>,
    /// How the task ended.
    pub ending: TaskEnding,
    /// The prompt that began the task.
    pub query: String,
    /// The goal in a line.
    pub goal: String,
    /// The last commit of the task.
    pub commit: Option<String>,
    /// The steps, decisions and files.
    pub details: TaskDetails,
}

/// The details of a task's record. A stored form: fields are only added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskDetails {
    /// The steps, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    /// The decisions that the agent or the person stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The person's limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The files that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Words for searching.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The number of steps.
    #[serde(default)]
    pub steps: u32,
    /// The number of steps that broke a limit.
    #[serde(default)]
    pub breaches: u32,
    /// The records of the steps in `trace`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<EventId>,
}

/// A decision that the agent or the person stated with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The choice.
    pub choice: String,
    /// The reason; empty only in old records.
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
    /// The event for the log.
    pub fn event(&self) -> Event {
        Event::TaskRecorded {
            number: self.number.0.into(),
            parent: self.parent.map(|parent| parent.0.into()),
            status: self.ending.status(),
            trigger: self.ending,
            query: self.query.clone(),
            goal: self.goal.clone(),
            commit: self.commit.clone(),
            // Cannot fail: the details have only texts and numbers.
            task: serde_json::to_value(&self.details).unwrap_or_default(),
        }
    }
}

impl TaskDetails {
    /// Parses the details from the log. They are empty if another version wrote them in a form that
    /// this version can't parse.
    pub fn of(task: &serde_json::Value) -> Self {
        serde_json::from_value(task.clone()).unwrap_or_default()
    }
}
