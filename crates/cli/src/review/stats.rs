//! The statistics of reviews: the results of refused stops, by template and in total.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use verger_event::{Event, EventId, Record, Releaser, Timestamp};
use verger_gate::review::{Attempt, AttemptOutcome, Attempts, GATE, Outcome, ReleasedBy};

use crate::render::grid::Grid;
use crate::render::time::span;

/// Collects records from segments, one after the other.
pub(crate) struct ReviewStats {
    since: Timestamp,
    templates: BTreeMap<String, Figures>,
    all: Figures,
    /// The ids of counted records. A record that outlives its session is in two segments, and must
    /// not be counted twice.
    counted: BTreeSet<EventId>,
}

/// The counts of one template, or of all.
#[derive(Debug, Default)]
struct Figures {
    success: u64,
    not_spawned: u64,
    no_decision: u64,
    bad_session_id: u64,
    pending: u64,
    decisions: Counts<Outcome, 3>,
    releases: Counts<Releaser, 4>,
    uncompared: u64,
    approvals: Vec<Approved>,
}

/// An approval that followed refused stops.
#[derive(Debug, Clone, Copy)]
struct Approved {
    blocks: u32,
    took_millis: u64,
}

/// The number of occurrences of each of a few values.
#[derive(Debug)]
struct Counts<T, const N: usize>([(T, u64); N]);

impl Default for Counts<Outcome, 3> {
    fn default() -> Self {
        Self(Outcome::ALL.map(|outcome| (outcome, 0)))
    }
}

impl Default for Counts<Releaser, 4> {
    fn default() -> Self {
        Self(ReleasedBy::ALL.map(|by| (by.into(), 0)))
    }
}

impl<T: Copy + PartialEq, const N: usize> Counts<T, N> {
    fn add(&mut self, what: T) {
        for (known, count) in &mut self.0 {
            *count += u64::from(*known == what);
        }
    }

    fn of(&self, what: T) -> u64 {
        self.0.iter().filter(|(known, _)| *known == what).map(|(_, count)| count).sum()
    }

