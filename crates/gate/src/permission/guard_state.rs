//! The stored state of the permission guard: calls that a person released, and whether the opinion
//! program may be called.

use serde::{Deserialize, Serialize};

use super::GUARD;
use super::opinion::OPINION;
use super::release::{self, Releases};
use crate::asking::{Asked, Breaker};
use crate::gate_state::{GateState, StoredChange};

/// The stored state of the permission guard for one session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GuardState {
    /// Denied calls that a person released.
    pub releases: Releases,
    /// Whether the guard may call the opinion program now.
    pub opinion: Breaker,
}

/// A change of the guard's state as the log stores it.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum GuardChange {
    /// A person released a call, or a released call ran.
    Release(release::Change),
    /// The opinion program was called.
    Asked(Asked),
}

impl GateState for GuardState {
    const NAMES: &'static [&'static str] = &[GUARD, OPINION];
    type Change = GuardChange;

    fn apply(&mut self, change: &GuardChange, stored: &StoredChange<'_>) {
        match change {
            GuardChange::Release(change) => self.releases.apply(change, stored.at),
            GuardChange::Asked(asked) => self.opinion.apply(*asked, stored.at, stored.cause),
        }
    }
}
