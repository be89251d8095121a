//! The statistics of verification: stops that claimed that the work is done, refusals with their
//! reasons, and the results of verifications.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use verger_event::{Actor, Event, EventId, Record, Releaser, Timestamp};
use verger_gate::verification::{Ask, Change, GATE, Status, Trigger, claim};

use crate::render::grid::Grid;

/// Collects records from segments, one after the other.
pub(crate) struct VerificationStats {
    since: Timestamp,
    figures: Figures,
    /// The ids of counted records. A record that outlives its session is in two segments, and must
    /// not be counted twice.
    counted: BTreeSet<EventId>,
}

/// The counts of verification.
#[derive(Debug, Default)]
struct Figures {
    stops: u64,
    claims: u64,
    /// Refused stops, by the reason why the gate asked for a verification.
    asked_by_agents_words: u64,
    asked_by_failure: u64,
    asked_by_mode: u64,
    green: u64,
    red: u64,
    incomplete: u64,
    /// Claims of "done" without a green check that did not lead to a refusal.
    unshown: u64,
    /// Releases because there was nothing left to verify.
    satisfied: u64,
    released_by_person: u64,
    released_by_breaker: u64,
    released_by_limit: u64,
    released_untrusted: u64,
}

impl VerificationStats {
    pub(crate) fn since(since: Timestamp) -> Self {
        Self { since, figures: Figures::default(), counted: BTreeSet::new() }
    }

    /// Counts a record, from any segment.
    pub(crate) fn add(&mut self, record: &Record) {
        let draft = &record.draft;
        if draft.at < self.since {
            return;
        }
        let figures = &mut self.figures;
        match &draft.event {
            Event::StopRequested(stop) if matches!(draft.origin.actor, Actor::Main { .. }) => {
                figures.stops += 1;
                let claim = stop.last_message.as_deref().and_then(claim);
                figures.claims += u64::from(claim.is_some());
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == GATE => {
                // A newer version of verger may have written an unknown change.
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    figures.changed(&change);
                }
            }
            Event::VerificationRecorded { status, .. } if self.counted.insert(draft.id) => {
                figures.verified(*status);
            }
            Event::GateReleased { gate, by, .. }
                if gate == GATE && self.counted.insert(draft.id) =>
            {
                figures.released(*by);
            }
            _ => {}
        }
    }

    /// Whether the gate never acted and no verification ran.
    pub(crate) fn is_empty(&self) -> bool {
        let figures = &self.figures;
        figures.refused()
            + figures.verifications()
            + figures.satisfied
            + figures.unshown
            + figures.releases()
            == 0
    }

    pub(crate) fn to_json(&self, days: u64) -> Value {
        let figures = &self.figures;
        json!({
            "days": days,
            "since_ms": self.since,
            "stops": figures.stops,
            "claims": figures.claims,
            "claims_without_green": figures.unshown,
            "refused": {
                "all": figures.refused(),
                "claim": figures.asked_by_agents_words,
                "failure": figures.asked_by_failure,
                "always": figures.asked_by_mode,
            },
            "verifications": {
                "green": figures.green,
                "red": figures.red,
                "incomplete": figures.incomplete,
            },
            "satisfied": figures.satisfied,
            "released": {
                "person": figures.released_by_person,
                "breaker": figures.released_by_breaker,
                "limit": figures.released_by_limit,
                "untrusted": figures.released_untrusted,
            },
        })
    }

    pub(crate) fn grid(&self) -> Grid {
        let mut grid = Grid::new("", ["all"]);
        for (name, figure) in ROWS {
            grid.figures(name, [figure(&self.figures).to_string()]);
        }
        grid
    }
}

type Figure = fn(&Figures) -> u64;

/// The rows of the table, from top to bottom.
const ROWS: &[(&str, Figure)] = &[
    ("stops", |f| f.stops),
    ("  said that the work is done", |f| f.claims),
    ("  without a green check, not blocked", |f| f.unshown),
    ("stops refused", Figures::refused),
    ("  because of what the agent said", |f| f.asked_by_agents_words),
    ("  because of what failed", |f| f.asked_by_failure),
    ("  because every task is verified", |f| f.asked_by_mode),
    ("verifications", Figures::verifications),
    ("  green", |f| f.green),
    ("  red", |f| f.red),
    ("  incomplete", |f| f.incomplete),
    ("passed, nothing left to verify", |f| f.satisfied),
    ("released, no progress", |f| f.released_by_breaker),
    ("released, too many refused stops", |f| f.released_by_limit),
    ("released, project not trusted", |f| f.released_untrusted),
    ("released by a person", |f| f.released_by_person),
];

impl Figures {
    fn changed(&mut self, change: &Change) {
        match change {
            Change::Held { ask: Ask { trigger, .. }, .. } => match trigger {
                Trigger::Marker | Trigger::Claim { .. } => self.asked_by_agents_words += 1,
                Trigger::Failure { .. } | Trigger::FailedBefore { .. } => {
                    self.asked_by_failure += 1;
                }
                Trigger::Always => self.asked_by_mode += 1,
            },
            Change::Satisfied => self.satisfied += 1,
            // Verifications and releases outlive the session. They have their own events, which are
            // counted instead.
            Change::Verified { .. }
            | Change::Released { .. }
            | Change::Started { .. }
            | Change::Lost { .. }
            | Change::Failed { .. }
            | Change::Succeeded { .. } => {}
            Change::Claimed { .. } => self.unshown += 1,
        }
    }

    fn verified(&mut self, status: Status) {
        let count = match status {
            Status::Green => &mut self.green,
            Status::Red => &mut self.red,
            Status::Incomplete => &mut self.incomplete,
        };
        *count += 1;
    }

    fn released(&mut self, by: Releaser) {
        let count = match by {
            Releaser::Person => &mut self.released_by_person,
            Releaser::Breaker => &mut self.released_by_breaker,
            Releaser::Limit => &mut self.released_by_limit,
            Releaser::Untrusted => &mut self.released_untrusted,
            // These releasers only release other gates.
            Releaser::Agent | Releaser::Auto | Releaser::Unavailable => return,
        };
        *count += 1;
    }

    fn refused(&self) -> u64 {
        self.asked_by_agents_words + self.asked_by_failure + self.asked_by_mode
    }

    fn verifications(&self) -> u64 {
        self.green + self.red + self.incomplete
    }

    fn releases(&self) -> u64 {
        self.released_by_person
            + self.released_by_breaker
            + self.released_by_limit
            + self.released_untrusted
    }
}
