//! The verification gate: if an agent claims that its work is done, the work must be verified
//! before the agent stops.
//!
//! `verger verify` runs a verification outside of the gate and records the result as a
//! [`Verified`], which belongs to the checked content. The gate looks up this result.
//!
//! [`step`] maps an input to changes and a message. [`Verification::apply`] folds the changes into
//! the gate's state.

mod bounds;
mod change;
mod check;
mod claim;
mod events;
mod failures;
pub mod findings;
mod hold;
mod input;
mod judged;
mod looked_up;
pub mod message;
mod next_steps;
mod outcomes;
pub mod own_checks;
mod phase;
pub mod plan;
mod policy;
mod ran;
pub mod reading;
mod regression;
mod risk;
mod run;
mod step;
pub mod stubs;
#[cfg(test)]
pub(crate) mod tests;
mod verified;
mod watched;

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

pub use change::{Change, ReleasedBy};
pub use check::{Check, CheckKind, CheckStatus};
pub use claim::{Claim, MARKER, claim};
pub use events::events;
pub use failures::{Failure, Failures, WatchedKind};
pub use hold::{Hold, HoldReason};
pub use input::{Input, StopFacts};
pub use judged::{Requirement, judge, judge_lasting, matters};
pub use next_steps::{Circumstances, next_steps};
pub use outcomes::{Outcome, Outcomes};
pub use phase::{Ask, Phase, Trigger};
pub use policy::{Mode, Policy};
pub use ran::{Came, ProgramEnd, RanCheck};
pub use regression::{Regressed, TestRun};
pub use risk::{Extent, Risk, risks, wanted_depth};
pub use run::{Ended, Started};
pub use step::{Say, Step, step};
pub use verger_event::VerificationDepth as Depth;
pub use verified::{FailingTests, Issue, MAX_VERIFIED_BYTES, Status, Verified};
pub use watched::{Watched, failed_by, succeeded_by};

use crate::blocks::Blocks;
use looked_up::LookedUp;

use crate::gate_state::{GateState, Seen, StoredChange};

/// The name of the verification gate in the log and in messages.
pub const GATE: &str = verger_event::VERIFICATION_GATE;

/// The state of the verification gate for one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Verification {
    /// The phase of the gate: whether it asks for a verification.
    pub phase: Phase,
    /// The stops that the gate refused in a row.
    pub blocks: Blocks,
    /// The verification that was started and has no result yet, if there is one.
    pub started: Option<Started>,
    /// The last verification of the current task. A green verification doesn't replace a deeper one
    /// of the same content that wasn't green.
    pub last: Option<Ended>,
    /// The outcomes of the last verifications. Green outcomes of earlier tasks are kept.
    pub outcomes: Outcomes,
    /// The watched tools that failed in the current task and didn't succeed since.
    pub failures: Failures,
    /// Whether and when the session had trouble with verifications.
    pub trouble: Trouble,
}

/// Whether and when the session had trouble: a verification wasn't green, or the gate released an
/// agent whose work wasn't verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// There was no trouble in this session.
    #[default]
    Never,
    /// There was trouble in the current task, but in no earlier task.
    Now,
    /// There was trouble in an earlier task of the session.
    Before,
}

impl GateState for Verification {
    const NAMES: &'static [&'static str] = &[GATE];
    type Change = Change;

    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.begins_task {
            self.begin_task();
        }
    }

    fn apply(&mut self, change: &Change, stored: &StoredChange<'_>) {
        self.apply(change, stored.at);
    }
}

impl Verification {
    /// Handles the start of a task. Claims and verifications of the previous task no longer count.
    pub(crate) fn begin_task(&mut self) {
        let trouble = match self.trouble {
            Trouble::Never => Trouble::Never,
            Trouble::Now | Trouble::Before => Trouble::Before,
        };
        let mut outcomes = std::mem::take(&mut self.outcomes);
        outcomes.begin_task();
        *self = Self { trouble, started: self.started.take(), outcomes, ..Self::default() };
    }

    /// Applies one change of the gate to its state.
    pub fn apply(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Started { run, depth, content } => {
                let (run, content) = (run.clone(), content.clone());
                self.started = Some(Started { run, depth: *depth, content, at });
            }
            Change::Lost { run } => self.forget_run(run),
            Change::Verified { verified } => self.ended(verified, at),
            Change::Held { block, ask } => {
                self.blocks.refused(block.clone());
                let since = match self.phase {
                    Phase::Blocked { since, .. } => since,
                    Phase::Idle
                    | Phase::Claimed { .. }
                    | Phase::Verified { .. }
                    | Phase::Released { .. } => at,
                };
                self.phase = Phase::Blocked { ask: ask.clone(), since };
            }
            Change::Failed { what, kind } => self.failures.failed(what, *kind, at),
            Change::Succeeded { what } => self.failures.succeeded(what),
            Change::Claimed { ask, content, why } => {
                let (ask, content, why) = (ask.clone(), content.clone(), why.clone());
                self.phase = Phase::Claimed { ask, content, why, at };
            }
            Change::Satisfied => self.settle(Phase::Verified { at }),
            Change::Released { by, .. } => {
                if *by != ReleasedBy::Person {
                    self.troubled();
                }
                self.settle(Phase::Released { by: *by, at });
            }
        }
    }

    fn ended(&mut self, verified: &Verified, at: Timestamp) {
        self.forget_run(&verified.run);
        let verified = verified.clone().remembered();
        self.outcomes.ended(&verified, at);
        let is_green = verified.lasting() == Status::Green;
        if !is_green {
            self.troubled();
        }
        let is_wrong_still =
            self.found_wrong(&verified.content).is_some_and(|wrong| wrong.depth > verified.depth);
        if !(is_green && is_wrong_still) {
            self.last = Some(Ended { at, verified });
        }
        self.claim_shown(at);
    }

    /// Ends the phase `Claimed` if a later verification of the claimed content is green.
    fn claim_shown(&mut self, at: Timestamp) {
        if let Phase::Claimed { ask, content, .. } = &self.phase
            && self.look_up(content, ask.depth) == LookedUp::Green
        {
            self.phase = Phase::Verified { at };
        }
    }

    fn forget_run(&mut self, run: &str) {
        self.started.take_if(|started| started.run == run);
    }

    fn troubled(&mut self) {
        if self.trouble == Trouble::Never {
            self.trouble = Trouble::Now;
        }
    }

    /// Ends the gate's request for a verification. Earlier refusals and failures no longer count.
    fn settle(&mut self, phase: Phase) {
        self.blocks.forget();
        self.failures = Failures::default();
        self.phase = phase;
    }
}