    fn sum(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

impl ReviewStats {
    pub(crate) fn since(since: Timestamp) -> Self {
        Self {
            since,
            templates: BTreeMap::new(),
            all: Figures::default(),
            counted: BTreeSet::new(),
        }
    }

    /// Counts the attempts of a session.
    pub(crate) fn add_attempts(&mut self, attempts: &Attempts) {
        for attempt in attempts.all().iter().filter(|attempt| attempt.at >= self.since) {
            let Attempt { template, outcome, .. } = attempt;
            let figures = self.templates.entry(template.clone()).or_default();
            figures.add(*outcome);
            self.all.add(*outcome);
            if let AttemptOutcome::Success { decision, .. } = outcome {
                figures.decisions.add(*decision);
            }
        }
        let uncompared = attempts.uncompared().iter().filter(|at| **at >= self.since);
        self.all.uncompared += uncompared.count() as u64;
        for release in attempts.releases().iter().filter(|release| release.at >= self.since) {
            if let Some(template) = &release.template {
                self.templates.entry(template.clone()).or_default().releases.add(release.by.into());
            }
        }
    }

    /// Counts a record that outlives its session, from any segment.
    pub(crate) fn add_lasting(&mut self, record: &Record) {
        let draft = &record.draft;
        if draft.at < self.since {
            return;
        }
        match &draft.event {
            Event::ReviewDecided { decision, .. } if self.counted.insert(draft.id) => {
                self.all.decisions.add(*decision);
            }
            Event::GateReleased { gate, by, .. }
                if gate == GATE && self.counted.insert(draft.id) =>
            {
                self.all.releases.add(*by);
            }
            _ => {}
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let all = &self.all;
        all.attempts() + all.decisions.sum() + all.releases.sum() + all.uncompared == 0
    }

    pub(crate) fn to_json(&self, days: u64) -> Value {
        let templates = self.templates.iter().map(|(template, figures)| {
            let mut value = figures.to_json();
            value["template"] = json!(template);
            value
        });
        json!({
            "days": days,
            "since_ms": self.since,
            "templates": templates.collect::<Vec<_>>(),
            "all": self.all.to_json(),
        })
    }

    pub(crate) fn grid(&self) -> Grid {
        let columns: Vec<_> = self.templates.values().chain([&self.all]).collect();
        let names = self.templates.keys().map(String::as_str).chain(["all"]);
        let mut grid = Grid::new("", names);
        for (name, cell) in ROWS {
            grid.figures(name, columns.iter().map(|figures| cell(figures)));
        }
        grid
    }
}

type Cell = fn(&Figures) -> String;

/// The rows of the table, from top to bottom.
const ROWS: &[(&str, Cell)] = &[
    ("stops refused", |f| f.attempts().to_string()),
    ("  reviewed then", |f| f.success.to_string()),
    ("  no reviewer started", |f| f.not_spawned.to_string()),
    ("  reviewer did not decide", |f| f.no_decision.to_string()),
    ("  decided for another session", |f| f.bad_session_id.to_string()),
    ("  still open", |f| f.pending.to_string()),
    ("reviewed, not counting open ones", |f| {
        f.success_rate().map_or_else(nothing, |rate| format!("{:.0} %", 100.0 * rate))
    }),
    ("approved", |f| f.decisions.of(Outcome::Complete).to_string()),
    ("issues found", |f| f.decisions.of(Outcome::Issues).to_string()),
    ("review not possible", |f| f.decisions.of(Outcome::Unavailable).to_string()),
    ("refusals per approval", |f| {
        f.blocks_per_approval().map_or_else(nothing, |blocks| format!("{blocks:.1}"))
    }),
    ("first refusal to approval, median", |f| f.took(50).map_or_else(nothing, span)),
    ("  90 % within", |f| f.took(90).map_or_else(nothing, span)),
    ("released, no progress", |f| f.releases.of(Releaser::Breaker).to_string()),
    ("released, too many refused stops", |f| f.releases.of(Releaser::Limit).to_string()),
    ("released, review not possible", |f| f.releases.of(Releaser::Unavailable).to_string()),
    ("released, work not comparable", |f| f.uncompared.to_string()),
    ("released by a person", |f| f.releases.of(Releaser::Person).to_string()),
];

fn nothing() -> String {
    "-".to_owned()
}

impl Figures {
    fn add(&mut self, outcome: AttemptOutcome) {
        match outcome {
            AttemptOutcome::Pending => self.pending += 1,
            AttemptOutcome::NotSpawned => self.not_spawned += 1,
            AttemptOutcome::NoDecision => self.no_decision += 1,
            AttemptOutcome::BadSessionId => self.bad_session_id += 1,
            AttemptOutcome::Success { decision, blocks, took_millis } => {
                self.success += 1;
                if decision == Outcome::Complete {
                    self.approvals.push(Approved { blocks, took_millis });
                }
            }
        }
    }

    fn attempts(&self) -> u64 {
        self.over() + self.pending
    }

    fn over(&self) -> u64 {
        self.success + self.not_spawned + self.no_decision + self.bad_session_id
    }

    fn success_rate(&self) -> Option<f64> {
        (self.over() > 0).then(|| ratio(self.success, self.over()))
    }

    fn blocks_per_approval(&self) -> Option<f64> {
        let blocks = self.approvals.iter().map(|approved| u64::from(approved.blocks)).sum();
        let approvals = self.approvals.len() as u64;
        (approvals > 0).then(|| ratio(blocks, approvals))
    }

    /// The time within which this percentage of the approvals came.
    fn took(&self, percent: usize) -> Option<u64> {
        let mut times: Vec<_> =
            self.approvals.iter().map(|approved| approved.took_millis).collect();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100);
        times.get(rank.checked_sub(1)?).copied()
    }

    fn to_json(&self) -> Value {
        let counts = |pairs: &[(&str, u64)]| -> Value {
            pairs.iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect()
        };
        json!({
            "attempts": self.attempts(),
            "outcomes": counts(&[
                ("success", self.success),
                ("not_spawned", self.not_spawned),
                ("no_decision", self.no_decision),
                ("bad_session_id", self.bad_session_id),
                ("pending", self.pending),
            ]),
            "success_rate": self.success_rate(),
            "decisions": counts(&self.decisions.0.map(|(outcome, n)| (outcome.as_str(), n))),
            "blocks_per_approval": self.blocks_per_approval(),
            "first_block_to_approval_ms": { "median": self.took(50), "p90": self.took(90) },
            "passed_uncompared": self.uncompared,
            "released": counts(&self.releases.0.map(|(by, n)| (by.as_str(), n))),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few days are small")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_time_that_really_was() {
        let figures = |times: &[u64]| Figures {
            approvals: times
                .iter()
                .map(|&took_millis| Approved { blocks: 1, took_millis })
                .collect(),
            ..Figures::default()
        };
        for (times, median, p90) in [
            (&[][..], None, None),
            (&[7], Some(7), Some(7)),
            (&[9, 1], Some(1), Some(9)),
            (&[3, 1, 2], Some(2), Some(3)),
            (&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], Some(5), Some(9)),
        ] {
            let figures = figures(times);
            assert_eq!((figures.took(50), figures.took(90)), (median, p90), "{times:?}");
        }
    }
}
