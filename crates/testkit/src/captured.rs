//! Payloads that were captured from the real client.

use std::fs;

use serde_json::Value;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../agent/fixtures/claude/2.1.197");

/// All captured payloads, each with its event's name.
pub fn captured_payloads() -> Vec<(String, String)> {
    let mut names: Vec<_> = fs::read_dir(FIXTURES)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let text = captured(&name).to_string();
            (name.split('-').next().unwrap().to_owned(), text)
        })
        .collect()
}

/// The captured payload with this name.
#[track_caller]
pub fn captured(name: &str) -> Value {
    let text = fs::read_to_string(format!("{FIXTURES}/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The captured payload with this name, with some fields changed.
#[track_caller]
pub fn changed(name: &str, changes: &[(&str, Value)]) -> String {
    let mut payload = captured(name);
    for (field, value) in changes {
        payload[*field] = value.clone();
    }
    payload.to_string()
}
