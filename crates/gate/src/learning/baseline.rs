//! What the changes of a session are counted from: its first start tree since the gate last had an
//! answer.

use serde::{Deserialize, Serialize};
use verger_event::{Event, Record};

use crate::work::{Start, Work};

/// What changes are counted from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Baseline {
    /// The working tree as it was.
    pub start: Start,
    /// How often a tool changed a file since. It stands for the change without version control.
    pub edits: u64,
}

impl Baseline {
    pub(super) fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        match &draft.event {
            Event::StartTreeTaken(tree) => {
                let mut work = Work { start: std::mem::take(&mut self.start), ..Work::default() };
                work.begin(tree, draft.origin.circumstance.cwd.as_deref());
                self.start = work.start;
            }
            Event::ToolRequested(call) if call.edited_file().is_some() => {
                self.edits = self.edits.saturating_add(1);
            }
            _ => {}
        }
    }
}
