//! The baseline for counting a session's changes of files: the first start tree after the gate's
//! last request ended.

use serde::{Deserialize, Serialize};
use verger_event::{Event, Record};

use crate::work::{Start, Touched, Work};

/// The start tree from which the session's changes of files are counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Baseline(Work);

impl Baseline {
    /// The start tree of the baseline, or the reason why it is missing.
    pub fn start(&self) -> &Start {
        &self.0.start
    }

    /// The files that tools changed since the baseline. They are recorded only if there is no start
    /// tree.
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
