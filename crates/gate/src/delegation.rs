//! Delegation: an agent that leads others is kept from doing their work itself.
//!
//! A conductor plans and delegates, a musician works; between them there may be section leaders. What
//! a leading agent does itself is counted over a stretch of time. First it is reminded, then it is
//! stopped, and a subagent that starts lets the count begin anew. Subagents are never held here.

mod message;
mod places;
mod policy;
mod role;
mod step;

use serde::{Deserialize, Serialize};
use verger_event::{Event, Timestamp};

use crate::gate_state::{GateState, Seen, StoredChange};
pub use message::{Advice, notice_denied, reason};
pub use places::{PathPattern, Places, Target};
pub use policy::{Mode, Policy, Tiers};
pub use role::{Role, RoleSource};
pub use step::{Say, Step, Use, step};

/// The name of the gate.
pub const GATE: &str = "delegation";

/// More uses than these are never asked about.
pub const MAX_COUNTED: usize = 100;

/// What a session's main agent did itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Delegation {
    /// When it did so since it last delegated; the oldest are forgotten first.
    uses: Vec<Timestamp>,
    /// Whether it was a conductor because of a file of the project. It stays one without the file,
    /// which an agent could remove.
    is_marked: bool,
}

/// Something that the log keeps of the gate. A stored form: variants and fields are only added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The agent did something itself that counts.
    Counted {
        /// As whom.
        role: Role,
        /// What says so.
        source: RoleSource,
    },
}

impl GateState for Delegation {
    const NAMES: &'static [&'static str] = &[GATE];
    type Change = Change;

    fn observe(&mut self, seen: &Seen<'_>) {
        if let Event::SubagentStarted = seen.event() {
            self.delegated();
        }
    }

    fn apply(&mut self, change: &Change, stored: &StoredChange<'_>) {
        self.apply(change, stored.at);
    }
}

impl Delegation {
    /// Whether a file of the project once made the session a conductor's.
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// How many uses fall into the stretch of time that ends now.
    pub fn uses_within(&self, window_millis: u64, now: Timestamp) -> u64 {
        let recent = self.uses.iter().filter(|at| now.millis_since(**at) < window_millis);
        recent.count() as u64
    }

    pub(crate) fn apply(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Counted { source, .. } => {
                if self.uses.len() == MAX_COUNTED {
                    self.uses.remove(0);
                }
                self.uses.push(at);
                self.is_marked |= *source == RoleSource::Marker;
            }
        }
    }

    /// Somebody else has the work.
    pub(crate) fn delegated(&mut self) {
        self.uses.clear();
    }
}

/// What the log keeps of a change; `cause` is what the agent did.
pub fn event(
    delegation: &Delegation,
    change: &Change,
    cause: String,
    policy: &Policy,
    now: Timestamp,
) -> Event {
    let count = delegation.uses_within(policy.window_millis, now);
    let words = |count: u64| format!("{count} of {}", policy.deny_at);
    Event::GateChanged {
        gate: GATE.into(),
        from: words(count),
        to: words(count + 1),
        cause,
        // Two words can always be written.
        change: serde_json::to_value(change).ok(),
    }
}

#[cfg(test)]
mod tests;
