//! Follows the agent's own to-do list, because the learning gate needs to know when all items are
//! done.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Record, TodoStatus, ToolCall};

use super::ticket::beginning;

/// The maximum number of open items in the state.
const REMEMBERED: usize = 256;
const MAX_ID_BYTES: usize = 32;
/// The maximum number of bytes of one title, and of all titles together. The limits keep the state
/// small, because every hook call reads and writes the state.
const MAX_SUBJECT_BYTES: usize = 80;
const REMEMBERED_SUBJECTS_BYTES: usize = 2 * 1024;

/// The prefix of the ids that verger gives to the items of a list that a tool writes as a whole.
const WRITTEN: &str = "todo-";

/// The items of the agent's to-do list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Todos {
    /// The ids of the open items with their titles. A title is `None` if the titles reached their
    /// maximum length.
    open: BTreeMap<String, Option<String>>,
    seen: u64,
}

impl Todos {
    pub(super) fn apply(&mut self, record: &Record) {
        self.take(&record.draft.event);
        // A subagent has its own list, so only calls of the main agent count.
        if let (
            Event::ToolSucceeded { call, .. } | Event::ToolEnded { call, .. },
            Actor::Main { .. },
        ) = (&record.draft.event, &record.draft.origin.actor)
        {
            self.write(call);
        }
    }

    /// Handles the call of a tool that writes the whole list at once. The items in the call have no
    /// ids, so each item gets an id from its position.
    fn write(&mut self, call: &ToolCall) {
        let Some(written) = call.written_todos() else { return };
        self.open.retain(|id, _| !id.starts_with(WRITTEN));
        for (number, (subject, status)) in (1_u32..).zip(written) {
            if *status != TodoStatus::Completed {
                self.open(&format!("{WRITTEN}{number}"), Some(subject));
            }
        }
    }

    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::TodoCreated { id, subject, .. } => {
                self.seen = self.seen.saturating_add(1);
                self.open(id, Some(subject));
            }
            Event::TodoCompleted { id, .. } => self.close(id),
            // The client reports these changes of the list only as tool calls.
            Event::ToolSucceeded { call, .. } | Event::ToolEnded { call, .. } => {
                match call.updated_todo() {
                    Some((id, TodoStatus::Deleted)) => self.close(id),
                    Some((id, TodoStatus::Pending | TodoStatus::InProgress)) => self.open(id, None),
                    Some(_) | None => {}
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, id: &str, subject: Option<&str>) {
        let id = beginning(id, MAX_ID_BYTES);
        if self.open.len() >= REMEMBERED || self.open.contains_key(&id) {
            return;
        }
        let taken: usize = self.open.values().flatten().map(String::len).sum();
        let subject = subject.map(|subject| beginning(subject, MAX_SUBJECT_BYTES));
        let fits = |subject: &String| taken + subject.len() <= REMEMBERED_SUBJECTS_BYTES;
        self.open.insert(id, subject.filter(fits));
    }

    fn close(&mut self, id: &str) {
        self.open.remove(&beginning(id, MAX_ID_BYTES));
    }

    /// The ids of the stored open items.
    pub fn open_ids(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// The title of an open item, if it is stored.
    pub fn subject(&self, id: &str) -> Option<&str> {
        self.open.get(id)?.as_deref()
    }

    /// Whether the agent ever used its to-do list.
    pub fn are_used(&self) -> bool {
        self.seen > 0
    }

    /// The number of stored open items.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// Whether the agent used its to-do list and the list has no open items.
    pub fn are_done(&self) -> bool {
        self.are_used() && self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use verger_event::{TodoItem, TodosCall, ToolCall, ToolOutput, ToolUse};

    use super::*;

    fn created(id: &str, subject: &str) -> Event {
        let (id, subject) = (id.to_owned(), subject.to_owned());
        Event::TodoCreated { id, subject, description: None }
    }

    fn updated(id: &str, status: &str) -> Event {
        let (item, status) = (Some(id.to_owned()), Some(status.to_owned().into()));
        let call = ToolCall::new("todos", ToolUse::Todos(TodosCall::Update { item, status }));
        Event::ToolSucceeded { call, output: ToolOutput::default(), duration_ms: None }
    }

    fn open(todos: &Todos) -> Vec<(&str, Option<&str>)> {
        todos.open_ids().map(|id| (id, todos.subject(id))).collect()
    }

    #[test]
    fn an_item_is_open_until_it_is_done_or_taken_off_and_may_be_opened_again() {
        let mut todos = Todos::default();
        for event in [
            created("1", "Write the tests"),
            created("2", "Run them"),
            created("3", "Tell the world"),
            updated("1", "in_progress"),
            updated("3", "deleted"),
        ] {
            todos.take(&event);
        }
        assert_eq!(open(&todos), [("1", Some("Write the tests")), ("2", Some("Run them"))]);
        let (id, subject) = ("1".to_owned(), "Write the tests".to_owned());
        todos.take(&Event::TodoCompleted { id, subject, description: None });
        todos.take(&updated("2", "completed"));
        assert_eq!(open(&todos), [("2", Some("Run them"))], "that has its own event");
        todos.take(&updated("1", "pending"));
        assert_eq!(open(&todos), [("1", None), ("2", Some("Run them"))]);
        assert!(todos.are_used() && !todos.are_done());
    }

    #[test]
    fn a_list_that_is_written_takes_the_place_of_the_one_before() {
        let mut todos = Todos::default();
        let mut write = |items: &[(&str, &str)]| {
            let item = |(title, status): &(&str, &str)| TodoItem {
                title: (*title).to_owned(),
                status: (*status).to_owned().into(),
                rest: serde_json::Map::new(),
            };
            let items = Some(items.iter().map(item).collect());
            todos.write(&ToolCall::new("todos", ToolUse::Todos(TodosCall::Write { items })));
            open(&todos).iter().map(|(id, _)| (*id).to_owned()).collect::<Vec<_>>()
        };
        let items = [("Write", "completed"), ("Run", "in_progress"), ("Tell", "pending")];
        assert_eq!(write(&items), ["todo-2", "todo-3"]);
        assert_eq!(write(&[("Write", "completed"), ("Run", "pending")]), ["todo-2"]);
        assert_eq!(write(&[]), [""; 0]);
    }

    #[test]
    fn titles_are_remembered_as_far_as_there_is_room() {
        let mut todos = Todos::default();
        for number in 0..300 {
            todos.take(&created(&format!("{number:03}"), &"é".repeat(100)));
        }
        let with_subject = open(&todos).iter().filter(|(_, subject)| subject.is_some()).count();
        assert_eq!((todos.open_count(), with_subject), (256, 25));
    }
}
