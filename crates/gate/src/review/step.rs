//! The decision of the review gate: one pure function that maps an input and the state to changes
//! and a message.

use verger_event::Timestamp;

use super::approval::{Approval, Void};
use super::change::{Change, Refusal, ReleasedBy};
use super::deciding::{decide, decide_seen, reviewer_failed, reviewer_stop, run_ended};
use super::decision::Outcome;
use super::input::{Input, StopFacts};
use super::policy::{Mode, Policy, Scope};
use super::want::{Findings, GatedCall, Trigger, Want};
use super::{After, Phase, Review};
use crate::block_template::AGAIN;
use crate::blocks::{Attempt, Mark};
use crate::{Content, Difference};

/// The result of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The changes of the gate for the log, in order.
    pub changes: Vec<Change>,
    /// The gate's message, or its answer to the input.
    pub say: Say,
}

/// The gate's message, or its answer to an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// The gate sends no message.
    Nothing,
    /// The gate refuses the stop.
    RefuseStop(Hold),
    /// The gate denies the call of a gated tool.
    DenyTool(Hold),
    /// The agent may stop without an approval, and the person gets a notice.
    PassUnapproved {
        /// The person or rule that released the agent.
        by: ReleasedBy,
        /// The findings of the last reviewer, if there are any.
        findings: Option<Findings>,
    },
    /// The call of the gated tool is allowed because of this approval.
    PassApproved(Approval),
    /// The action is allowed although the current content couldn't be compared with the approved
    /// content. The person gets a notice.
    PassUnknown,
    /// The reviewer may begin and gets its brief.
    BriefReviewer,
    /// The gate allows the reviewer to run `verger decide`.
    AllowDecision,
    /// The gate rejects the decision.
    RefuseDecision(Refusal),
    /// The reviewer may not stop yet, because it has not decided.
    AskForDecision,
    /// The gate accepts the decision or the release.
    Taken,
    /// The gate is already open, so a release has no effect.
    NothingToOpen,
}

/// A refused stop or a denied call, and the review that the gate wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The reason for the refusal or the denial.
    pub reason: HoldReason,
    /// The review that the gate wants.
    pub want: Want,
    /// The number of stops that the gate refused in a row, including this stop. 0 for a denied
    /// call.
    pub number: u32,
}

impl Hold {
    /// Whether the gate refused the previous stop for the same reason, and there was no progress
    /// since.
    pub fn repeats(&self) -> bool {
        self.number > 1
    }
}

/// The reason for a refused stop or a denied call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldReason {
    /// There was no review yet.
    Unreviewed,
    /// The last review found issues.
    Issues,
    /// The last review wasn't possible.
    Unavailable,
    /// The work changed after it was approved.
    ChangedSince,
    /// There is an approval, but it doesn't count for this call.
    NotForThisCall,
}

/// Decides about an input. The returned changes describe the new state; `review` itself stays the
/// same.
pub fn step(review: &Review, input: &Input<'_>, policy: &Policy, now: Timestamp) -> Step {
    match input {
        Input::Prompt { text } => prompt(review, text, policy),
        Input::GatedTool { call, content } => gated_tool(review, call, content, policy, now),
        Input::Stop(facts) => stop(review, *facts, policy, now),
        Input::ReviewerStarted { reviewer, proof, content } => {
            let content = content.hash.clone();
            let (reviewer, proof) = (reviewer.clone(), proof.clone());
            one(Change::ReviewerStarted { reviewer, proof, content }, Say::BriefReviewer)
        }
        Input::DecideSeen(call) => decide_seen(review, call),
        Input::Decide { token, given } => decide(review, token.as_ref(), *given, policy, now),
        Input::RunEnded { job, ran, given } => run_ended(review, job, ran, *given, policy, now),
        Input::ReviewerStop { reviewer } => reviewer_stop(review, reviewer),
        Input::ReviewerFailed { reviewer, error } => {
            reviewer_failed(review, reviewer, error, policy, now)
        }
        Input::Skip { reason } => match review.phase.open_want() {
            Some(_) => {
                let reason = reason.map(str::to_owned);
                one(Change::Released { by: ReleasedBy::Person, reason }, Say::Taken)
            }
            None => Step { changes: vec![], say: Say::NothingToOpen },
        },
    }
}

pub(super) fn silence() -> Step {
    Step { changes: vec![], say: Say::Nothing }
}

pub(super) fn one(change: Change, say: Say) -> Step {
    Step { changes: vec![change], say }
}

fn prompt(review: &Review, text: &str, policy: &Policy) -> Step {
    let trigger = match policy.mode {
        Mode::Never => None,
        Mode::Prompt => policy.trigger_in(text).map(|word| Trigger::Prompt { word: word.into() }),
        Mode::Always => Some(match policy.trigger_in(text) {
            Some(word) => Trigger::Prompt { word: word.into() },
            None => Trigger::Always,
        }),
    };
    let is_new = match (&trigger, &review.phase) {
        (Some(_), Phase::Idle { .. }) | (Some(Trigger::Prompt { .. }), Phase::Approved { .. }) => {
            true
        }
        // While a review is open, a prompt has no effect, except an explicit request for a review.
        // Such a request replaces the trigger `always` and an earlier approval.
        (Some(Trigger::Prompt { .. }), Phase::Pending { want } | Phase::Blocked { want }) => {
            want.lapsed.is_some() || !matches!(want.trigger, Trigger::Prompt { .. })
        }
        _ => false,
    };
    match trigger {
        Some(trigger) if is_new => one(Change::Wanted { trigger }, Say::Nothing),
        _ => silence(),
    }
}

