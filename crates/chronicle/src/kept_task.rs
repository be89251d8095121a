//! A task as its record tells it, long after its session.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use verger_drift::TaskDetails;
use verger_event::{Event, EventId, Record, Timestamp};

/// So much of a text that others wrote.
const MAX_TEXT: usize = 2_000;

/// A task that has a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTask {
    /// Its record.
    pub id: EventId,
    /// When it was recorded.
    pub at: Timestamp,
    /// Of which agent.
    pub agent: String,
    /// In which of its sessions.
    pub session: String,
    /// Whose.
    pub user: Option<String>,
    /// Which of its session, from 1.
    pub number: u64,
    /// Whose subtask or parallel task it was.
    pub parent: Option<u64>,
    /// `complete`, `partial` or `abandoned`.
    pub status: String,
    /// What ended it.
    pub trigger: String,
    /// What was asked for, in the person's words.
    pub query: String,
    /// What it was about, in a line.
    pub goal: String,
    /// The commit that holds it.
    pub commit: Option<String>,
    /// What was done.
    pub details: TaskDetails,
    /// The records whose place this one took, the latest first: the task went on after them.
    pub earlier: Vec<EventId>,
}

impl KeptTask {
    /// The task of which a record tells, if it does.
    pub fn of(record: &Record) -> Option<Self> {
        let draft = &record.draft;
        let Event::TaskRecorded { number, parent, status, trigger, query, goal, commit, task } =
            &draft.event
        else {
            return None;
        };
        Some(Self {
            id: draft.id,
            at: draft.at,
            agent: draft.origin.agent.to_string(),
            session: draft.origin.session.to_string(),
            user: draft.origin.user.clone(),
            number: *number,
            parent: *parent,
            status: status.to_string(),
            trigger: trigger.to_string(),
            query: cut(query),
            goal: cut(goal),
            commit: commit.clone(),
            details: TaskDetails::of(task),
            earlier: vec![],
        })
    }

    /// One for each task, of records that come the latest first: a later one has all that an earlier one has.
    pub fn each_once(records: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let (mut tasks, mut known): (Vec<Self>, HashMap<_, usize>) = Default::default();
        for record in records {
            let task = (record.agent.clone(), record.session.clone(), record.number);
            match known.entry(task) {
                Entry::Occupied(at) => {
                    if let Some(latest) = tasks.get_mut(*at.get()) {
                        latest.earlier.push(record.id);
                    }
                }
                Entry::Vacant(place) => {
                    place.insert(tasks.len());
                    tasks.push(record);
                }
            }
        }
        tasks
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
