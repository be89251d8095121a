//! A fixture is a captured payload. This module gives it a name, and detects whether existing
//! fixtures have the same fields.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::shape::{difference, shape};
use crate::failure::Failure;

/// A captured payload that can be written as a fixture.
#[derive(Debug)]
pub(super) struct Fixture {
    /// The fixture's name: the event's name, a hyphen, and the payload's special features.
    pub(super) name: String,
    pub(super) event: String,
    pub(super) text: String,
    pub(super) scenario: &'static str,
    shape: BTreeSet<String>,
}

impl Fixture {
    pub(super) fn new(event: &str, text: &str, scenario: &'static str) -> Self {
        let payload = serde_json::from_str(text).unwrap_or_default();
        Self {
            name: name(event, &payload),
            event: event.to_owned(),
            text: text.to_owned(),
            scenario,
            shape: shape(&payload),
        }
    }
}

/// Gives the fixture an unused name. `None` if a fixture with its name and the same fields exists
/// already.
pub(super) fn unlike_all(fixtures: &[Fixture], fixture: Fixture) -> Option<Fixture> {
    let names = (1..).map(|number| match number {
        1 => fixture.name.clone(),
        number => format!("{}-{number}", fixture.name),
    });
    for name in names {
        match fixtures.iter().find(|known| known.name == name) {
            Some(known) if known.shape == fixture.shape => return None,
            Some(_) => {}
            None => return Some(Fixture { name, ..fixture }),
        }
    }
    None
}

/// The name for a payload's fixture: the event, and the parts that distinguish the payload from
/// others of this event.
fn name(event: &str, payload: &Value) -> String {
    let text = |field: &str| payload[field].as_str().filter(|text| !text.is_empty());
    let mut parts = vec![event.to_owned()];
    let telling = match event {
        "SessionStart" => Some("source"),
        "SessionEnd" => Some("reason"),
        "PreCompact" | "PostCompact" => Some("trigger"),
        "StopFailure" => Some("error"),
        "Notification" => Some("notification_type"),
        "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" => {
            Some("tool_name")
        }
        _ => None,
    };
    parts.extend(telling.and_then(text).map(word));
    parts.extend(
        payload["stop_hook_active"]
            .as_bool()
            .map(|is_active| if is_active { "active" } else { "first" }.to_owned()),
    );
    let is_subagents = event.starts_with("Subagent");
    for (is_so, part) in [
        (!is_subagents && payload["agent_id"].is_string(), "in_subagent"),
        (is_subagents && payload["agent_type"] == "", "compaction_fork"),
        (payload["background_tasks"].as_array().is_some_and(|tasks| !tasks.is_empty()), "bgtask"),
        (payload["tool_response"]["status"] == "async_launched", "async"),
        (
            text("prompt").is_some_and(|prompt| prompt.starts_with("<task-notification>")),
            "task_notification",
        ),
    ] {
        if is_so {
            parts.push(part.to_owned());
        }
    }
    parts.join("-")
}

/// Converts a text so that it can be a part of a file name.
fn word(text: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
    text.replace("__", "_").chars().filter(is_plain).take(40).collect()
}

/// The existing fixtures: for each name, the version and the shape of its payload.
pub(super) struct Known(BTreeMap<String, (String, BTreeSet<String>)>);

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Novelty {
    New,
    SameAs(String),
    Differs { version: String, difference: Vec<String> },
}

impl Known {
    /// Reads the fixtures of all versions except for those in the folder `except`. If several
    /// versions have a fixture of the same name, the latest version counts.
    pub(super) fn read(folder: &Path, except: &Path) -> Result<Self, Failure> {
        let mut known = BTreeMap::new();
        let except = except.canonicalize().ok();
        for version in entries(folder)? {
            if version.canonicalize().ok() == except || !version.is_dir() {
                continue;
            }
            for path in entries(&version)? {
                if path.extension().is_some_and(|extension| extension == "json") {
                    let text = fs::read_to_string(&path)
                        .map_err(|source| Failure::Read { path: path.clone(), source })?;
                    let shape = shape(&serde_json::from_str(&text).unwrap_or_default());
                    known.insert(
                        file_name(&path, Path::file_stem),
                        (file_name(&version, Path::file_name), shape),
                    );
                }
            }
        }
        Ok(Self(known))
    }

    pub(super) fn compare(&self, fixture: &Fixture) -> Novelty {
        match self.0.get(&fixture.name) {
            None => Novelty::New,
            Some((version, shape)) if *shape == fixture.shape => Novelty::SameAs(version.clone()),
            Some((version, shape)) => Novelty::Differs {
                version: version.clone(),
                difference: difference(shape, &fixture.shape),
            },
        }
    }
}

fn file_name(path: &Path, part: fn(&Path) -> Option<&std::ffi::OsStr>) -> String {
    part(path).unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |source| Failure::Read { path: folder.to_owned(), source };
    let found: io::Result<Vec<_>> =
        fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|it| it.path())).collect();
    let mut found = found.map_err(failed)?;
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../agent/fixtures/claude");

    /// Parts of fixture names that a person added by hand. They describe how the payload came
    /// about.
    const BY_HAND: &[&str] = &["-main_agent_flag", "-plan", "-completed", "-in_progress"];

    #[test]
    fn the_names_are_those_of_the_committed_fixtures() {
        for path in entries(&Path::new(COMMITTED).join("2.1.197")).unwrap() {
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let committed = file_name(&path, Path::file_stem);
            let expected =
                BY_HAND.iter().fold(committed.clone(), |name, part| name.replace(part, ""));
            let text = fs::read_to_string(&path).unwrap();
            let event = committed.split('-').next().unwrap();
            assert_eq!(Fixture::new(event, &text, "").name, expected);
        }
    }

    #[test]
    fn payloads_of_the_same_shape_are_captured_once() {
        let stop = |text: &str| Fixture::new("Stop", text, "plain");
        let fixtures = [stop(r#"{"a":1}"#)];
        assert!(unlike_all(&fixtures, stop(r#"{"a":2}"#)).is_none());
        assert_eq!(unlike_all(&fixtures, stop(r#"{"a":""}"#)).unwrap().name, "Stop-2");
    }

    #[test]
    fn a_fixture_is_compared_with_that_of_another_version() {
        let committed = Path::new(COMMITTED);
        let known = Known::read(committed, &committed.join("2.1.325")).unwrap();
        let path = committed.join("2.1.197/Stop-first.json");
        let mut payload: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let check =
            |payload: &Value| known.compare(&Fixture::new("Stop", &payload.to_string(), "plain"));
        assert_eq!(check(&payload), Novelty::SameAs("2.1.197".to_owned()));
        payload["extra"] = Value::Bool(true);
        let difference = vec!["+ extra boolean".to_owned()];
        assert_eq!(check(&payload), Novelty::Differs { version: "2.1.197".to_owned(), difference });
        assert_eq!(known.compare(&Fixture::new("Novel", "{}", "plain")), Novelty::New);
    }
}
