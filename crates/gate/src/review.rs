//! The review gate: an agent can't stop or use gated tools without an independent review.
//!
//! A prompt, the mode `always`, or a tool that the user gated makes a review *wanted*. The gate
//! then refuses a stop until a reviewer has approved exactly the current content. The reviewer is
//! either a subagent that got a one-time token when it started, or a program that verger runs. The
//! gate rejects every other decision.
//!
//! [`step`] maps an input to changes and a message. [`Review::apply`] folds the changes into the
//! gate's state.

mod answer;
mod approval;
mod attempts;
mod brief;
mod change;
mod decide_line;
mod deciding;
mod decision;
mod events;
mod input;
pub mod message;
mod phase;
mod policy;
mod reviewing;
mod run;
mod step;
#[cfg(test)]
pub(crate) mod tests;
mod want;

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

pub use answer::{BadAnswer, read_answer};
pub use approval::{Approval, CallUse, Void};
pub use attempts::{Attempt, AttemptOutcome, Attempts, Release};
pub use brief::{Brief, BriefDiff, BriefFile};
pub use change::{Change, Refusal, ReleasedBy};
pub use decide_line::DecideLine;
pub use decision::{BadDecision, Decision, DecisionDigest, Outcome};
pub use events::events;
pub use input::{DecideCall, Given, Input, StopFacts};
pub use phase::{After, Phase};
pub use policy::{Mode, OnUnavailable, Policy, Scope};
pub use reviewing::{MAX_HOLDS, Proof, ReviewerId, Reviewing, Stage, TokenHash};
pub use run::{Ran, ReviewerProgram};
pub use step::{Hold, HoldReason, Say, Step, step};
pub use want::{CallDigest, Findings, GatedCall, Trigger, Want};

use crate::blocks::Blocks;
use crate::gate_state::{GateState, Seen, StoredChange};
use reviewing::Reviewers;

/// The name of the review gate in the log and in messages.
pub const GATE: &str = verger_event::REVIEW_GATE;

/// The state of the review gate for one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Review {
    /// The phase of the gate: whether a review is wanted.
    pub phase: Phase,
    /// The reviews that are running now.
    pub reviewers: Reviewers,
    /// The stops that the gate refused in a row.
    pub blocks: Blocks,
}

impl GateState for Review {
    const NAMES: &'static [&'static str] = &[GATE];
    type Change = Change;

    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.begins_task {
            self.begin_task();
        }
        if seen.is_persons_prompt {
            self.prompted();
        }
    }

    fn apply(&mut self, change: &Change, stored: &StoredChange<'_>) {
        self.apply(change, stored.at);
    }
}

impl Review {
    /// Handles the start of a task. The wanted review, the release and the reviewers of the
    /// previous task no longer count.
    pub(crate) fn begin_task(&mut self) {
        let after = match self.phase.approval() {
            Some(approval) => After::Approved(approval.clone()),
            None => After::Nothing,
        };
        *self = Self { phase: Phase::Idle { after }, ..Self::default() };
    }

    /// Handles a person's prompt: counts the prompts since the last approval.
    pub(crate) fn prompted(&mut self) {
        if let Some(approval) = self.phase.approval_mut() {
            approval.prompts_since = approval.prompts_since.saturating_add(1);
        }
    }

    /// Whether the decision about a stop needs the content. In the mode `always` it does even if no
    /// review is wanted, because the agent may have changed files since its last stop.
    pub fn asks_for_content(&self, policy: &Policy) -> bool {
        match &self.phase {
            Phase::Idle { after: After::Released { .. } } => false,
            Phase::Idle { after: After::Nothing | After::Approved(_) } => {
                policy.mode == Mode::Always
            }
            Phase::Pending { .. } | Phase::Blocked { .. } | Phase::Approved { .. } => true,
        }
    }

