//! An overview of the statistics: numbers for all time, for the last days compared with the days
//! before, and by category, scope and confidence.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use verger_event::Timestamp;

use super::account::Account;
use super::line::{StatsEvent, StatsLine};
use super::tally::Tally;
use super::usage::Usage;
use crate::status::Status;
use crate::words::{Category, Confidence, Scope, SkippedBy};

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// The lengths of the trends in days.
pub const TREND_DAYS: [u64; 2] = [7, 30];

/// The overview of learnings and their statistics.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// The number of learnings of each status, in the order active, archived, superseded.
    pub learnings: [u64; 3],
    /// The numbers for all time.
    pub all: Period,
    /// The comparisons of the last days with the days before, one for each of [`TREND_DAYS`].
    pub trends: Vec<Trend>,
    /// The numbers of active learnings for each category.
    pub by_category: Vec<(Category, Group)>,
    /// The numbers of active learnings for each scope.
    pub by_scope: Vec<(Scope, Group)>,
    /// The numbers of active learnings for each confidence.
    pub by_confidence: Vec<(Confidence, Group)>,
}

/// The numbers of a group of learnings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Group {
    /// The number of learnings.
    pub learnings: u64,
    /// The usage of all learnings of the group together.
    pub usage: Usage,
}

/// The numbers of the last days, and of as many days before them.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// The number of days in each of the two periods.
    pub days: u64,
    /// The period of the last days, up to now.
    pub now: Period,
    /// The period before the last days.
    pub before: Period,
}

/// The numbers of a period of time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Period {
    /// The usage of learnings in the period.
    pub usage: Usage,
    /// The number of reflections.
    pub reflections: u64,
    /// The number of accepted candidates.
    pub accepted: u64,
    /// The number of rejected candidates.
    pub rejected: u64,
    /// The number of skipped reflections, by who decided to skip.
    pub skips: BTreeMap<SkippedBy, u64>,
    /// The number of archived learnings.
    pub archived: u64,
    /// The number of restored learnings.
    pub restored: u64,
    /// The number of replaced learnings.
    pub superseded: u64,
}

impl Overview {
    /// Computes the overview of these learnings and lines. Repeated lines count once.
    pub fn of(accounts: &[Account], lines: &[StatsLine], now: Timestamp) -> Self {
        let lines = distinct(lines);
        let mut learnings = [0; 3];
        for account in accounts {
            learnings[match account.status {
                Status::Active => 0,
                Status::Archived => 1,
                Status::Superseded { .. } => 2,
            }] += 1;
        }
        Self {
            learnings,
            all: Period::of(lines.iter().copied()),
            trends: TREND_DAYS.map(|days| Trend::of(&lines, days, now)).into(),
            by_category: groups(accounts, Category::ALL, |account| account.learning.category),
            by_scope: groups(accounts, Scope::ALL, |account| account.learning.scope),
            by_confidence: groups(accounts, Confidence::ALL, |account| account.learning.confidence),
        }
    }
}

/// The lines without repetitions. A merge in git can repeat lines.
pub(super) fn distinct(lines: &[StatsLine]) -> Vec<&StatsLine> {
    let mut seen = HashSet::with_capacity(lines.len());
    lines.iter().filter(|line| seen.insert(line.id)).collect()
}

fn groups<T: Copy + PartialEq>(
    accounts: &[Account],
    all: &[T],
    of: impl Fn(&Account) -> T,
) -> Vec<(T, Group)> {
    let active = || accounts.iter().filter(|account| account.is_active());
    let group = |one: T| {
        active().filter(|account| of(account) == one).fold(Group::default(), |group, account| {
            Group { learnings: group.learnings + 1, usage: group.usage.with(account.usage) }
        })
    };
    all.iter().map(|one| (*one, group(*one))).collect()
}

impl Trend {
    fn of(lines: &[&StatsLine], days: u64, now: Timestamp) -> Self {
        let ago = |days: u64| {
            Timestamp::from_millis(now.as_millis().saturating_sub(days.saturating_mul(DAY_MILLIS)))
        };
        let within = |range: Range<Timestamp>| {
            Period::of(lines.iter().copied().filter(|line| range.contains(&line.at)))
        };
        // An event at the current time belongs to the last days. So does a later event, which a
        // fast clock can cause.
        let end = Timestamp::from_millis(u64::MAX);
        Self { days, now: within(ago(days)..end), before: within(ago(2 * days)..ago(days)) }
    }
}

