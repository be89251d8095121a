//! Chooses where a learning is stored, by its scope. A backend doesn't choose: it stores every
//! learning that it gets.

use crate::words::Scope;

/// The reason why a backend was chosen for a project's learnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendSource {
    /// The configuration names the backend.
    Config,
    /// The project uses the program Total Recall.
    TotalRecall,
    /// The built-in backend, which is always available.
    Markdown,
}

/// The place where a learning is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The project's backend.
    Backend,
    /// The person's own file of learnings, outside of the project.
    PersonalFile,
    /// The project's daily log.
    DailyLog,
    /// The learning is not stored: it matters only for the next days, and the project has no daily
    /// log.
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

/// The place where a learning of this scope is stored.
pub const fn target(scope: Scope, daily_logs: DailyLogs) -> Target {
    match (scope, daily_logs) {
        (Scope::Project | Scope::Team, _) => Target::Backend,
        (Scope::Personal, _) => Target::PersonalFile,
        (Scope::Ephemeral, DailyLogs::Kept) => Target::DailyLog,
        (Scope::Ephemeral, DailyLogs::NotKept) => Target::Nowhere,
    }
}
