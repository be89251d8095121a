//! The verification gate: work that is said to be done is checked before the agent stops.
//!
//! A verification runs outside of the gate, by `verger verify`; what it found is a [`Verified`], bound
//! to the content that it looked at. The gate only looks it up.

mod bounds;
mod change;
mod check;
mod claim;
pub mod findings;
mod judged;
pub mod plan;
mod profile;
mod ran;
pub mod reading;
pub mod stubs;
#[cfg(test)]
mod tests;
mod verified;

pub use change::{Change, ReleasedBy};
pub use check::{Check, CheckKind, CheckStatus};
pub use claim::{Claim, MARKER, claim};
pub use judged::{Requirement, judge};
pub use profile::{BadProfile, Profile};
pub use ran::{Came, ProgramEnd, RanCheck};
pub use verified::{FailingTests, Issue, MAX_VERIFIED_BYTES, Status, Verified};

/// The gate's name in the log and in messages.
pub const GATE: &str = "verification";
