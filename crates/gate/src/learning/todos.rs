//! The agent's own list of tasks, as far as its end has to be known.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use verger_event::Event;

use super::ticket::beginning;

/// How many open items are remembered. The agent numbers them.
const REMEMBERED: usize = 256;
const MAX_ID_BYTES: usize = 32;

/// The items of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Todos {
    open: BTreeSet<String>,
    seen: u64,
}

impl Todos {
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::TodoCreated { id, .. } => {
                self.seen = self.seen.saturating_add(1);
                if self.open.len() < REMEMBERED {
                    self.open.insert(beginning(id, MAX_ID_BYTES));
                }
            }
            Event::TodoCompleted { id, .. } => {
                self.open.remove(&beginning(id, MAX_ID_BYTES));
            }
            _ => {}
        }
    }

    /// Whether the list was ever used.
    pub fn are_used(&self) -> bool {
        self.seen > 0
    }

    /// How many items are open, as far as they are remembered.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// Whether it is used, and nothing on it is open.
    pub fn are_done(&self) -> bool {
        self.are_used() && self.open.is_empty()
    }
}
