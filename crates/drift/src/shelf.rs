//! The shelf: short forms of a project's recorded tasks, and a search for those that fit a prompt.
//!
//! The shelf is folded from the project's records and has its own snapshot. It is read for every
//! prompt. So its number of tasks and of bytes is limited, and the oldest tasks are dropped first.

mod fitting;
mod sought;

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, Fold, Record, SessionKey, TaskStatus, Timestamp, tamed};

use crate::phrases::shortened;
use crate::record::{Decision, TaskDetails};
pub use fitting::Offer;
pub use sought::Sought;

const MAX_TASKS: usize = 200;
/// The maximum size of all tasks as JSON, in bytes.
const MAX_BYTES: usize = 96 * 1024;
/// The maximum number of characters of a task's goal.
const MAX_GOAL: usize = 160;
const MAX_FILES: usize = 16;
/// The maximum number of bytes of a path. A longer path is left out, because a part of it would be
/// another path.
const MAX_FILE_BYTES: usize = 120;
/// The maximum number of characters of a decision or its reason.
const MAX_TEXT: usize = 120;
/// The maximum number of characters of a user's name or a commit.
const MAX_LABEL: usize = 64;

/// The latest recorded tasks of a project, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shelf {
    tasks: Vec<ShelvedTask>,
    /// The total length of all tasks as JSON, in bytes.
    bytes: usize,
}

/// The short form of a recorded task. Each of its texts is on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShelvedTask {
    /// The id of the task's full record in the log.
    #[serde(rename = "id")]
    pub record: EventId,
    /// The time of the task's record.
    pub at: Timestamp,
    /// The user who worked on the task, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The status with which the task was recorded.
    #[serde(rename = "is")]
    pub status: TaskStatus,
    /// The goal of the task, on one line.
    pub goal: String,
    /// The files that the task changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The last decision of the task that has a reason.
    #[serde(rename = "chose", default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// The last commit of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The session of the task, by the file name of its log segment.
    #[serde(rename = "in")]
    session: String,
    /// The number of the task in its session.
    #[serde(rename = "no")]
    number: u64,
    /// The identifiers and ticket numbers in the task's prompt and goal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

impl Shelf {
    /// The name of this fold's snapshot.
    pub const NAME: &'static str = "shelf";

    /// The tasks that have a file or a rare name in common with a prompt, the best first. Leaves
    /// out tasks of the session `except`, because that session knows them.
    pub fn fitting(&self, sought: &Sought, except: Option<&SessionKey>) -> Vec<Offer> {
        fitting::fitting(&self.tasks, sought, except.map(SessionKey::file_stem).as_deref())
    }

    /// Whether the shelf has no tasks.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    fn put(&mut self, task: ShelvedTask) {
        let is_same =
            |known: &ShelvedTask| known.session == task.session && known.number == task.number;
        if let Some(at) = self.tasks.iter().position(is_same) {
            // The record is older than the known one, or is a repetition of it.
            if task.at < self.tasks[at].at || task.record == self.tasks[at].record {
                return;
            }
            self.take_off(at);
        }
        self.bytes += size(&task);
        self.tasks.push(task);
        while self.tasks.len() > MAX_TASKS || self.bytes > MAX_BYTES {
            self.take_off(0);
        }
    }

    fn take_off(&mut self, at: usize) {
        let task = self.tasks.remove(at);
        self.bytes = self.bytes.saturating_sub(size(&task));
    }
}

impl Fold for Shelf {
    const VERSION: u32 = 3;

    fn apply(&mut self, record: &Record) {
        if let Some(task) = ShelvedTask::of(record) {
            self.put(task);
        }
    }
}

impl ShelvedTask {
    fn of(record: &Record) -> Option<Self> {
        let draft = &record.draft;
        let Event::TaskRecorded { number, status, query, goal, commit, task, .. } = &draft.event
        else {
            return None;
        };
        let TaskDetails { files, decisions, .. } = TaskDetails::of(task);
        let files = files.iter().filter(|file| file.len() <= MAX_FILE_BYTES);
        // An older version recorded decisions without a reason, and also treated commands as
        // decisions. So a decision without a reason is skipped.
        let decision = decisions.iter().rfind(|decision| !decision.reason.is_empty());
        let decision = decision.map(|Decision { choice, reason }| Decision {
            choice: short(choice, MAX_TEXT),
            reason: short(reason, MAX_TEXT),
        });
        Some(Self {
            record: draft.id,
            at: draft.at,
            user: draft.origin.user.as_deref().map(|user| short(user, MAX_LABEL)),
            status: *status,
            goal: short(goal, MAX_GOAL),
            files: files.take(MAX_FILES).map(|file| tamed(file)).collect(),
            decision,
            commit: commit.as_deref().map(|commit| short(commit, MAX_LABEL)),
            session: draft.origin.session_key().file_stem(),
            number: *number,
            names: sought::names_in(&format!("{goal}\n{query}")),
        })
    }
}

/// The text on one line, shortened if it is too long.
fn short(text: &str, max: usize) -> String {
    tamed(&shortened(text.trim(), max))
}

/// The length of a task as JSON, including a separator, in bytes.
fn size(task: &ShelvedTask) -> usize {
    serde_json::to_vec(task).map_or(0, |json| json.len() + 1)
}

#[cfg(test)]
mod tests;
