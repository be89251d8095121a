//! Decides when an unused learning is archived.

use verger_event::Timestamp;

use crate::stats::Usage;

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// The minimum number of sessions that were given a learning for its hit rate to protect it from
/// archiving.
const MIN_SURFACED: u32 = 5;

/// The number of days before archiving in which people are warned.
const SOON_DAYS: u64 = 7;

/// The rule for archiving unused learnings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayPolicy {
    /// Number of days without a use after which a learning is archived.
    pub days: u64,
    /// A learning with this smoothed hit rate or a higher one is never archived.
    pub immunity_hit_rate: f64,
}

/// The state of an active learning's decay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decay {
    /// The learning helped so often that it is never archived.
    Immune,
    /// The learning isn't archived within the next 7 days.
    Later {
        /// The time at which the learning is archived if it stays unused.
        until: Timestamp,
    },
    /// The learning is archived within 7 days unless it is used.
    Soon {
        /// The time at which the learning is archived if it stays unused.
        until: Timestamp,
    },
    /// The learning is due to be archived.
    Due {
        /// The time since which the learning is due.
        until: Timestamp,
    },
}

/// The decay of an active learning with this creation time and usage. A learning that was never
/// given to an agent ages like any other.
pub fn decay(created: Timestamp, usage: &Usage, policy: &DecayPolicy, now: Timestamp) -> Decay {
    if usage.surfaced >= MIN_SURFACED && usage.smoothed_hit_rate() >= policy.immunity_hit_rate {
        return Decay::Immune;
    }
    let from = Some(created).max(usage.last_referenced).max(usage.restored).unwrap_or(created);
    let until = after(from, policy.days);
    if now > until {
        Decay::Due { until }
    } else if after(now, SOON_DAYS) >= until {
        Decay::Soon { until }
    } else {
        Decay::Later { until }
    }
}

fn after(from: Timestamp, days: u64) -> Timestamp {
    Timestamp::from_millis(from.as_millis().saturating_add(days.saturating_mul(DAY_MILLIS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: DecayPolicy = DecayPolicy { days: 90, immunity_hit_rate: 0.8 };

    fn day(days: u64) -> Timestamp {
        Timestamp::from_millis(days * DAY_MILLIS)
    }

    /// The decay of a learning made on day 0: exactly `days` days later, and a millisecond after
    /// that.
    fn on(usage: Usage, days: u64) -> (Decay, Decay) {
        let later = Timestamp::from_millis(day(days).as_millis() + 1);
        let created = day(0);
        (decay(created, &usage, &POLICY, day(days)), decay(created, &usage, &POLICY, later))
    }

    #[test]
    fn ninety_days_without_a_use_are_long_and_exactly_ninety_are_not() {
        let until = day(90);
        let (later, soon, due) =
            (Decay::Later { until }, Decay::Soon { until }, Decay::Due { until });
        let never = Usage::default();
        assert_eq!(on(never, 0), (later, later));
        assert_eq!(on(never, 83), (soon, soon));
        assert_eq!(on(never, 82), (later, later));
        assert_eq!(on(never, 90), (soon, due));
        assert_eq!(on(never, 200), (due, due));
        let surfaced = Usage { surfaced: 4, last_surfaced: Some(day(89)), ..never };
        assert_eq!(on(surfaced, 90), (soon, due), "to be given is not to be used");
        let future = decay(day(500), &never, &POLICY, day(1));
        assert_eq!(future, Decay::Later { until: day(590) });
        let end = Timestamp::from_millis(u64::MAX);
        assert_eq!(decay(end, &never, &POLICY, day(1)), Decay::Later { until: end });
    }

    #[test]
    fn time_begins_anew_with_a_use_and_with_a_restore() {
        let moments = [
            Usage { last_referenced: Some(day(100)), ..Usage::default() },
            Usage { restored: Some(day(100)), archived: Some(day(95)), ..Usage::default() },
            Usage { last_referenced: Some(day(50)), restored: Some(day(100)), ..Usage::default() },
        ];
        for usage in moments {
            let until = day(190);
            assert_eq!(on(usage, 190), (Decay::Soon { until }, Decay::Due { until }), "{usage:?}");
        }
    }

    #[test]
    fn learnings_that_help_nearly_always_are_kept() {
        let with = |surfaced, explicit| Usage { surfaced, explicit, ..Usage::default() };
        let table = [
            (with(4, 4), 0.8, false),
            (with(5, 5), 0.8, true),
            (with(5, 4), 0.8, false),
            (with(8, 7), 0.8, true),
            (with(9, 7), 0.8, false),
            (with(5, 0), 0.0, true),
            (Usage { implicit: 5, ..with(5, 0) }, 0.8, false),
        ];
        for (usage, immunity_hit_rate, is_immune) in table {
            let policy = DecayPolicy { immunity_hit_rate, ..POLICY };
            let decay = decay(day(0), &usage, &policy, day(1000));
            assert_eq!(decay == Decay::Immune, is_immune, "{usage:?}");
        }
    }
}
