//! The guard's statistics: its verdicts, its answers to agents, and the rules that decided.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use verger_event::{Event, EventId, Record, Sent, Timestamp, Triage};

use crate::guard::habit_stats::HabitStats;
use crate::render::grid::Grid;

/// The maximum number of rules to show.
const MAX_RULES: usize = 10;

/// Collects records from segments, one after the other.
pub(crate) struct GuardStats {
    since: Timestamp,
    modes: BTreeMap<&'static str, Figures>,
    rules: BTreeMap<(Triage, String), u64>,
    dialogs: u64,
    asked: HashSet<EventId>,
    habits: HabitStats,
}

/// The counts of one mode of the guard.
#[derive(Debug, Default)]
struct Figures {
    allow: u64,
    risky: u64,
    deny: u64,
    /// The number of questions to a person about calls that the guard would have approved.
    dialogs_saved: u64,
    approved: u64,
    held_for_person: u64,
    denied: u64,
}

impl GuardStats {
    pub(crate) fn since(since: Timestamp) -> Self {
        Self {
            since,
            modes: BTreeMap::new(),
            rules: BTreeMap::new(),
            dialogs: 0,
            asked: HashSet::new(),
            habits: HabitStats::since(since),
        }
    }

    pub(crate) fn add(&mut self, record: &Record) {
        if record.draft.at < self.since {
            return;
        }
        match &record.draft.event {
            Event::PermissionAsked { .. } => {
                self.dialogs += 1;
                self.asked.insert(record.draft.id);
            }
            Event::GuardJudged { on, triage, rule, mode, sent, .. } => {
                let figures = self.modes.entry(mode.as_str()).or_default();
                figures.sent(*sent);
                if self.asked.contains(on) {
                    // The call itself was counted before the question was recorded.
                    figures.dialogs_saved += u64::from(*triage == Triage::Allow);
                } else {
                    figures.judged(*triage);
                    *self.rules.entry((*triage, rule.clone())).or_default() += 1;
                }
            }
            _ => self.habits.add(record),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.has_judged() && self.habits.is_empty()
    }

    /// Whether the guard judged any call.
    pub(crate) fn has_judged(&self) -> bool {
        !self.modes.is_empty()
    }

    /// The statistics of habits.
    pub(crate) fn habits(&self) -> &HabitStats {
        &self.habits
    }

    /// The rules that decided most often.
    fn top_rules(&self) -> Vec<(&str, Triage, u64)> {
        let mut rules: Vec<_> =
            self.rules.iter().map(|((triage, rule), times)| (&rule[..], *triage, *times)).collect();
        rules.sort_by_key(|(_, _, times)| std::cmp::Reverse(*times));
        rules.truncate(MAX_RULES);
        rules
    }

    pub(crate) fn to_json(&self, days: u64) -> Value {
        let modes: Value = self
            .modes
            .iter()
            .map(|(mode, figures)| (mode.to_string(), figures.to_json()))
            .collect();
        let rules = self.top_rules().into_iter().map(|(rule, triage, times)| {
            json!({ "rule": rule, "verdict": triage.to_string(), "times": times })
        });
        json!({
            "days": days,
            "since_ms": self.since,
            "dialogs": self.dialogs,
            "modes": modes,
            "rules": rules.collect::<Vec<_>>(),
            "habits": self.habits.by_habit(),
        })
    }

    pub(crate) fn grid(&self) -> Grid {
        let mut grid = Grid::new("", self.modes.keys().copied());
        for (name, cell) in ROWS {
            grid.figures(name, self.modes.values().map(|figures| cell(figures).to_string()));
        }
        grid
    }

    pub(crate) fn rules(&self) -> Grid {
        let mut grid = Grid::new("rules that decided most often", ["verdict", "times"]);
        for (rule, triage, times) in self.top_rules() {
            grid.row(rule, [triage.to_string(), times.to_string()]);
        }
        grid
    }

    /// The number of questions that agents asked a person.
    pub(crate) fn dialogs(&self) -> u64 {
        self.dialogs
    }
}

type Cell = fn(&Figures) -> u64;

/// The rows of the table, from top to bottom.
const ROWS: &[(&str, Cell)] = &[
    ("calls that the guard would approve", |f| f.allow),
    ("calls that a person should see", |f| f.risky),
    ("calls that the guard would deny", |f| f.deny),
    ("questions that an approval would have saved", |f| f.dialogs_saved),
    ("approvals given", |f| f.approved),
    ("left to a person", |f| f.held_for_person),
    ("denials given", |f| f.denied),
];

impl Figures {
    fn judged(&mut self, triage: Triage) {
        match triage {
            Triage::Allow => self.allow += 1,
            Triage::Unknown => {}
            Triage::Risky => self.risky += 1,
            Triage::Deny => self.deny += 1,
        }
    }

    fn sent(&mut self, sent: Sent) {
        match sent {
            Sent::Silence => {}
            Sent::Allow => self.approved += 1,
            Sent::Ask => self.held_for_person += 1,
            Sent::Deny => self.denied += 1,
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "allow": self.allow,
            "risky": self.risky,
            "deny": self.deny,
            "dialogs_saved": self.dialogs_saved,
            "sent": {
                "allow": self.approved,
                "ask": self.held_for_person,
                "deny": self.denied,
            },
        })
    }
}
