//! What the changes of a session are counted from: its first start tree since the gate last had an
//! answer.

use serde::{Deserialize, Serialize};
use verger_event::{Event, Record};

use crate::work::{Start, Touched, Work};

/// What changes are counted from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Baseline(Work);

impl Baseline {
    /// The working tree as it was.
    pub fn start(&self) -> &Start {
        &self.0.start
    }

    /// The files that tools touched since, where nothing else stands for the change.
    pub fn touched(&self) -> &Touched {
        &self.0.touched
    }

    pub(super) fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        match (&draft.event, &self.0.start) {
            (Event::StartTreeTaken(tree), _) => {
                self.0.begin(tree, draft.origin.circumstance.cwd.as_deref());
            }
            (Event::ToolRequested(call), Start::NoTree { .. }) => {
                for file in call.edited_files() {
                    self.0.touched.add(file);
                }
            }
            _ => {}
        }
    }
}
