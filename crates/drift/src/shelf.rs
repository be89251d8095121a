//! The tasks that were recorded in a project, in short, and which of them fit what is asked for now.
//!
//! It is folded from the project's records, by way of a snapshot of its own, and read with prompts: so it is
//! bounded in number and in bytes, and what makes room is the oldest.

mod fitting;
mod sought;

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, Fold, Record, SessionKey, Timestamp, tamed};

use crate::record::{Decision, Ending, TaskDetails};
pub use fitting::Offer;
pub use sought::Sought;

const MAX_TASKS: usize = 200;
/// So many bytes all of them may have as JSON.
const MAX_BYTES: usize = 96 * 1024;
/// So much of what it was about.
const MAX_GOAL: usize = 160;
const MAX_FILES: usize = 8;
/// A longer path is left out: half of one is another.
const MAX_FILE_BYTES: usize = 120;
const MAX_DECISIONS: usize = 3;
const MAX_CONSTRAINTS: usize = 3;
/// So much of a decision, a reason or a constraint.
const MAX_TEXT: usize = 100;
const MAX_NAME: usize = 64;
const MAX_WORDS: usize = 20;
/// So many records that a later one took the place of are known again.
const MAX_REPLACED: usize = 4;

/// The last tasks of a project that were recorded, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shelf {
    tasks: Vec<ShelvedTask>,
    /// How long they are as JSON, together.
    bytes: usize,
}

/// A task that was recorded, in short. All texts are on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShelvedTask {
    /// The record that tells all of it.
    #[serde(rename = "id")]
    pub record: EventId,
    /// When it was recorded.
    pub at: Timestamp,
    /// Whose it was, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// How far it came.
    #[serde(rename = "is")]
    pub status: Status,
    /// What it was about.
    pub goal: String,
    /// The files that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What was decided.
    #[serde(rename = "chose", default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// What the person forbade.
    #[serde(rename = "not", default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The commit that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The session, by the name of its segment.
    #[serde(rename = "in")]
    session: String,
    /// Which of the session's tasks.
    #[serde(rename = "no")]
    number: u64,
    /// The words that it is compared by, with spaces between them.
    words: String,
    /// The earlier records of the same task.
    #[serde(rename = "for", default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<EventId>,
}

/// How far a task came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was finished.
    Complete,
    /// Something of it was done.
    Partial,
    /// It was given up.
    Abandoned,
}

impl Status {
    /// As records have it; a word that this version does not know promises nothing.
    fn of(word: &str) -> Self {
        if word == Ending::Complete.status() {
            Self::Complete
        } else if word == Ending::Cleared.status() {
            Self::Abandoned
        } else {
            Self::Partial
        }
    }

    /// As records have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => Ending::Complete.status(),
            Self::Partial => Ending::SessionEnded.status(),
            Self::Abandoned => Ending::Cleared.status(),
        }
    }
}

impl Shelf {
    /// The name of this fold beside the project.
    pub const NAME: &'static str = "shelf";

    /// The tasks that fit what is sought, the best first: few, and none unless it really fits. Those of
    /// the session `except` are known there; one that has not begun yet has none.
    pub fn fitting(&self, sought: &Sought, except: Option<&SessionKey>) -> Vec<Offer> {
        fitting::fitting(&self.tasks, sought, except.map(SessionKey::file_stem).as_deref())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    fn put(&mut self, mut task: ShelvedTask) {
        let is_known = |known: &ShelvedTask| {
            known.record == task.record || known.replaced.contains(&task.record)
        };
        if self.tasks.iter().any(is_known) {
            return;
        }
        let is_same =
            |known: &ShelvedTask| known.session == task.session && known.number == task.number;
        if let Some(at) = self.tasks.iter().position(is_same) {
            let earlier = self.take_off(at);
            task.replaced = earlier.replaced;
            task.replaced.push(earlier.record);
            let forgotten = task.replaced.len().saturating_sub(MAX_REPLACED);
            task.replaced.drain(..forgotten);
        }
        self.bytes += size(&task);
        self.tasks.push(task);
        while self.tasks.len() > MAX_TASKS || self.bytes > MAX_BYTES {
            self.take_off(0);
        }
    }

    fn take_off(&mut self, at: usize) -> ShelvedTask {
        let task = self.tasks.remove(at);
        self.bytes = self.bytes.saturating_sub(size(&task));
        task
    }
}

impl Fold for Shelf {
    const VERSION: u32 = 1;

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
        let details = TaskDetails::of(task);
        let root = draft.origin.circumstance.cwd.as_deref();
        let about = Sought::in_prompt(&format!("{goal}\n{query}"), root);
        let words: Vec<&str> = about.iter().flat_map(Sought::words).take(MAX_WORDS).collect();
        let files = details.files.iter().filter(|file| file.len() <= MAX_FILE_BYTES);
        let decisions = details.decisions.iter().map(|Decision { choice, reason }| Decision {
            choice: short(choice, MAX_TEXT),
            reason: short(reason, MAX_TEXT),
        });
        let constraints = details.constraints.iter().map(|one| short(one, MAX_TEXT));
        Some(Self {
            record: draft.id,
            at: draft.at,
            user: draft.origin.user.as_deref().map(|user| short(user, MAX_NAME)),
            status: Status::of(status),
            goal: short(goal, MAX_GOAL),
            files: files.take(MAX_FILES).map(|file| tamed(file)).collect(),
            decisions: decisions.take(MAX_DECISIONS).collect(),
            constraints: constraints.take(MAX_CONSTRAINTS).collect(),
            commit: commit.as_deref().map(|commit| short(commit, MAX_NAME)),
            session: draft.origin.session_key().file_stem(),
            number: *number,
            words: words.join(" "),
            replaced: vec![],
        })
    }
}

/// The text on one line, with its end left out where it is too long.
fn short(text: &str, max: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", tamed(&text[..at])),
        None => tamed(text),
    }
}

/// How long a task is as JSON. Texts and numbers have such a form.
fn size(task: &ShelvedTask) -> usize {
    serde_json::to_vec(task).map_or(0, |json| json.len() + 1)
}

#[cfg(test)]
mod tests;
