//! What follows from an input: the one function that decides.

use verger_event::{SubagentId, Timestamp};

use super::change::{Change, Refusal, ReleasedBy};
use super::decision::Outcome;
use super::input::{DecideCall, Given, Input, StopFacts};
use super::policy::{Mode, OnUnavailable, Policy, Scope};
use super::reviewing::{MAX_HOLDS, Proof, ReviewerId, Stage, TokenHash};
use super::run::Ran;
use super::want::{Findings, GatedCall, Trigger, Want};
use super::{After, Phase, Review};
use crate::blocks::{Attempt, Mark};
use crate::{Content, Difference};

/// What follows from an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What the log keeps, in order.
    pub changes: Vec<Change>,
    /// What is said.
    pub say: Say,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// Nothing.
    Nothing,
    /// The agent may not stop yet.
    RefuseStop(Hold),
    /// The tool may not be used yet.
    DenyTool(Hold),
    /// It may, although nothing was approved; the person should know.
    PassUnapproved {
        /// Why it may.
        by: ReleasedBy,
        /// What a reviewer said, if one did.
        findings: Option<Findings>,
    },
    /// The reviewer is told how to decide.
    BriefReviewer,
    /// The command that decides may run.
    AllowDecision,
    /// The decision is not taken.
    RefuseDecision(Refusal),
    /// The reviewer may not stop before it has decided.
    AskForDecision,
    /// The decision is taken.
    Taken,
    /// There is nothing to open.
    NothingToOpen,
}

/// Why an agent is held, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Why now.
    pub reason: HoldReason,
    /// What is wanted.
    pub want: Want,
    /// How many stops in a row were refused with this one; 0 for a tool.
    pub number: u32,
}

/// Why an agent is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldReason {
    /// There was no review yet.
    Unreviewed,
    /// The last review found issues.
    Issues,
    /// The last review could not be made.
    Unavailable,
    /// The work changed after it was approved.
    ChangedSince,
    /// An approval is there and does not count for this call.
    NotForThisCall,
}

/// Decides.
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
        Input::Decide { token, given } => decide(review, token.as_ref(), *given, policy),
        Input::RunEnded { job, ran, given } => run_ended(review, (job, ran), *given, policy),
        Input::ReviewerStop { reviewer } => reviewer_stop(review, reviewer),
        Input::Skip { reason } => match review.phase.open_want() {
            Some(_) => {
                let reason = reason.map(str::to_owned);
                one(Change::Released { by: ReleasedBy::Person, reason }, Say::Taken)
            }
            None => Step { changes: vec![], say: Say::NothingToOpen },
        },
    }
}

fn silence() -> Step {
    Step { changes: vec![], say: Say::Nothing }
}

fn one(change: Change, say: Say) -> Step {
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
        // Words sent while a review is open do not begin another one, except that an explicit wish
        // for a review is stronger than the mode.
        (Some(Trigger::Prompt { .. }), Phase::Pending { want } | Phase::Blocked { want }) => {
            want.trigger == Trigger::Always
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
    let reason = match &review.phase {
        Phase::Idle { after: After::Released { by, at } } if is_open(*by, *at, policy, now) => {
            let say = Say::PassUnapproved { by: *by, findings: None };
            return Step { changes: vec![], say };
        }
        phase => match phase.approval().map(|a| a.opens(call, &content.hash, policy, now)) {
            Some(Ok(())) if policy.scope == Scope::Tool => {
                return one(Change::ApprovalUsed, Say::Nothing);
            }
            Some(Ok(())) => return silence(),
            Some(Err(super::Void::Changed)) => HoldReason::ChangedSince,
            Some(Err(_)) => HoldReason::NotForThisCall,
            None => reason_of(phase.open_want()),
        },
    };
    let want = match review.phase.open_want() {
        Some(want) => want.clone(),
        None => Want::new(Trigger::Tool, now),
    };
    let hold = Hold { reason, want: Want { call: Some(call.clone()), ..want }, number: 0 };
    one(Change::Denied { call: call.clone() }, Say::DenyTool(hold))
}

/// Whether a gate that was opened without an approval is open for gated tools now.
fn is_open(by: ReleasedBy, at: Timestamp, policy: &Policy, now: Timestamp) -> bool {
    match by {
        ReleasedBy::Person | ReleasedBy::Unavailable => true,
        ReleasedBy::Breaker | ReleasedBy::Limit => {
            now.millis_since(at) < policy.blocks.cooldown_millis
        }
    }
}

fn reason_of(want: Option<&Want>) -> HoldReason {
    match want.and_then(|want| want.findings.as_ref()).map(|findings| findings.outcome) {
        Some(Outcome::Issues) => HoldReason::Issues,
        Some(Outcome::Unavailable) => HoldReason::Unavailable,
        Some(Outcome::Complete) | None => HoldReason::Unreviewed,
    }
}

fn stop(review: &Review, facts: StopFacts<'_>, policy: &Policy, now: Timestamp) -> Step {
    if facts.waits {
        return silence();
    }
    let (want, reason) = match &review.phase {
        Phase::Idle { .. } => return silence(),
        Phase::Approved { approval, .. } if approval.content == facts.content.hash => {
            return silence();
        }
        Phase::Approved { want, .. } => (want, HoldReason::ChangedSince),
        Phase::Pending { want } | Phase::Blocked { want } => (want, reason_of(Some(want))),
    };
    if want.trigger == Trigger::Always && facts.content.difference == Difference::None {
        return one(Change::Satisfied, Say::Nothing);
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
            let hold = Hold { reason, want: want.clone(), number: block.number };
            let template = facts.template.to_owned();
            one(Change::Held { block, template }, Say::RefuseStop(hold))
        }
    }
}

