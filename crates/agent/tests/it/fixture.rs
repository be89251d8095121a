//! Reads the captured payloads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verger_agent::{CLAUDE, Observed};

/// A payload that one version of a program sent.
pub(crate) struct Fixture {
    /// The event's name. A variant follows after a hyphen.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    pub(crate) fn event_name(&self) -> &str {
        self.name.split('-').next().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    #[track_caller]
    pub(crate) fn observed(&self) -> Observed {
        decoded(self.event_name(), &self.bytes)
    }
}

/// The decoded payload. Decoding must succeed.
#[track_caller]
pub(crate) fn decoded(event_name: &str, payload: &[u8]) -> Observed {
    (CLAUDE.decode)(event_name, payload).unwrap().unwrap()
}

/// The fields that an event doesn't require.
pub(crate) const OPTIONAL_FIELDS: &[&str] = &[
    "agent_transcript_path",
    "background_tasks",
    "command_source",
    "compact_summary",
    "custom_instructions",
    "cwd",
    "duration_ms",
    "effort",
    "error_details",
    "is_interrupt",
    "last_assistant_message",
    "load_reason",
    "memory_type",
    "model",
    "permission_mode",
    "permission_suggestions",
    "prompt_id",
    "session_crons",
    "stop_hook_active",
    "task_description",
    "tool_use_id",
    "transcript_path",
];

/// The fixture directories of Claude Code, one per version.
pub(crate) fn claude_folders() -> Vec<PathBuf> {
    folders("claude")
}

/// The fixture directories of a client, one per version.
pub(crate) fn folders(client: &str) -> Vec<PathBuf> {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(client);
    fs::read_dir(versions).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The fixtures of the version that has the most fixtures.
pub(crate) fn claude() -> Vec<Fixture> {
    fixtures_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude/2.1.197"))
}

pub(crate) fn fixtures_in(folder: &Path) -> Vec<Fixture> {
    let read = |name: String| {
        let bytes = fs::read(folder.join(format!("{name}.json"))).unwrap();
        Fixture { name, bytes }
    };
    stems(folder, "json").into_iter().map(read).collect()
}

pub(crate) fn named(name: &str) -> Fixture {
    claude().into_iter().find(|fixture| fixture.name == name).unwrap()
}

/// The names of the files in a directory with this extension, without the extension.
pub(crate) fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}
