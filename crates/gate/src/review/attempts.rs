//! Computes the outcome of every refused stop, to compare message templates.
//!
//! A refused stop is an *attempt* to make the agent get a review. The attempt is open until the
//! agent wants to stop again, the gate opens, or the task ends. The events until then decide its
//! outcome. A *round* begins with the first refusal and ends when the gate opens.

use verger_event::{Event, Record, TaskId, Timestamp};

use super::GATE;
use super::change::{Change, Refusal, ReleasedBy};
use super::decision::Outcome;

/// A refused stop and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The template of the message to the agent.
    pub template: String,
    /// The time of the refusal.
    pub at: Timestamp,
    /// The outcome of the attempt.
    pub outcome: AttemptOutcome,
}

/// The outcome of an attempt: what followed a refused stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The attempt is still open.
    Pending,
    /// A reviewer decided.
    Success {
        /// The outcome of the review.
        decision: Outcome,
        /// The number of refused stops in the round until the decision.
        blocks: u32,
        /// The time from the first refusal of the round to the decision, in milliseconds.
        took_millis: u64,
    },
    /// No reviewer was started.
    NotSpawned,
    /// A reviewer was started and did not decide.
    NoDecision,
    /// A decision named another session, and no valid decision followed.
    BadSessionId,
}

/// A release of the gate without an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The person or rule that released the gate.
    pub by: ReleasedBy,
    /// The time of the release.
    pub at: Timestamp,
    /// The template of the last refusal in the round, if there was a refusal.
    pub template: Option<String>,
}

/// The attempts of one session, computed from its records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attempts {
    over: Vec<Attempt>,
    releases: Vec<Release>,
    uncompared: Vec<Timestamp>,
    task: Option<TaskId>,
    round: Option<Round>,
    life: Life,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Life {
    #[default]
    Runs,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Round {
    first: Timestamp,
    blocks: u32,
    last: Open,
}

/// The last refusal of a round, with its outcome so far.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Open {
    template: String,
    at: Timestamp,
    seen: Seen,
}

/// The event after a refusal that decides the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    ReviewerStarted,
    ReviewerEnded,
    OtherSession,
    Decided { decision: Outcome, blocks: u32, took_millis: u64 },
}

impl Open {
    fn attempt(&self, outcome: AttemptOutcome) -> Attempt {
        Attempt { template: self.template.clone(), at: self.at, outcome }
    }

    /// The attempt with its outcome so far. More events may follow.
    fn so_far(&self) -> Attempt {
        self.attempt(match self.seen {
            Seen::Nothing | Seen::ReviewerStarted => AttemptOutcome::Pending,
            _ => return self.at_last(),
        })
    }

    /// The attempt with its final outcome, when no more events follow.
    fn at_last(&self) -> Attempt {
        self.attempt(match self.seen {
            Seen::Nothing => AttemptOutcome::NotSpawned,
            Seen::ReviewerStarted | Seen::ReviewerEnded => AttemptOutcome::NoDecision,
            Seen::OtherSession => AttemptOutcome::BadSessionId,
            Seen::Decided { decision, blocks, took_millis } => {
                AttemptOutcome::Success { decision, blocks, took_millis }
            }
        })
    }
}

impl Attempts {
    /// Updates the attempts for one record.
    pub fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        if draft.standing.task.is_some_and(|task| self.task != Some(task)) {
            self.task = draft.standing.task;
            self.end_round();
        }
        match &draft.event {
            Event::SessionEnded { .. } => self.life = Life::Ended,
            Event::GateChanged { gate, change: Some(change), .. } if gate == GATE => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.change(&change, draft.at);
                }
            }
            event if !event.is_of_verger() => self.life = Life::Runs,
            _ => {}
        }
    }

    /// All attempts of the session, in order.
    pub fn all(&self) -> Vec<Attempt> {
        let last = self.round.as_ref().map(|round| match self.life {
            Life::Runs => round.last.so_far(),
            Life::Ended => round.last.at_last(),
        });
        self.over.iter().cloned().chain(last).collect()
    }

    /// All releases without an approval in the session, in order.
    pub fn releases(&self) -> &[Release] {
        &self.releases
    }

    /// The times at which an action of the agent passed because its work couldn't be compared with
    /// the approved content.
    pub fn uncompared(&self) -> &[Timestamp] {
        &self.uncompared
    }

    fn change(&mut self, change: &Change, at: Timestamp) {
        match change {
            Change::Held { template, .. } => self.held(template, at),
            Change::ReviewerStarted { .. } => self.see(Seen::ReviewerStarted),
            Change::ReviewerEnded { .. } | Change::RunEnded { .. } => {
                self.see(Seen::ReviewerEnded);
            }
            Change::Refused { why: Refusal::OtherSession } => self.see(Seen::OtherSession),
            Change::Decided { decision, .. } => self.decided(decision.outcome, at),
            Change::Restored | Change::Satisfied => self.end_round(),
            Change::PassedUncompared => self.uncompared.push(at),
            Change::Released { by, .. } => {
                let template = self.round.as_ref().map(|round| round.last.template.clone());
                self.releases.push(Release { by: *by, at, template });
                self.end_round();
            }
            Change::Wanted { .. }
            | Change::Denied { .. }
            | Change::Attested { .. }
            | Change::ReviewerHeld { .. }
            | Change::Refused { .. }
            | Change::ApprovalUsed => {}
        }
    }

    fn held(&mut self, template: &str, at: Timestamp) {
        let last = Open { template: template.to_owned(), at, seen: Seen::Nothing };
        match &mut self.round {
            Some(round) => {
                self.over.push(round.last.at_last());
                (round.blocks, round.last) = (round.blocks.saturating_add(1), last);
            }
            None => self.round = Some(Round { first: at, blocks: 1, last }),
        }
    }

    fn see(&mut self, seen: Seen) {
        let Some(Round { last, .. }) = &mut self.round else { return };
        last.seen = match (last.seen, seen) {
            // A reviewer that starts or ends after a decision doesn't change the outcome.
            (decided @ Seen::Decided { .. }, _) => decided,
            (bad @ Seen::OtherSession, Seen::ReviewerStarted | Seen::ReviewerEnded) => bad,
            (_, seen) => seen,
        };
    }

    fn decided(&mut self, decision: Outcome, at: Timestamp) {
        let Some(round) = &mut self.round else { return };
        let (blocks, took_millis) = (round.blocks, at.millis_since(round.first));
        round.last.seen = Seen::Decided { decision, blocks, took_millis };
        if decision == Outcome::Complete {
            self.end_round();
        }
    }

    fn end_round(&mut self) {
        self.over.extend(self.round.take().map(|round| round.last.at_last()));
    }
}
