//! The statistics of habits: how often the agent was told of each, and how often a call was changed
//! or denied because of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger_event::{Event, Record, Timestamp, Verdict};
use verger_gate::habits::GUARD;

use crate::render::grid::Grid;

/// Collects records from segments, one after the other.
pub(crate) struct HabitStats {
    since: Timestamp,
    habits: BTreeMap<String, Figures>,
}

/// The counts of one habit.
#[derive(Debug, Default)]
struct Figures {
    told: u64,
    changed: u64,
    denied: u64,
}

impl HabitStats {
    pub(crate) fn since(since: Timestamp) -> Self {
        Self { since, habits: BTreeMap::new() }
    }

    /// Counts a record.
    pub(crate) fn add(&mut self, record: &Record) {
        if record.draft.at < self.since {
            return;
        }
        let mut habit = |rule: Option<&str>, count: fn(&mut Figures) -> &mut u64| {
            let rule = rule.unwrap_or("not recorded");
            *count(self.habits.entry(rule.to_owned()).or_default()) += 1;
        };
        match &record.draft.event {
            Event::ContextInjected { sources, grounds, .. } if sources[..] == [GUARD] => {
                habit(grounds.rule(), |figures| &mut figures.told);
            }
            Event::CallRewritten { by, rules, .. } if by == GUARD => {
                for rule in rules {
                    habit(Some(rule), |figures| &mut figures.changed);
                }
            }
            Event::VerdictGiven { by, .. } => {
                let is_denial = |verdict: &Verdict| matches!(verdict, Verdict::Deny { .. });
                for opinion in by {
                    if opinion.by == GUARD && is_denial(&opinion.verdict) {
                        habit(opinion.grounds.rule(), |figures| &mut figures.denied);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether no habit was recorded.
    pub(crate) fn is_empty(&self) -> bool {
        self.habits.is_empty()
    }

    pub(crate) fn to_json(&self, days: u64) -> Value {
        json!({ "days": days, "since_ms": self.since, "habits": self.by_habit() })
    }

    /// The counts of each recorded habit.
    pub(crate) fn by_habit(&self) -> Value {
        let habits = self.habits.iter().map(|(rule, Figures { told, changed, denied })| {
            (rule.clone(), json!({ "told": told, "changed": changed, "denied": denied }))
        });
        habits.collect()
    }

    pub(crate) fn grid(&self) -> Grid {
        let mut grid = Grid::new("habits", ["told", "changed", "denied"]);
        for (rule, Figures { told, changed, denied }) in &self.habits {
            grid.row(rule, [told, changed, denied].map(ToString::to_string));
        }
        grid
    }
}
