//! Times in the form that people read.

use jiff::tz::TimeZone;
use verger_event::Timestamp;
use verger_library::LocalTime;

/// The local time, to the second.
pub(crate) fn local_time(at: Timestamp) -> String {
    known(at).map_or_else(
        || "-".to_owned(),
        |at| at.to_zoned(TimeZone::system()).strftime("%F %T").to_string(),
    )
}

/// The local date.
pub(crate) fn local_date(at: Timestamp) -> String {
    local_time(at).split(' ').next().unwrap_or_default().to_owned()
}

/// The local time, for files that have the date in their names.
pub(crate) fn wall_clock(now: Timestamp) -> LocalTime {
    let ahead = known(now).map_or(0, |at| TimeZone::system().to_offset(at).seconds() / 60);
    LocalTime::new(now, ahead)
}

/// `None` if the time is outside of the calendar's range.
fn known(at: Timestamp) -> Option<jiff::Timestamp> {
    jiff::Timestamp::from_millisecond(i64::try_from(at.as_millis()).ok()?).ok()
}

/// The time since a moment that is stored in the index.
pub(crate) fn age_of(millis: Option<i64>, now: Timestamp) -> String {
    indexed(millis).map_or_else(|| "-".to_owned(), |at| age(at, now))
}

/// The time since a moment, rounded down to its largest unit.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    format!("{} ago", span(now.millis_since(at)))
}

/// A duration, rounded down to its largest unit.
pub(crate) fn span(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn indexed(millis: Option<i64>) -> Option<Timestamp> {
    millis.and_then(|millis| u64::try_from(millis).ok()).map(Timestamp::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_its_largest_unit() {
        let now = Timestamp::from_millis(1_794_767_961_000);
        for (seconds, expected) in [
            (0, "0 s ago"),
            (59, "59 s ago"),
            (60, "1 min ago"),
            (3_599, "59 min ago"),
            (3_600, "1 h ago"),
            (172_799, "47 h ago"),
            (172_800, "2 days ago"),
        ] {
            let at = Timestamp::from_millis(now.as_millis() - 1000 * seconds);
            assert_eq!(age(at, now), expected);
        }
        assert_eq!(age(Timestamp::from_millis(now.as_millis() + 5000), now), "0 s ago");
    }
}