impl Period {
    fn of<'a>(lines: impl Iterator<Item = &'a StatsLine>) -> Self {
        let mut period = Self::default();
        let mut tally = Tally::default();
        for line in lines {
            tally.add(line);
            match &line.event {
                StatsEvent::Reflection { accepted, .. } => {
                    period.reflections += 1;
                    period.accepted += accepted.len() as u64;
                }
                StatsEvent::Rejected { .. } => period.rejected += 1,
                StatsEvent::Skip { by, .. } => *period.skips.entry(*by).or_default() += 1,
                StatsEvent::Archived { .. } => period.archived += 1,
                StatsEvent::Restored { .. } => period.restored += 1,
                StatsEvent::Superseded { .. } => period.superseded += 1,
                StatsEvent::Surfaced { .. }
                | StatsEvent::Referenced { .. }
                | StatsEvent::Dismissed { .. }
                | StatsEvent::Corrected { .. } => (),
            }
        }
        period.usage = tally.usages().fold(Usage::default(), |all, (_, usage)| all.with(usage));
        period
    }

    /// The number of judged candidates, accepted or rejected.
    pub const fn judged(&self) -> u64 {
        self.accepted + self.rejected
    }

    /// The share of accepted candidates. `None` if no candidate was judged.
    pub fn pass_rate(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "the number of candidates is small")]
        let share = || self.accepted as f64 / self.judged() as f64;
        (self.judged() > 0).then(share)
    }

    /// The number of skipped reflections.
    pub fn skipped(&self) -> u64 {
        self.skips.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use verger_event::Reference;

    use super::super::samples::in_session;
    use super::*;
    use crate::samples::{bare, full};

    fn day(days: u64) -> u64 {
        days * DAY_MILLIS
    }

    #[test]
    fn everything_is_counted_once_and_by_time() {
        let learning = || full().id;
        let surfaced = || StatsEvent::Surfaced { learning: learning(), score: None };
        let used = StatsEvent::Referenced { learning: learning(), how: Reference::Explicit };
        let reflection = StatsEvent::Reflection {
            candidates: 3,
            accepted: vec![learning(), bare().id],
            criteria: BTreeMap::new(),
        };
        let rejected =
            StatsEvent::Rejected { summary: String::new(), tags: vec![], reasons: vec![] };
        let skip = |by| StatsEvent::Skip { by, lines: None, files: vec![], reason: String::new() };
        let mut lines = vec![
            in_session("a", day(10), surfaced()),
            in_session("a", day(11), used),
            in_session("a", day(12), reflection),
            in_session("a", day(12) + 1, rejected),
            in_session("b", day(50), surfaced()),
            in_session("b", day(66), skip(SkippedBy::Auto)),
            in_session("c", day(93), skip(SkippedBy::Agent)),
            in_session("c", day(100), surfaced()),
        ];
        lines.extend(lines.clone());
        let accounts = Account::all([full(), bare()], &Tally::of(&lines));
        let overview = Overview::of(&accounts, &lines, Timestamp::from_millis(day(100)));

        assert_eq!(overview.learnings, [1, 0, 1], "one says that it replaces the other");
        let all = &overview.all;
        assert_eq!((all.usage.surfaced, all.usage.referenced()), (3, 1));
        assert_eq!((all.reflections, all.judged(), all.pass_rate()), (1, 3, Some(2.0 / 3.0)));
        assert_eq!(all.skips, BTreeMap::from([(SkippedBy::Auto, 1), (SkippedBy::Agent, 1)]));
        let trends: Vec<_> = overview
            .trends
            .iter()
            .map(|trend| {
                let counts = |period: &Period| (period.usage.surfaced, period.skipped());
                (trend.days, counts(&trend.now), counts(&trend.before))
            })
            .collect();
        assert_eq!(trends, [(7, (1, 1), (0, 0)), (30, (1, 1), (1, 1))]);
        let pitfalls = overview.by_category.iter().find(|(one, _)| *one == Category::Pitfall);
        assert_eq!(pitfalls.unwrap().1.usage.surfaced, 3);
        let project = overview.by_scope.iter().find(|(one, _)| *one == Scope::Project);
        assert_eq!(project.unwrap().1.learnings, 0, "what is replaced is not counted");
    }
}
