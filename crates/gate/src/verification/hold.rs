//! Why an agent is held, and what is wanted of it.

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

/// How many issues an agent is told.
const MAX_TOLD_ISSUES: usize = 10;

/// Why an agent is held, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Why now.
    pub reason: HoldReason,
    /// What made the gate ask, and how deep the look has to be.
    pub ask: Ask,
    /// What is wrong, in a line each.
    pub issues: Vec<String>,
    /// How many more issues there are.
    pub more_issues: u64,
    /// What is to be done before the work is verified again, one step each.
    pub steps: Vec<String>,
    /// How many stops in a row were refused with this one.
    pub number: u32,
    /// The directory that a person has to trust before the agent can run the checks, if that is what is missing.
    pub untrusted: Option<String>,
}

/// Why an agent is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldReason {
    /// The work was not verified.
    Unverified,
    /// It changed after it was.
    ChangedSince,
    /// It was, and not as deep as is wanted.
    TooShallow(Depth),
    /// A verification of it was started, and its result was not taken yet.
    Started(Started),
    /// Something is wrong with it.
    Red,
    /// A required check did not run.
    Incomplete,
    /// It is well by itself. What is required beside it is not.
    Unmet,
}

impl HoldReason {
    /// After "yet:", or at the beginning of a list of what is left.
    pub fn words(&self) -> String {
        match self {
            Self::Unverified => "this work was not verified yet".to_owned(),
            Self::ChangedSince => "the work changed after it was verified".to_owned(),
            Self::TooShallow(was) => {
                format!("this work was verified by the depth {was}, which is not deep enough")
            }
            Self::Started(_) => "a verification of this work is still under way".to_owned(),
            Self::Red => "the verification of this work is red".to_owned(),
            Self::Incomplete => {
                "the verification of this work is incomplete: a required check did not run"
                    .to_owned()
            }
            Self::Unmet => "this work is verified, and not all that is required is done".to_owned(),
        }
    }
}

impl HoldReason {
    /// Whether the agent is asked for a run, because there is no result for this work.
    fn asks_for_run(&self) -> bool {
        match self {
            Self::Unverified | Self::ChangedSince | Self::TooShallow(_) => true,
            Self::Started(_) | Self::Red | Self::Incomplete | Self::Unmet => false,
        }
    }
}

/// What speaks against letting the agent go; nothing where nothing does.
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

/// What is required beside the content, belongs to the depth, and is not well. What could not be
/// looked at is our trouble, and not the agent's.
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

/// What was wrong beside what is looked at now.
fn lasting_issues(verified: &Verified) -> impl Iterator<Item = String> {
    let is_lasting =
        |issue: &&Issue| !kind_of(verified, &issue.check).is_some_and(CheckKind::is_live);
    verified.issues.iter().filter(is_lasting).map(Issue::line)
}

/// What was to be done beside what is looked at now, without the command that verifies again.
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
    /// What the agent could have changed by the next time.
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
