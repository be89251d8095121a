//! The files that verger itself writes in its directories. Verger changes no other files there.

use std::path::PathBuf;

use verger_agent::AGENTS;
use verger_engine::Home;

/// The recorded data, below the data directory.
pub(crate) const RECORDED: &[&str] = &[
    "log",
    "projects",
    "sessions",
    "blobs",
    "spill",
    "trees",
    "reviews",
    "verifications",
    "left",
    "recall",
    "untold",
    "locks",
    "personal-learnings.md",
    "personal-stats.log",
    "redaction.key",
];

/// The index, which is derived from the recorded data and useless without it.
pub(crate) const INDEX: &[&str] = &[
    "index.db",
    "index.db-journal",
    "index.db-wal",
    "index.db-shm",
    "index.db.new",
    "index.db.new-journal",
    "index.lock",
    "changed",
];

/// The files that `verger init` writes.
const INSTALLED: &[&str] = &["bin", "backups", "install.json"];

/// The folders that exist while verger is registered for all of the user's projects, one for each
/// agent.
pub(crate) fn user_folders() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().map(|agent| agent.install.user_folder)
}

/// The settings that verger's commands write. Templates are the user's own files.
pub(crate) fn settings(home: &Home) -> [PathBuf; 3] {
    [home.config_file(), home.trust_file(), home.guard_file()]
}

/// All files of verger that may exist.
pub(crate) fn all(home: &Home) -> impl Iterator<Item = PathBuf> {
    let data = RECORDED.iter().chain(INDEX).chain(INSTALLED).copied().chain(user_folders());
    data.map(|name| home.data.join(name)).chain(settings(home))
}
