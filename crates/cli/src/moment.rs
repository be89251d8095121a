//! Moments, as people read them.

use jiff::tz::TimeZone;
use verger_event::Timestamp;

/// The clock on the wall, to the second.
pub(crate) fn local_time(at: Timestamp) -> String {
    let at = i64::try_from(at.as_millis())
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or_else(
        || "-".to_owned(),
        |at| at.to_zoned(TimeZone::system()).strftime("%F %T").to_string(),
    )
}

/// The same, for a moment that an index keeps.
pub(crate) fn local_time_of(millis: Option<i64>) -> String {
    indexed(millis).map_or_else(|| "-".to_owned(), local_time)
}

fn indexed(millis: Option<i64>) -> Option<Timestamp> {
    millis.and_then(|millis| u64::try_from(millis).ok()).map(Timestamp::from_millis)
}
