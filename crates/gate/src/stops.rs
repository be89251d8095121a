//! How many stops in a row were refused, by whichever gates.
//!
//! Two of the agents give up after eight refusals and two never do. Seven is ours for all of them:
//! then the agent stops, whatever the gates say.

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, Record, Verdict};

/// The most stops that are refused in a row.
pub const MAX_STOPS_IN_A_ROW: u32 = 7;

/// The stops of the main agent since a person last spoke or one passed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stops {
    refused_in_a_row: u32,
    last: Option<Stop>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stop {
    id: EventId,
    is_refused: bool,
}

impl Stops {
    /// Whether one more stop may be refused.
    pub fn may_refuse(&self) -> bool {
        self.refused_in_a_row < MAX_STOPS_IN_A_ROW
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes a record of the main agent, or of verger about it, into account.
    pub(crate) fn apply(&mut self, record: &Record) {
        match &record.draft.event {
            Event::StopRequested(_) => {
                if self.last.as_ref().is_some_and(|stop| !stop.is_refused) {
                    self.refused_in_a_row = 0;
                }
                self.last = Some(Stop { id: record.draft.id, is_refused: false });
            }
            Event::VerdictGiven { verdict: Verdict::Deny { .. }, on, .. } => {
                if let Some(stop) = self.last.as_mut().filter(|stop| stop.id == *on) {
                    stop.is_refused = true;
                    self.refused_in_a_row = self.refused_in_a_row.saturating_add(1);
                }
            }
            _ => {}
        }
    }
}
