//! The index of the fixtures: the file `captured.jsonl`, with one line about the origin of each
//! fixture.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::failure::Failure;

const NAME: &str = "captured.jsonl";

/// Adds fixtures to the index. Replaces older entries with the same names.
pub(super) fn update(
    folder: &Path,
    fixtures: &[Fixture],
    version: &str,
    notes: &str,
) -> Result<(), Failure> {
    let path = folder.join(NAME);
    let old = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Failure::Read { path, source }),
    };
    let new = fixtures.iter().map(|fixture| {
        json!({
            "fixture": fixture.name,
            "client": version,
            "date": today(),
            "scenario": fixture.scenario,
            "notes": notes,
        })
    });
    let text = merged(&old, new.collect());
    fs::write(&path, text).map_err(|source| Failure::Write { path, source })
}

fn merged(old: &str, mut entries: Vec<Value>) -> String {
    let kept = old.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_new = |entry: &Value| entries.iter().any(|new| new["fixture"] == entry["fixture"]);
    let kept: Vec<_> = kept.filter(|entry| !is_new(entry)).collect();
    entries.extend(kept);
    entries.sort_by_key(|entry| entry["fixture"].to_string());
    entries.iter().fold(String::new(), |text, entry| text + &entry.to_string() + "\n")
}

fn today() -> String {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since_epoch.as_secs()).unwrap_or_default();
    let now = Timestamp::from_second(seconds).unwrap_or_default();
    now.to_zoned(TimeZone::UTC).strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixture_that_is_captured_again_has_one_entry() {
        let old = "{\"fixture\":\"B\",\"n\":1}\n{\"fixture\":\"C\",\"n\":1}\n";
        let new = vec![json!({ "fixture": "C", "n": 2 }), json!({ "fixture": "A", "n": 2 })];
        assert_eq!(
            merged(old, new),
            "{\"fixture\":\"A\",\"n\":2}\n{\"fixture\":\"B\",\"n\":1}\n{\"fixture\":\"C\",\"n\":2}\n"
        );
    }
}
