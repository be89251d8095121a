//! Checks whether a reviewer's decision is valid and proven, and records it.

use verger_event::{SubagentId, Timestamp};

use super::Review;
use super::change::{Change, Refusal, ReleasedBy};
use super::decision::{Decision, Outcome};
use super::input::{DecideCall, Given};
use super::policy::{OnUnavailable, Policy};
use super::reviewing::{MAX_HOLDS, Proof, ReviewerId, Reviewing, Stage, TokenHash};
use super::run::Ran;
use super::step::{Say, Step, one, silence};
use crate::Difference;

/// The maximum number of bytes of a client's error message in a decision.
const MAX_ERROR_BYTES: usize = 300;

pub(super) fn decide_seen(review: &Review, call: &DecideCall) -> Step {
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

pub(super) fn decide(
    review: &Review,
    token: Option<&TokenHash>,
    given: Given<'_>,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let Some(token) = token else { return Step::refused(Refusal::NoToken) };
    let Some((reviewer, reviewing)) = review.reviewers.with_token(token) else {
        return Step::refused(Refusal::UnknownToken);
    };
    match &reviewing.stage {
        Stage::Attested { digest } if *digest == given.decision.digest() => {
            take(review, reviewer, reviewing, given, policy, now)
        }
        Stage::Decided => Step::refused(Refusal::TokenUsed),
        Stage::Looking | Stage::Attested { .. } => Step::refused(Refusal::NotAttested),
    }
}

pub(super) fn run_ended(
    review: &Review,
    job: &str,
    ran: &Ran,
    given: Given<'_>,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let reviewer = ReviewerId::Command(job.to_owned());
    match review.reviewers.get(&reviewer) {
        Some(reviewing) => {
            let mut step = take(review, &reviewer, reviewing, given, policy, now);
            step.changes.insert(0, Change::RunEnded { reviewer, ran: ran.clone() });
            step
        }
        // Another process already handled the end of the run, or the task ended.
        None => silence(),
    }
}

/// Accepts a decision that is proven to be the reviewer's own. If the content changed since the
/// review began, findings still count, but an approval doesn't.
fn take(
    review: &Review,
    reviewer: &ReviewerId,
    reviewing: &Reviewing,
    given: Given<'_>,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let Given { decision, content, changed_paths } = given;
    let is_same = content.hash == reviewing.content && content.difference != Difference::Unknown;
    if decision.outcome == Outcome::Complete && !is_same {
        return Step::refused(Refusal::ContentChanged { paths: changed_paths.to_vec() });
    }
    decided(review, reviewer, reviewing, decision.clone(), policy, now)
}

/// Records a decision. Releases the gate if no review was possible and the settings allow the
/// release.
fn decided(
    review: &Review,
    reviewer: &ReviewerId,
    reviewing: &Reviewing,
    decision: Decision,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let outcome = decision.outcome;
    let content = reviewing.content.clone();
    let decided = Change::Decided { reviewer: reviewer.clone(), decision, content };
    let mut step = one(decided, Say::Taken);
    let releases = outcome == Outcome::Unavailable
        && policy.on_unavailable == OnUnavailable::Release
        && step.applied_to(review, now).phase.open_want().is_some();
    if releases {
        step.changes.push(Change::Released { by: ReleasedBy::Unavailable, reason: None });
    }
    step
}

/// Records that no review was possible, because the reviewer's model service failed.
pub(super) fn reviewer_failed(
    review: &Review,
    reviewer: &SubagentId,
    error: &str,
    policy: &Policy,
    now: Timestamp,
) -> Step {
    let reviewer = ReviewerId::Subagent(reviewer.clone());
    let reviewing = review.reviewers.get(&reviewer).filter(|found| found.stage != Stage::Decided);
    let Some(reviewing) = reviewing else { return silence() };
    let error = error.lines().next().unwrap_or_default().trim();
    let error = &error[..error.floor_char_boundary(MAX_ERROR_BYTES)];
    let decision = Decision {
        outcome: Outcome::Unavailable,
        summary: format!("the reviewer could not run: {error}"),
        message: None,
        opinions: None,
    };
    decided(review, &reviewer, reviewing, decision, policy, now)
}

pub(super) fn reviewer_stop(review: &Review, reviewer: &SubagentId) -> Step {
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
