//! Decides whether a stop is refused, for which reason, and what the agent is asked to do.

use sha2::{Digest, Sha256};
use verger_event::{ContentHash, hex};

use super::Depth;
use super::check::{Check, CheckKind};
use super::input::StopFacts;
use super::judged::is_required;
use super::looked_up::{LookedUp, kind_of};
use super::next_steps::{Circumstances, is_again, steps_to_green};
use super::phase::Ask;
use super::policy::Policy;
use super::ran::Came;
use super::regression::Regressed;
use super::run::Started;
use super::verified::{Issue, Verified};
use crate::blocks::Mark;

/// The maximum number of issues that a message to an agent lists.
const MAX_TOLD_ISSUES: usize = 10;

/// A refused stop, with its reason and the request to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The reason for the refusal.
    pub reason: HoldReason,
    /// The request to the agent: the reason for it, and the depth that the verification needs.
    pub ask: Ask,
    /// The issues that the last verification found, one line each.
    pub issues: Vec<String>,
    /// The number of further issues, which aren't in `issues`.
    pub more_issues: u64,
    /// The steps that the agent should take before the next verification.
    pub steps: Vec<String>,
    /// The number of stops that the gate refused in a row, including this stop.
    pub number: u32,
    /// The directory that a person must trust before the agent can run the checks. `None` if trust
    /// isn't missing, or if the agent isn't asked for a verification.
    pub untrusted: Option<String>,
}

/// The reason for a refused stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldReason {
    /// The work wasn't verified yet.
    Unverified,
    /// The work changed after it was verified.
    ChangedSince,
    /// The work was verified, but at a depth shallower than required.
    TooShallow(Depth),
    /// A verification was started and has no result yet.
    Started(Started),
    /// A verification of the content was red.
    Red,
    /// A verification of the content was incomplete: a required check did not run.
    Incomplete,
    /// A verification of the content was green, but a live requirement isn't met, such as a commit
    /// or a review.
    Unmet,
}

impl HoldReason {
    /// The reason in words. The words follow "yet:", or begin a list of open points.
    pub fn words(&self) -> String {
        match self {
            Self::Unverified => "this work was not verified yet".to_owned(),
            Self::ChangedSince => "the work changed after it was verified".to_owned(),
            Self::TooShallow(was) => {
                format!("this work was verified with depth {was}, which is not deep enough")
            }
            Self::Started(_) => "a verification of this work is still running".to_owned(),
            Self::Red => "the verification of this work is red".to_owned(),
            Self::Incomplete => {
                "the verification of this work is incomplete: a required check did not run"
                    .to_owned()
            }
            Self::Unmet => "this work is verified, but other requirements are not met".to_owned(),
        }
    }
}

impl HoldReason {
    /// Whether the agent is asked to run a verification, because this content has no sufficient
    /// result.
    fn asks_for_run(&self) -> bool {
        match self {
            Self::Unverified | Self::ChangedSince | Self::TooShallow(_) => true,
            Self::Started(_) | Self::Red | Self::Incomplete | Self::Unmet => false,
        }
    }
}

/// The refusal of a stop, without its number. `None` if the agent may stop.
pub(super) fn objection(
    looked_up: LookedUp<'_>,
    ask: &Ask,
    facts: &StopFacts<'_>,
    policy: &Policy,
) -> Option<Hold> {
    let mut hold = Hold {
        reason: HoldReason::Unmet,
        ask: ask.clone(),
        issues: vec![],
        more_issues: 0,
        steps: vec![],
        number: 0,
        untrusted: None,
    };
    let live = unmet(facts.live, ask.depth, policy);
    let (reason, verified) = match looked_up {
        LookedUp::Green if live.is_empty() => return None,
        LookedUp::Green => (HoldReason::Unmet, None),
        LookedUp::Red(verified) => (HoldReason::Red, verified),
        LookedUp::Incomplete(verified) => (HoldReason::Incomplete, verified),
        LookedUp::Shallow(was) => (HoldReason::TooShallow(was), None),
        LookedUp::Started(started) => (HoldReason::Started(started.clone()), None),
        LookedUp::Changed => (HoldReason::ChangedSince, None),
        LookedUp::Nothing => (HoldReason::Unverified, None),
    };
    hold.untrusted = facts.untrusted.filter(|_| reason.asks_for_run()).map(str::to_owned);
    hold.reason = reason;
    let of_live: Vec<_> = live.iter().map(|(kind, came)| live_check(*kind, came)).collect();
    hold.steps = steps_of(&of_live, facts.review_step, policy);
    let mut issues: Vec<_> =
        live.iter().flat_map(|(_, came)| &came.issues).map(Issue::line).collect();
    if let Some(verified) = verified {
        hold.more_issues = verified.more_issues;
        issues.splice(0..0, lasting_issues(verified));
        hold.steps.splice(0..0, lasting_steps(verified, facts.review_step, policy));
    }
    hold.more_issues += issues.len().saturating_sub(MAX_TOLD_ISSUES) as u64;
    issues.truncate(MAX_TOLD_ISSUES);
    hold.issues = issues;
    Some(hold)
}

/// The live checks that are required, belong to the depth, and failed. A live check that couldn't
/// run is left out, because the agent isn't the cause.
fn unmet<'a>(
    live: &'a [(CheckKind, Came)],
    depth: Depth,
    policy: &Policy,
) -> Vec<&'a (CheckKind, Came)> {
    let is_unmet = |(kind, came): &&(CheckKind, Came)| {
        kind.is_live()
            && kind.depth() <= depth
            && is_required(*kind, &policy.required)
            && came.status == super::CheckStatus::Failed
    };
    live.iter().filter(is_unmet).collect()
}

fn live_check(kind: CheckKind, came: &Came) -> Check {
    Check {
        name: kind.words().to_owned(),
        kind,
        command: None,
        status: came.status.clone(),
        took_millis: 0,
        summary: String::new(),
    }
}

/// The issues of a verification, without those of live checks.
fn lasting_issues(verified: &Verified) -> impl Iterator<Item = String> {
    let is_lasting =
        |issue: &&Issue| !kind_of(verified, &issue.check).is_some_and(CheckKind::is_live);
    verified.issues.iter().filter(is_lasting).map(Issue::line)
}

/// The next steps of a verification, without those of live checks and without the command that
/// verifies again.
fn lasting_steps(verified: &Verified, review_step: &str, policy: &Policy) -> Vec<String> {
    let live: Vec<_> =
        verified.checks.iter().filter(|check| check.kind.is_live()).cloned().collect();
    let of_live = steps_of(&live, review_step, policy);
    let steps = verified.next_steps.iter();
    let lasting = steps.filter(|step| !of_live.contains(step) && !is_again(step));
    lasting.cloned().collect()
}

fn steps_of(checks: &[Check], review: &str, policy: &Policy) -> Vec<String> {
    let about = Circumstances {
        required: &policy.required,
        regressed: &Regressed::Nothing,
        changed: &[],
        review,
        again: "",
    };
    steps_to_green(checks, about)
}

impl Hold {
    /// The agent's progress at this refusal. The marks of two refusals differ if the content, the
    /// reason or the listed issues differ.
    pub(super) fn mark(&self, content: &ContentHash) -> Mark {
        let mut hash = Sha256::new();
        hash.update(self.reason.words());
        for issue in &self.issues {
            hash.update([0]);
            hash.update(issue);
        }
        Mark { content: content.clone(), findings: Some(hex(&hash.finalize()[..8])) }
    }
}
