//! The texts that were inserted into files since the main agent last wanted to stop. They may show
//! that a learning was used, and are remembered only while a learning waits for such a sign.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Record};

use super::ticket::beginning;

/// The number of texts that are kept. It is small because the state is read and written on every
/// hook call.
const REMEMBERED: usize = 8;
const MAX_TEXT_BYTES: usize = 1024;

/// The newest texts, the last one last.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Inserted(VecDeque<String>);

impl Inserted {
    /// Takes a record into account; `is_wanted` says whether a learning waits for a sign of its use.
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

    /// The texts.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
