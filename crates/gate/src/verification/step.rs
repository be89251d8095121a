//! The decision of the verification gate: one pure function that maps an input and the state to
//! changes and a message.

use verger_event::Timestamp;

use super::Verification;
use super::change::{Change, ReleasedBy};
use super::claim::Claim;
use super::hold::{Hold, objection};
use super::input::{Input, StopFacts};
use super::phase::{Ask, Phase, Trigger};
use super::policy::{Mode, Policy};
use super::watched::shows;
use crate::Difference;
use crate::blocks::Attempt;

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
    /// The agent may stop although its work wasn't verified, and the person gets a notice.
    PassUnverified {
        /// The person or rule that released the agent.
        by: ReleasedBy,
        /// The refusal that would have followed without the release.
        hold: Hold,
    },
    /// The agent may stop although the content of its work is unknown, and the person gets a
    /// notice.
    PassUnknown,
    /// The gate accepts the input.
    Taken,
    /// The gate is already open, so a release has no effect.
    NothingToOpen,
}

/// Decides about an input. The returned changes describe the new state; `gate` itself stays the
/// same.
pub fn step(gate: &Verification, input: &Input<'_>, policy: &Policy, now: Timestamp) -> Step {
    match input {
        Input::Started { run, depth, content } => {
            let (run, content) = ((*run).to_owned(), (*content).clone());
            one(Change::Started { run, depth: *depth, content }, Say::Taken)
        }
        Input::Ended(verified) => {
            let verified = Box::new((*verified).clone());
            one(Change::Verified { verified }, Say::Taken)
        }
        Input::Lost { run } => match &gate.started {
            Some(started) if started.run == *run => {
                one(Change::Lost { run: (*run).to_owned() }, Say::Taken)
            }
            Some(_) | None => silence(),
        },
        Input::Failed { what, kind } => {
            one(Change::Failed { what: (*what).to_owned(), kind: *kind }, Say::Nothing)
        }
        Input::Succeeded { what } => {
            let well = gate.failures.iter().filter(|failure| shows(what, &failure.what));
            let changes = well.map(|failure| Change::Succeeded { what: failure.what.clone() });
            Step { changes: changes.collect(), say: Say::Nothing }
        }
        Input::Stop(facts) => stop(gate, facts, policy, now),
        Input::Skip { reason } => match gate.phase.open_ask() {
            Some(_) => {
                let reason = reason.map(str::to_owned);
                one(Change::Released { by: ReleasedBy::Person, reason }, Say::Taken)
            }
            None => Step { changes: vec![], say: Say::NothingToOpen },
        },
    }
}

fn stop(gate: &Verification, facts: &StopFacts<'_>, policy: &Policy, now: Timestamp) -> Step {
    let trigger = gate.trigger(facts.claim, policy, now).filter(|_| !facts.waits);
    let Some(trigger) = trigger else { return silence() };
    match facts.content.difference {
        Difference::None if matches!(gate.phase, Phase::Blocked { .. } | Phase::Claimed { .. }) => {
            return one(Change::Satisfied, Say::Nothing);
        }
        Difference::None => return silence(),
        Difference::Unknown => return unknown(gate, trigger, facts, policy),
        Difference::Files(_) | Difference::MovedOut => {}
    }
    let depth = gate.wanted(&facts.content.hash, facts.depth);
    let ask = Ask { trigger, depth };
    let looked_up = gate.look_up(&facts.content.hash, ask.depth);
    let Some(hold) = objection(looked_up, &ask, facts, policy) else {
        return one(Change::Satisfied, Say::Nothing);
    };
    if policy.mode == Mode::Observe {
        if gate.phase.claims(&facts.content.hash) {
            return silence();
        }
        let (content, why) = (facts.content.hash.clone(), hold.reason.words());
        return one(Change::Claimed { ask, content, why }, Say::Nothing);
    }
    if hold.untrusted.is_some() && gate.phase.open_ask().is_some() {
        let by = ReleasedBy::Untrusted;
        return one(Change::Released { by, reason: None }, Say::PassUnverified { by, hold });
    }
    let mark = hold.mark(&facts.content.hash);
    match gate.blocks.attempt(mark, &policy.blocks, now) {
        Attempt::Refused(block) if facts.may_refuse => {
            let hold = Hold { number: block.number, ..hold };
            one(Change::Held { block, ask }, Say::RefuseStop(hold))
        }
        attempt => {
            let by = match attempt {
                Attempt::Tripped => ReleasedBy::Breaker,
                Attempt::Refused(_) => ReleasedBy::Limit,
            };
            one(Change::Released { by, reason: None }, Say::PassUnverified { by, hold })
        }
    }
}

