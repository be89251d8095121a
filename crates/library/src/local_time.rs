//! Dates and times of day in a local time zone.

use verger_event::Timestamp;
use verger_memory::moment;

const MINUTE_MILLIS: i64 = 60_000;
const DAY_MILLIS: u64 = 86_400_000;

/// A date and time of day in a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime {
    /// The time in UTC that has the same date and time of day.
    shown: Timestamp,
}

impl LocalTime {
    /// The local time at `now` in the time zone that is `ahead_minutes` ahead of UTC.
    pub fn new(now: Timestamp, ahead_minutes: i32) -> Self {
        let shift = i64::from(ahead_minutes) * MINUTE_MILLIS;
        let shown = now.as_millis().saturating_add_signed(shift);
        Self { shown: Timestamp::from_millis(shown) }
    }

    /// The date, as in `2026-11-15`.
    pub(crate) fn date(self) -> String {
        moment::written(self.shown).chars().take(10).collect()
    }

    /// The time of day, as in `14:32`.
    pub(crate) fn clock(self) -> String {
        moment::written(self.shown).chars().skip(11).take(5).collect()
    }

    pub(crate) fn days_before(self, days: u64) -> Self {
        let shown = self.shown.as_millis().saturating_sub(days * DAY_MILLIS);
        Self { shown: Timestamp::from_millis(shown) }
    }
}
