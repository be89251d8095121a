//! The texts that were inserted into files since the main agent last wanted to stop. They may show
//! that the agent used a learning. They are stored only while the use of a shown learning is
//! unknown.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Record};

use super::ticket::beginning;

/// The maximum number of texts that are kept. The limit keeps the state small, because every hook
/// call reads and writes the state.
const REMEMBERED: usize = 8;
const MAX_TEXT_BYTES: usize = 1024;

/// The newest inserted texts, in the order of insertion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Inserted(VecDeque<String>);

impl Inserted {
    /// Updates the texts for a record. `is_wanted` is whether the use of a shown learning is
    /// unknown.
    pub(super) fn apply(&mut self, record: &Record, is_wanted: bool) {
        let is_main = matches!(record.draft.origin.actor, Actor::Main { .. });
        match &record.draft.event {
            Event::StopRequested(_) if is_main => self.0.clear(),
            Event::ToolSucceeded { call, .. } | Event::ToolEnded { call, .. } if is_wanted => {
                let Some(text) = call.inserted_text() else { return };
                if self.0.len() == REMEMBERED {
                    self.0.pop_front();
                }
                self.0.push_back(beginning(&text, MAX_TEXT_BYTES));
            }
            _ => {}
        }
    }

    /// The inserted texts, in the order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
