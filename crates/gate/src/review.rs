//! The review gate: no "done" and no closed ticket without an independent review.
//!
//! A review is *wanted* by a prompt, by the mode `always`, or by a tool that the user gated. Then a
//! stop is refused until a reviewer has approved exactly the content that is there. The reviewer is
//! either a subagent that was given a one-time token when it started, or a program that verger runs;
//! nothing else can decide.
//!
//! [`step`] says what follows from an input; [`Review::apply`] folds what the log keeps of it.

mod answer;
mod approval;
mod brief;
mod change;
mod decide_line;
mod decision;
mod events;
mod input;
pub mod message;
mod policy;
mod reviewing;
mod run;
mod step;
#[cfg(test)]
mod tests;
mod want;

use serde::{Deserialize, Serialize};
use verger_event::Timestamp;

pub use answer::{BadAnswer, read_answer};
pub use approval::{Approval, CallUse, Void};
pub use brief::{Brief, BriefDiff, BriefFile};
pub use change::{Change, Refusal, ReleasedBy};
pub use decide_line::DecideLine;
pub use decision::{BadDecision, Decision, DecisionDigest, Outcome};
pub use events::events;
pub use input::{DecideCall, Given, Input, StopFacts};
pub use policy::{Mode, OnUnavailable, Policy, Scope};
pub use reviewing::{MAX_HOLDS, Proof, ReviewerId, Reviewing, Stage, TokenHash};
pub use run::{Ran, ReviewerProgram};
pub use step::{Hold, HoldReason, Say, Step, step};
pub use want::{CallDigest, Findings, GatedCall, Trigger, Want};

use crate::blocks::Blocks;
use reviewing::Reviewers;

/// The gate's name in the log and in messages.
pub const GATE: &str = "review";

/// The gate of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Review {
    /// Where it stands.
    pub phase: Phase,
    /// Who reviews right now.
    pub reviewers: Reviewers,
    /// How often a stop was refused.
    pub blocks: Blocks,
}

/// Where the gate stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is wanted.
    Idle {
        /// What came before.
        after: After,
    },
    /// A review is wanted; the agent was not refused a stop since it is, or since issues were found.
    Pending {
        /// What is wanted.
        want: Want,
    },
    /// A review is wanted, and the agent was told so when it wanted to stop.
    Blocked {
        /// What is wanted.
        want: Want,
    },
    /// A reviewer approved.
    Approved {
        /// What was wanted.
        want: Want,
        /// The approval.
        approval: Approval,
    },
}

/// What an idle gate remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// An earlier task was approved: it counts for gated tools in the scope `session`.
    Approved(Approval),
    /// The gate was opened in this task without an approval.
    Released {
        /// By whom or what.
        by: ReleasedBy,
        /// When.
        at: Timestamp,
    },
}

impl Default for Phase {
    fn default() -> Self {
        Self::Idle { after: After::Nothing }
    }
}

impl Phase {
    /// The state's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle { .. } => "idle",
            Self::Pending { .. } => "pending",
            Self::Blocked { .. } => "blocked",
            Self::Approved { .. } => "approved",
        }
    }

    /// What is or was wanted.
    pub fn want(&self) -> Option<&Want> {
        match self {
            Self::Idle { .. } => None,
            Self::Pending { want } | Self::Blocked { want } | Self::Approved { want, .. } => {
                Some(want)
            }
        }
    }

    /// What is wanted and not there yet.
    pub fn open_want(&self) -> Option<&Want> {
        match self {
            Self::Pending { want } | Self::Blocked { want } => Some(want),
            Self::Idle { .. } | Self::Approved { .. } => None,
        }
    }

    /// The approval that may still count.
    pub fn approval(&self) -> Option<&Approval> {
        match self {
            Self::Approved { approval, .. } | Self::Idle { after: After::Approved(approval) } => {
                Some(approval)
            }
            Self::Idle { .. } | Self::Pending { .. } | Self::Blocked { .. } => None,
        }
    }

    fn approval_mut(&mut self) -> Option<&mut Approval> {
        match self {
            Self::Approved { approval, .. } | Self::Idle { after: After::Approved(approval) } => {
                Some(approval)
            }
            Self::Idle { .. } | Self::Pending { .. } | Self::Blocked { .. } => None,
        }
    }
}

impl Review {
    /// A task began: what was wanted, released or being reviewed in the last one is over.
    pub(crate) fn begin_task(&mut self) {
        let after = match self.phase.approval() {
            Some(approval) => After::Approved(approval.clone()),
            None => After::Nothing,
        };
        *self = Self { phase: Phase::Idle { after }, ..Self::default() };
    }

    /// A person spoke.
    pub(crate) fn prompted(&mut self) {
        if let Some(approval) = self.phase.approval_mut() {
            approval.prompts_since = approval.prompts_since.saturating_add(1);
        }
    }

    /// Takes one change into account.
    pub fn apply(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Wanted { trigger } => {
                self.blocks.forget();
                self.phase = Phase::Pending { want: Want::new(trigger.clone(), at) };
            }
            Change::Denied { call } => {
                let mut want = match self.phase.open_want() {
                    Some(want) => want.clone(),
                    None => Want::new(Trigger::Tool, at),
                };
                want.call = Some(call.clone());
                self.phase = match self.phase {
                    Phase::Blocked { .. } => Phase::Blocked { want },
                    _ => Phase::Pending { want },
                };
            }
            Change::Held { block, .. } => {
                self.blocks.refused(block.clone());
                let want = match self.phase.want() {
                    Some(want) => want.clone(),
                    None => Want::new(Trigger::Always, at),
                };
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
            Change::Satisfied => self.rest(After::Nothing),
            Change::Released { by, .. } => self.rest(After::Released { by: *by, at }),
            Change::Refused { .. } => {}
        }
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
        let want = self.phase.want().cloned();
        match decision.outcome {
            Outcome::Complete => {
                self.blocks.forget();
                let want = want.unwrap_or_else(|| Want::new(Trigger::Reviewer, at));
                let approval = Approval::new(content.clone(), reviewer, want.call.as_ref(), at);
                let want = Want { findings: None, ..want };
                self.phase = Phase::Approved { want, approval };
            }
            // Nobody wanted the review: its findings are the agent's to read.
            Outcome::Issues | Outcome::Unavailable if want.is_none() => {}
            Outcome::Issues | Outcome::Unavailable => {
                let mut want = want.unwrap_or_else(|| Want::new(Trigger::Reviewer, at));
                want.findings = Some(Findings::new(decision, at));
                self.phase = Phase::Pending { want };
            }
        }
    }
}
