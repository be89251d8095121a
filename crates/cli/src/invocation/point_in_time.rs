//! A time in the past as a person writes it: `30d`, `12h`, `2w`, or a date.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use verger_event::Timestamp;

const HOUR_MILLIS: u64 = 60 * 60 * 1000;

/// The error for a text that is not a time in the past.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no time in the past: expected hours, days or weeks ago (12h, 30d, 2w), or a date \
     (2026-01-31)"
)]
pub(crate) struct NoTime {
    text: String,
}

/// The time that long before `now`, or the start of a day in `zone`.
pub(crate) fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Result<Timestamp, NoTime> {
    let parsed = ago(text, now).or_else(|| start_of_day(text, zone)).filter(|at| *at <= now);
    parsed.ok_or_else(|| NoTime { text: text.to_owned() })
}

fn ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let hours = match unit {
        "h" => 1,
        "d" => 24,
        "w" => 7 * 24,
        _ => return None,
    };
    // Rejects a sign, which `parse` would accept.
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millis = number.parse::<u64>().ok()?.checked_mul(hours)?.checked_mul(HOUR_MILLIS)?;
    Some(Timestamp::from_millis(now.as_millis().saturating_sub(millis)))
}

fn start_of_day(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let start = text.parse::<Date>().ok()?.to_zoned(zone.clone()).ok()?;
    u64::try_from(start.timestamp().as_millisecond()).ok().map(Timestamp::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_durations_and_dates() {
        let now = Timestamp::from_millis(1_794_767_961_000);
        for (text, expected) in [
            ("0h", Some(1_794_767_961_000)),
            ("12h", Some(1_794_724_761_000)),
            ("30d", Some(1_792_175_961_000)),
            ("2w", Some(1_793_558_361_000)),
            ("9999999w", Some(0)),
            ("2026-11-01", Some(1_793_491_200_000)),
            ("20261101", Some(1_793_491_200_000)),
            ("2026-11-16", None),
            ("2026-02-30", None),
            ("1960-01-01", None),
            ("", None),
            ("d", None),
            ("30", None),
            ("30m", None),
            ("-1d", None),
            ("+1d", None),
            ("1.5d", None),
            ("1 d", None),
            ("1é", None),
            ("99999999999999999999d", None),
            ("99999999999999999d", None),
        ] {
            let parsed = parse(text, now, &TimeZone::UTC).ok().map(Timestamp::as_millis);
            assert_eq!(parsed, expected, "{text:?}");
        }
    }
}
