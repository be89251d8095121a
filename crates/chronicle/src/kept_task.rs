//! A recorded task that is read from the log, possibly long after its session.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use verger_drift::TaskDetails;
use verger_event::{Event, EventId, Record, Timestamp};

/// Maximum number of characters of a text that an agent or person wrote.
const MAX_TEXT: usize = 2_000;

/// A recorded task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTask {
    /// The id of the task's record.
    pub id: EventId,
    /// The time of the task's record.
    pub at: Timestamp,
    /// The agent.
    pub agent: String,
    /// The agent's session.
    pub session: String,
    /// The user, if known.
    pub user: Option<String>,
    /// The number of the task in its session, starting with 1.
    pub number: u64,
    /// The number of the task that this task is a subtask of or parallel to.
    pub parent: Option<u64>,
    /// `complete`, `partial` or `abandoned`.
    pub status: String,
    /// The cause of the task's end.
    pub trigger: String,
    /// The request, in the person's words.
    pub query: String,
    /// The goal, in one line.
    pub goal: String,
    /// The commit that contains the work.
    pub commit: Option<String>,
    /// The details of the work.
    pub details: TaskDetails,
    /// The ids of earlier records of the task, the latest first. The agent continued the task
    /// after each of them.
    pub earlier: Vec<EventId>,
}

impl KeptTask {
    /// The recorded task. `None` if the record's event is another one.
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

    /// Merges the records of the same task. `records` must have the latest record first, because
    /// a later record contains everything that an earlier one has.
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
