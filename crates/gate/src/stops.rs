//! The limit on stops that all gates together refuse in a row.
//!
//! Two of the supported clients give up after eight refusals in a row, and two never do. The limit
//! is seven for all of them. After seven refusals the agent may stop, even if a gate would refuse.

use serde::{Deserialize, Serialize};
use verger_event::{Event, EventId, Record, Verdict};

/// The maximum number of stops that all gates together refuse in a row.
pub const MAX_STOPS_IN_A_ROW: u32 = 7;

/// The number of stops of the main agent that were refused in a row. A person's prompt, or a stop
/// that passed, resets the count.
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
    /// Whether a gate may refuse one more stop.
    pub fn may_refuse(&self) -> bool {
        self.refused_in_a_row < MAX_STOPS_IN_A_ROW
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Updates the count. `record` must be of the main agent, or a verdict about its stop.
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
