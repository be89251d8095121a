//! Delegation: stops a lead agent from doing the work of its subagents itself.
//!
//! A conductor is an agent that plans and delegates, and a musician is an agent that does the work.
//! Between them there may be section leaders. The gate counts a lead agent's own uses of work tools
//! within a time window. First it reminds the agent, then it denies the call. Starting a subagent
//! resets the count. The gate never denies calls of subagents.

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

/// The name of the delegation gate in the log and in messages.
pub const GATE: &str = "delegation";

/// The maximum number of uses in the state.
pub const MAX_COUNTED: usize = 100;

/// The uses of work tools by a session's main agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Delegation {
    /// The times of the uses since the main agent last started a subagent. The oldest times are
    /// dropped first.
    uses: Vec<Timestamp>,
    /// Whether a file of the project made the agent a conductor. The agent stays a conductor if the
    /// file disappears, because the agent could remove it itself.
    is_marked: bool,
}

/// A change of the gate as the log stores it. This is a stored form: changes to it only add
/// variants and fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The main agent used a work tool itself, and the use counts.
    Counted {
        /// The agent's role at the time of the use.
        role: Role,
        /// The source of the agent's role.
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
    /// Whether a file of the project made the session's agent a conductor.
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// The number of uses of work tools within the time window that ends now.
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

    /// Resets the count. Called after the agent started a subagent.
    pub(crate) fn delegated(&mut self) {
        self.uses.clear();
    }
}

/// The log event for a change of the gate. `cause` describes the agent's action.
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
        // Serializing a role and its source can't fail.
        change: serde_json::to_value(change).ok(),
    }
}

#[cfg(test)]
mod tests;