    /// Applies one change of the gate to its state.
    pub fn apply(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Wanted { trigger } => self.wanted(trigger, at),
            Change::Denied { call } => {
                let want = self.phase.want_after_denial(call, at);
                self.phase = match self.phase {
                    Phase::Blocked { .. } => Phase::Blocked { want },
                    _ => Phase::Pending { want },
                };
            }
            Change::Held { block, .. } => {
                self.blocks.refused(block.clone());
                let want = self.phase.want_after_refusal(Trigger::Always, at);
                self.phase = Phase::Blocked { want };
            }
            Change::ReviewerStarted { reviewer, proof, content } => {
                self.reviewers.start(reviewer.clone(), Reviewing::new(content, proof, at));
            }
            Change::Attested { reviewer, digest, .. } => {
                self.reviewers.set_stage(reviewer, Stage::Attested { digest: digest.clone() });
            }
            Change::ReviewerHeld { reviewer } => self.reviewers.hold(reviewer),
            Change::ReviewerEnded { reviewer } | Change::RunEnded { reviewer, .. } => {
                self.reviewers.end(reviewer);
            }
            Change::Decided { reviewer, decision, content } => {
                self.decided(reviewer, decision, content, at);
            }
            Change::ApprovalUsed => {
                if let Some(approval) = self.phase.approval_mut() {
                    approval.call = CallUse::Used;
                }
            }
            Change::Restored => self.restored(),
            Change::Satisfied => self.rest(After::Nothing),
            Change::Released { by, .. } => {
                let findings = self.phase.want().and_then(|want| want.findings.clone());
                self.rest(After::Released { by: *by, at, findings });
            }
            Change::Refused { .. } | Change::PassedUncompared => {}
        }
    }

    fn wanted(&mut self, trigger: &Trigger, at: Timestamp) {
        match &mut self.phase {
            // The findings and the denied call of the review that is already wanted stay.
            Phase::Pending { want } | Phase::Blocked { want } => {
                (want.trigger, want.lapsed) = (trigger.clone(), None);
            }
            Phase::Idle { .. } | Phase::Approved { .. } => {
                self.blocks.forget();
                self.phase = Phase::Pending { want: Want::new(trigger.clone(), at) };
            }
        }
    }

    fn restored(&mut self) {
        let Some(mut want) = self.phase.open_want().cloned() else { return };
        let Some(approval) = want.lapsed.take() else { return };
        self.blocks.forget();
        self.phase = Phase::Approved { want, approval };
    }

    fn rest(&mut self, after: After) {
        self.blocks.forget();
        self.phase = Phase::Idle { after };
    }

    fn decided(
        &mut self,
        reviewer: &ReviewerId,
        decision: &Decision,
        content: &verger_event::ContentHash,
        at: Timestamp,
    ) {
        self.reviewers.set_stage(reviewer, Stage::Decided);
        match (decision.outcome, &self.phase) {
            (Outcome::Complete, phase) => {
                let want = phase.want().cloned();
                let want = want.unwrap_or_else(|| Want::new(Trigger::Reviewer, at));
                let approval = Approval::new(content.clone(), reviewer, want.call.as_ref(), at);
                let want = Want { findings: None, lapsed: None, ..want };
                self.blocks.forget();
                self.phase = Phase::Approved { want, approval };
            }
            // No review was wanted, so the findings are only for the agent's information.
            (_, Phase::Idle { .. }) => {}
            (Outcome::Issues, Phase::Approved { want, .. }) if !want.is_somebodys() => {
                self.rest(After::Nothing);
            }
            // A second review that wasn't possible doesn't revoke the first approval.
            (Outcome::Unavailable, Phase::Approved { want, approval })
                if approval.content == *content || !want.is_somebodys() => {}
            (outcome, phase) => {
                let mut want = phase.want_after_refusal(Trigger::Reviewer, at);
                if outcome == Outcome::Issues {
                    want.lapsed = None;
                }
                want.findings = Some(Findings::new(decision, at));
                self.phase = Phase::Pending { want };
            }
        }
    }
}
