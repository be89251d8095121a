//! Recorded tasks that are read from the log, possibly long after their sessions.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use verger_drift::TaskDetails;
use verger_event::{Event, EventId, Record, Timestamp};

/// Maximum number of characters of a text that an agent or a person wrote.
const MAX_TEXT: usize = 2_000;

/// A task that was recorded in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTask {
    /// The id of the task's record.
    pub id: EventId,
    /// The time of the task's record.
    pub at: Timestamp,
    /// The name of the agent's program.
    pub agent: String,
    /// The agent's id for the session.
    pub session: String,
    /// The user who owns the session, if known.
    pub user: Option<String>,
    /// The number of the task in its session, starting with 1.
    pub number: u64,
    /// The number of the task that this task is a subtask of or parallel to.
    pub parent: Option<u64>,
    /// The status in the record: `complete`, `partial`, `abandoned` or `unverified`.
    pub status: String,
    /// The cause of the task's end.
    pub trigger: String,
    /// The request that started the task, in the person's words.
    pub query: String,
    /// The goal of the task, in one line.
    pub goal: String,
    /// The commit that contains the work of the task, if there is one.
    pub commit: Option<String>,
    /// The details of the work, such as files and decisions.
    pub details: TaskDetails,
    /// The ids of earlier records of the task, the latest first. After each of these records, the
    /// agent continued the task.
    pub earlier: Vec<EventId>,
}

impl KeptTask {
    /// The task in a record. `None` if the record has another event.
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

    /// Merges the records of each task into one. `records` must have the latest record first,
    /// because a later record contains everything that an earlier one has.
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