fn decide_seen(review: &Review, call: &DecideCall) -> Step {
    let Some(by) = &call.by else { return Step::refused(Refusal::NotTheReviewer) };
    let reviewer = ReviewerId::Subagent(by.clone());
    let Some(reviewing) = review.reviewers.get(&reviewer) else {
        return Step::refused(Refusal::NotTheReviewer);
    };
    let (token, decision) = match &call.said {
        Ok(said) => said,
        Err(why) => return Step::refused(why.clone()),
    };
    if reviewing.proof != Proof::Token(token.clone()) {
        return Step::refused(Refusal::UnknownToken);
    }
    if reviewing.stage == Stage::Decided {
        return Step::refused(Refusal::TokenUsed);
    }
    let (outcome, digest) = (decision.outcome, decision.digest());
    one(Change::Attested { reviewer, outcome, digest }, Say::AllowDecision)
}

fn decide(review: &Review, token: Option<&TokenHash>, given: Given<'_>, policy: &Policy) -> Step {
    let Some(token) = token else { return Step::refused(Refusal::NoToken) };
    let Some((reviewer, reviewing)) = review.reviewers.with_token(token) else {
        return Step::refused(Refusal::UnknownToken);
    };
    match &reviewing.stage {
        Stage::Attested { digest } if *digest == given.decision.digest() => {
            take(reviewer, &reviewing.content, given, policy)
        }
        Stage::Decided => Step::refused(Refusal::TokenUsed),
        Stage::Looking | Stage::Attested { .. } => Step::refused(Refusal::NotAttested),
    }
}

fn run_ended(review: &Review, (job, ran): (&str, &Ran), given: Given<'_>, policy: &Policy) -> Step {
    let reviewer = ReviewerId::Command(job.to_owned());
    match review.reviewers.get(&reviewer) {
        Some(reviewing) if reviewing.stage != Stage::Decided => {
            let mut step = take(&reviewer, &reviewing.content, given, policy);
            step.changes.insert(0, Change::RunEnded { reviewer, ran: ran.clone() });
            step
        }
        // Somebody else collected it, or its task is over.
        Some(_) | None => silence(),
    }
}

/// Takes a decision that is the reviewer's. Findings count even when the work went on meanwhile;
/// an approval does not.
fn take(
    reviewer: &ReviewerId,
    looked_at: &verger_event::ContentHash,
    given: Given<'_>,
    policy: &Policy,
) -> Step {
    let Given { decision, content, changed_paths } = given;
    if decision.outcome == Outcome::Complete && content.hash != *looked_at {
        return Step::refused(Refusal::ContentChanged { paths: changed_paths.to_vec() });
    }
    let mut changes = vec![Change::Decided {
        reviewer: reviewer.clone(),
        decision: decision.clone(),
        content: looked_at.clone(),
    }];
    if decision.outcome == Outcome::Unavailable && policy.on_unavailable == OnUnavailable::Release {
        changes.push(Change::Released { by: ReleasedBy::Unavailable, reason: None });
    }
    Step { changes, say: Say::Taken }
}

fn reviewer_stop(review: &Review, reviewer: &SubagentId) -> Step {
    let reviewer = ReviewerId::Subagent(reviewer.clone());
    match review.reviewers.get(&reviewer) {
        None => silence(),
        Some(reviewing) if reviewing.stage == Stage::Decided => silence(),
        Some(reviewing) if reviewing.holds < MAX_HOLDS => {
            one(Change::ReviewerHeld { reviewer }, Say::AskForDecision)
        }
        Some(_) => one(Change::ReviewerEnded { reviewer }, Say::Nothing),
    }
}

impl Step {
    /// A decision is not taken.
    pub fn refused(why: Refusal) -> Self {
        one(Change::Refused { why: why.clone() }, Say::RefuseDecision(why))
    }

    /// The gate after it.
    #[must_use]
    pub fn applied_to(&self, review: &Review, now: Timestamp) -> Review {
        let mut after = review.clone();
        for change in &self.changes {
            after.apply(change, now);
        }
        after
    }
}