/// Allows a stop if the work can't be compared with its start. The work is never recorded as
/// verified.
fn unknown(gate: &Verification, trigger: Trigger, facts: &StopFacts<'_>, policy: &Policy) -> Step {
    let say = if policy.mode == Mode::Observe { Say::Nothing } else { Say::PassUnknown };
    if gate.phase.open_ask().is_some() || gate.phase.claims(&facts.content.hash) {
        return Step { changes: vec![], say };
    }
    let ask = Ask { trigger, depth: facts.depth };
    let why = "the work could not be compared with its start".to_owned();
    one(Change::Claimed { ask, content: facts.content.hash.clone(), why }, say)
}

impl Verification {
    /// The reason for requesting a verification when an agent wants to stop. After the first
    /// request, the gate repeats it until the work is green, even if a later message has no claim.
    pub fn trigger(
        &self,
        claim: Option<&Claim>,
        policy: &Policy,
        now: Timestamp,
    ) -> Option<Trigger> {
        let is_open = match &self.phase {
            Phase::Released { by: ReleasedBy::Person, .. } => true,
            Phase::Released {
                by: ReleasedBy::Breaker | ReleasedBy::Limit | ReleasedBy::Untrusted,
                at,
            } => now.millis_since(*at) < policy.blocks.cooldown_millis,
            Phase::Idle
            | Phase::Blocked { .. }
            | Phase::Claimed { .. }
            | Phase::Verified { .. } => false,
        };
        if policy.mode == Mode::Off || is_open {
            return None;
        }
        if let Some(ask) = self.phase.open_ask() {
            return Some(self.still(&ask.trigger));
        }
        match (claim, self.failures.last(), policy.mode) {
            (Some(Claim::Marker), _, _) => Some(Trigger::Marker),
            (Some(Claim::Words(words)), _, _) => Some(Trigger::claim(words)),
            (None, _, Mode::Off | Mode::Observe) | (None, None, Mode::Claims) => None,
            (None, Some(failure), Mode::Claims | Mode::Always) => {
                Some(Trigger::Failure { what: failure.what.clone() })
            }
            (None, None, Mode::Always) => Some(Trigger::Always),
        }
    }
}

impl Verification {
    /// The current form of the trigger of an earlier request. The failed tool may have succeeded
    /// since.
    fn still(&self, trigger: &Trigger) -> Trigger {
        let (Trigger::Failure { what } | Trigger::FailedBefore { what }) = trigger else {
            return trigger.clone();
        };
        match self.failures.last() {
            _ if self.failures.contains(what) => Trigger::Failure { what: what.clone() },
            Some(other) => Trigger::Failure { what: other.what.clone() },
            None => Trigger::FailedBefore { what: what.clone() },
        }
    }
}

fn silence() -> Step {
    Step { changes: vec![], say: Say::Nothing }
}

fn one(change: Change, say: Say) -> Step {
    Step { changes: vec![change], say }
}

impl Step {
    /// The gate's state after the changes of this step.
    #[must_use]
    pub fn applied_to(&self, gate: &Verification, now: Timestamp) -> Verification {
        let mut after = gate.clone();
        for change in &self.changes {
            after.apply(change, now);
        }
        after
    }
}
