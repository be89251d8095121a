//! Chooses where a learning is stored, by its scope. Backends store every learning that they get.

use crate::words::Scope;

/// The reason why a backend was chosen for a project's learnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendSource {
    /// The configuration names it.
    Config,
    /// The project uses Total Recall.
    TotalRecall,
    /// The built-in backend, which is always available.
    Markdown,
}

/// The place for a learning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The project's backend.
    Backend,
    /// The person's own file.
    PersonalFile,
    /// The daily log.
    DailyLog,
    /// Nowhere: the learning matters only for the next days, and the project has no daily log.
    Nowhere,
}

/// Whether the project has a daily log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DailyLogs {
    /// The project has a daily log.
    Kept,
    /// The project has no daily log.
    NotKept,
}

/// The place for a learning of this scope.
pub const fn target(scope: Scope, daily_logs: DailyLogs) -> Target {
    match (scope, daily_logs) {
        (Scope::Project | Scope::Team, _) => Target::Backend,
        (Scope::Personal, _) => Target::PersonalFile,
        (Scope::Ephemeral, DailyLogs::Kept) => Target::DailyLog,
        (Scope::Ephemeral, DailyLogs::NotKept) => Target::Nowhere,
    }
}
