//! The statistics of learnings: their counts, also compared with the preceding days, and the
//! rejections.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use verger_event::Timestamp;
use verger_memory::stats::{Account, Group, Miss, Overview, Period, StatsEvent, Trend, misses};

use crate::learning::known::KnownLearnings;
use crate::render::grid::Grid;

/// The maximum number of items of each kind, so that the output fits a screen.
const MAX_TOLD: usize = 5;

/// The statistics of a project.
pub(crate) struct LearningStats {
    overview: Overview,
    /// The reasons for rejections with their counts, most frequent first.
    reasons: Vec<(String, u64)>,
    /// Accepted candidates that had been rejected before.
    misses: Vec<Miss>,
}

impl LearningStats {
    pub(crate) fn of(known_learnings: &KnownLearnings, now: Timestamp) -> Self {
        let accounts: Vec<Account> =
            known_learnings.held.iter().map(|held| held.account.clone()).collect();
        let learnings = accounts.iter().map(|account| &account.learning);
        Self {
            overview: Overview::of(&accounts, &known_learnings.lines, now),
            reasons: reasons(known_learnings),
            misses: misses(&known_learnings.lines, learnings),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.overview.learnings == [0; 3] && self.overview.all == Period::default()
    }

    pub(crate) fn to_json(&self) -> Value {
        let overview = &self.overview;
        let [active, archived, superseded] = overview.learnings;
        json!({
            "learnings": { "active": active, "archived": archived, "superseded": superseded },
            "all": period_json(&overview.all),
            "trends": overview.trends.iter().map(trend_json).collect::<Vec<_>>(),
            "by_category": groups_json(&overview.by_category, |category| category.as_str()),
            "by_scope": groups_json(&overview.by_scope, |scope| scope.as_str()),
            "by_confidence": groups_json(&overview.by_confidence, |sure| sure.as_str()),
            "reasons": self.reasons.iter().map(|(reason, count)| {
                json!({ "reason": reason, "count": count })
            }).collect::<Vec<_>>(),
            "misses": self.misses.iter().map(miss_json).collect::<Vec<_>>(),
        })
    }

    /// The number of learnings in each state, in a line.
    pub(crate) fn standing(&self) -> String {
        let [active, archived, superseded] = self.overview.learnings;
        format!("learnings: {active} active, {archived} archived, {superseded} superseded")
    }

    /// The counts in total and of the last days.
    pub(crate) fn periods(&self) -> Grid {
        let trends = &self.overview.trends;
        let names: Vec<_> = trends
            .iter()
            .flat_map(|trend| [format!("{} d", trend.days), "before".to_owned()])
            .collect();
        let names = ["all"].into_iter().chain(names.iter().map(String::as_str));
        let mut grid = Grid::new("", names);
        let periods: Vec<_> = [&self.overview.all]
            .into_iter()
            .chain(trends.iter().flat_map(|trend| [&trend.now, &trend.before]))
            .collect();
        for (name, cell) in ROWS {
            grid.figures(name, periods.iter().map(|period| cell(period)));
        }
        grid
    }

    /// The active learnings by kind. Kinds without learnings are left out.
    pub(crate) fn kinds(&self) -> Grid {
        let mut grid = Grid::new("in use", ["learnings", "given", "used", "hit rate"]);
        let mut add = |name: &str, group: &Group| {
            if group.learnings > 0 {
                let usage = &group.usage;
                grid.row(
                    name,
                    [
                        group.learnings.to_string(),
                        usage.surfaced.to_string(),
                        usage.referenced().to_string(),
                        percent(usage.hit_rate()),
                    ],
                );
            }
        };
        let overview = &self.overview;
        overview.by_category.iter().for_each(|(one, group)| add(one.as_str(), group));
        overview.by_scope.iter().for_each(|(one, group)| add(one.as_str(), group));
        for (sure, group) in &overview.by_confidence {
            add(&format!("{} confidence", sure.as_str()), group);
        }
        grid
    }

    /// The rejections, in lines.
    pub(crate) fn turned_away(&self) -> Vec<String> {
        let reasons = self.reasons.iter().take(MAX_TOLD);
        let reasons = reasons.map(|(reason, count)| format!("rejected {count} x: {reason}"));
        let misses = self.misses.iter().take(MAX_TOLD).map(|miss| {
            let (summary, now, why) = (&miss.summary, &miss.learning, miss.reasons.join("; "));
            format!(
                "rejected first, accepted later: {summary}, now {now}; the rejection said: {why}"
            )
        });
        reasons.chain(misses).collect()
    }
}

fn reasons(known_learnings: &KnownLearnings) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &known_learnings.lines {
        if let StatsEvent::Rejected { reasons, .. } = &line.event {
            for reason in reasons {
                *counts.entry(reason).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(text, n)| (text.to_owned(), n)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

type Cell = fn(&Period) -> String;

const ROWS: [(&str, Cell); 14] = [
    ("given to sessions", |period| period.usage.surfaced.to_string()),
    ("used", |period| period.usage.referenced().to_string()),
    ("  reported by the agent", |period| period.usage.explicit.to_string()),
    ("  named in its reflection", |period| period.usage.reflection.to_string()),
    ("  visible in its work", |period| period.usage.implicit.to_string()),
    ("hit rate", |period| percent(period.usage.hit_rate())),
    ("not used", |period| period.usage.dismissed.to_string()),
    ("reflections", |period| period.reflections.to_string()),
    ("candidates kept", |period| period.accepted.to_string()),
    ("rejected", |period| period.rejected.to_string()),
    ("pass rate", |period| percent(period.pass_rate())),
    ("skipped", |period| period.skipped().to_string()),
    ("archived", |period| period.archived.to_string()),
    ("superseded", |period| period.superseded.to_string()),
];

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

fn period_json(period: &Period) -> Value {
    let usage = &period.usage;
    let skips: Map<String, Value> =
        period.skips.iter().map(|(by, count)| (by.as_str().to_owned(), json!(count))).collect();
    json!({
        "surfaced": usage.surfaced,
        "referenced": {
            "explicit": usage.explicit,
            "reflection": usage.reflection,
            "implicit": usage.implicit,
        },
        "hit_rate": usage.hit_rate(),
        "dismissed": usage.dismissed,
        "corrected": usage.corrected,
        "reflections": period.reflections,
        "accepted": period.accepted,
        "rejected": period.rejected,
        "pass_rate": period.pass_rate(),
        "skips": skips,
        "archived": period.archived,
        "restored": period.restored,
        "superseded": period.superseded,
    })
}

fn trend_json(trend: &Trend) -> Value {
    json!({
        "days": trend.days,
        "now": period_json(&trend.now),
        "before": period_json(&trend.before),
    })
}

fn groups_json<T>(groups: &[(T, Group)], word: impl Fn(&T) -> &'static str) -> Value {
    let group = |(one, group): &(T, Group)| {
        let usage = &group.usage;
        let value = json!({
            "learnings": group.learnings,
            "surfaced": usage.surfaced,
            "referenced": usage.referenced(),
            "hit_rate": usage.hit_rate(),
        });
        (word(one).to_owned(), value)
    };
    Value::Object(groups.iter().map(group).collect())
}

fn miss_json(miss: &Miss) -> Value {
    json!({
        "at_ms": miss.at,
        "summary": miss.summary,
        "reasons": miss.reasons,
        "learning": miss.learning.as_str(),
        "learned": miss.learned,
    })
}