fn gated_tool(
    review: &Review,
    call: &GatedCall,
    content: &Content,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let approval = match &review.phase {
        Phase::Idle { after: After::Released { by, at, findings } }
            if is_open(*by, *at, policy, now) =>
        {
            return pass_unapproved(*by, findings.as_ref());
        }
        Phase::Idle { after: After::Approved(_) } if policy.scope != Scope::Session => None,
        phase => phase.approval(),
    };
    let opened = approval.map(|approval| approval.opens(call, &content.hash, policy, now));
    let is_unknown = content.difference == Difference::Unknown;
    let passed = match (approval, opened, &review.phase) {
        (Some(approval), Some(Ok(())), _) => Some((None, Say::PassApproved(approval.clone()))),
        // The content couldn't be compared with the approved content. The call is allowed, because
        // the agent isn't the cause of this.
        (_, Some(Err(Void::Changed)), Phase::Approved { .. }) if is_unknown => {
            Some((Some(Change::PassedUncompared), Say::PassUnknown))
        }
        _ => None,
    };
    if let Some((change, say)) = passed {
        let used = (policy.scope == Scope::Tool).then_some(Change::ApprovalUsed);
        return Step { changes: used.into_iter().chain(change).collect(), say };
    }
    let void = opened.and_then(Result::err);
    let want = review.phase.want_after_denial(call, now);
    let reason = match (reason_of(&want), void) {
        (HoldReason::Unreviewed | HoldReason::ChangedSince, Some(Void::Changed)) => {
            HoldReason::ChangedSince
        }
        (HoldReason::Unreviewed | HoldReason::ChangedSince, Some(_)) => HoldReason::NotForThisCall,
        (reason, _) => reason,
    };
    one(Change::Denied { call: call.clone() }, Say::DenyTool(Hold { reason, want, number: 0 }))
}

fn pass_unapproved(by: ReleasedBy, findings: Option<&Findings>) -> Step {
    Step { changes: vec![], say: Say::PassUnapproved { by, findings: findings.cloned() } }
}

/// Whether calls of gated tools are allowed after a release of the gate without an approval.
fn is_open(by: ReleasedBy, at: Timestamp, policy: &Policy, now: Timestamp) -> bool {
    match by {
        ReleasedBy::Person | ReleasedBy::Unavailable => true,
        ReleasedBy::Breaker | ReleasedBy::Limit => {
            now.millis_since(at) < policy.blocks.cooldown_millis
        }
    }
}

fn reason_of(want: &Want) -> HoldReason {
    match want.findings.as_ref().map(|findings| findings.outcome) {
        Some(Outcome::Issues) => HoldReason::Issues,
        Some(Outcome::Unavailable) => HoldReason::Unavailable,
        Some(Outcome::Complete) | None if want.lapsed.is_some() => HoldReason::ChangedSince,
        Some(Outcome::Complete) | None => HoldReason::Unreviewed,
    }
}

fn stop(review: &Review, facts: StopFacts<'_>, policy: &Policy, now: Timestamp) -> Step {
    if facts.waits {
        return silence();
    }
    let is_approved = |approval: &Approval| approval.content == facts.content.hash;
    let want = match &review.phase {
        // The person gets a notice only for `Unavailable`. For any other release, the person got
        // one when the gate was released.
        Phase::Idle {
            after: After::Released { by: by @ ReleasedBy::Unavailable, findings, .. },
        } => return pass_unapproved(*by, findings.as_ref()),
        Phase::Idle { .. } if !review.asks_for_content(policy) => return silence(),
        Phase::Approved { want, approval } if is_approved(approval) || !want.is_somebodys() => {
            return silence();
        }
        Phase::Approved { .. } if facts.content.difference == Difference::Unknown => {
            return one(Change::PassedUncompared, Say::PassUnknown);
        }
        Phase::Pending { want } | Phase::Blocked { want }
            if want.lapsed.as_ref().is_some_and(is_approved) =>
        {
            return one(Change::Restored, Say::Nothing);
        }
        phase => phase.want_after_refusal(Trigger::Always, now),
    };
    if want.trigger == Trigger::Always && facts.content.difference == Difference::None {
        return match review.phase {
            Phase::Idle { .. } => silence(),
            _ => one(Change::Satisfied, Say::Nothing),
        };
    }
    let release = |by| {
        let findings = want.findings.clone();
        one(Change::Released { by, reason: None }, Say::PassUnapproved { by, findings })
    };
    if !facts.may_refuse {
        return release(ReleasedBy::Limit);
    }
    let mark = Mark {
        content: facts.content.hash.clone(),
        findings: want.findings.as_ref().map(|findings| findings.summary.clone()),
    };
    match review.blocks.attempt(mark, &policy.blocks, now) {
        Attempt::Tripped => release(ReleasedBy::Breaker),
        Attempt::Refused(block) => {
            let hold = Hold { reason: reason_of(&want), want, number: block.number };
            let template = if hold.repeats() { AGAIN } else { facts.template }.to_owned();
            one(Change::Held { block, template }, Say::RefuseStop(hold))
        }
    }
}

impl Step {
    /// The step for a rejected decision.
    pub fn refused(why: Refusal) -> Self {
        one(Change::Refused { why: why.clone() }, Say::RefuseDecision(why))
    }

    /// The gate's state after the changes of this step.
    #[must_use]
    pub fn applied_to(&self, review: &Review, now: Timestamp) -> Review {
        let mut after = review.clone();
        for change in &self.changes {
            after.apply(change, now);
        }
        after
    }
}
