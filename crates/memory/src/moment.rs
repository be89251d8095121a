//! Formats and parses timestamps in files that people read: RFC 3339 in UTC. No calendar library is
//! used, because the hook links this crate.

use verger_event::Timestamp;

const DAY: u64 = 86_400_000;
/// 10000-01-01, the first day whose year has five digits.
const END: u64 = 253_402_300_800_000;

/// Formats a time, such as `2026-11-15T12:34:56.789Z`. After the year 9999, returns plain
/// milliseconds.
pub fn written(at: Timestamp) -> String {
    let millis = at.as_millis();
    if millis >= END {
        return millis.to_string();
    }
    let (year, month, day) = civil(millis / DAY);
    let rest = millis % DAY;
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Parses the form that [`written`] returns and the shorter forms that people use: only a date, no
/// seconds, or a zone. A time without a zone is UTC.
pub fn read(text: &str) -> Option<Timestamp> {
    if let Ok(millis) = text.parse::<u64>() {
        return Some(Timestamp::from_millis(millis));
    }
    let (date, time) = text.split_at_checked(10)?;
    let mut parts = date.split('-').map(digits);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let midnight = days(year, month, day) * DAY;
    let time = time.trim_start_matches(['T', 't', ' ']);
    let (of_day, shift) = if time.is_empty() { (0, 0) } else { time_of_day(time)? };
    Some(Timestamp::from_millis((midnight + of_day).saturating_add_signed(-shift)))
}

/// The milliseconds since midnight, and the zone's offset from UTC.
fn time_of_day(text: &str) -> Option<(u64, i64)> {
    let (clock, zone) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, "Z"),
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':').map(digits);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let milli = digits(&format!("{:0<3}", fraction.get(..fraction.len().min(3))?))?;
    let millis = ((hour * 60 + minute) * 60 + second) * 1000 + milli;
    let shift = match zone {
        "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = zone[1..].split_once(':')?;
            let ahead = i64::try_from((digits(hours)? * 60 + digits(minutes)?) * 60_000).ok()?;
            if zone.starts_with('-') { -ahead } else { ahead }
        }
    };
    (hour < 24 && minute < 60 && second < 61).then_some((millis, shift))
}

fn digits(text: &str) -> Option<u64> {
    let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// The number of days since 1970-01-01 in the Gregorian calendar. The computation lets years begin
/// in March, so that a leap day is their last day.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = year - u64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn moments_are_written_and_read_back() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_794_767_961_556, "2026-11-15T18:39:21.556Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (END - 1, "9999-12-31T23:59:59.999Z"),
            (END, "253402300800000"),
            (u64::MAX, "18446744073709551615"),
        ];
        for (millis, text) in cases {
            assert_eq!(written(at(millis)), text);
            assert_eq!(read(text), Some(at(millis)), "{text}");
        }
        for day in 0..60_000 {
            let moment = at(day * DAY + 1);
            assert_eq!(read(&written(moment)), Some(moment), "{day}");
        }
    }

    #[test]
    fn handwritten_times_are_parsed_and_other_texts_are_not() {
        for (text, millis) in [
            ("1970-01-02", DAY),
            ("1970-01-01 01:02", 3_720_000),
            ("1970-01-01T01:02:03", 3_723_000),
            ("1970-01-01T09:00:00.5+09:00", 500),
            ("1970-01-01T00:00:00-01:30", 5_400_000),
        ] {
            assert_eq!(read(text), Some(at(millis)), "{text}");
        }
        for bad in [
            "",
            "now",
            "1969-12-31",
            "1970-13-01",
            "1970-00-01",
            "1970-01-32",
            "1970-1-1",
            "1970-01-01T24:00Z",
            "1970-01-01T1Z",
            "1970-01-01T01:02+9",
            "日本語日本語",
            "1970-01-日",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
