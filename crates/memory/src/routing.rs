//! Where a learning is kept, by whom it is for. Backends keep what they are given.

use crate::words::Scope;

/// How the place that keeps a project's learnings is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendSource {
    /// The configuration names it.
    Config,
    /// The project uses Total Recall.
    TotalRecall,
    /// The built-in one is always there.
    Markdown,
}

/// Where a learning is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Where the project keeps its learnings.
    Backend,
    /// In the person's own file.
    PersonalFile,
    /// In the log of the day.
    DailyLog,
    /// Nowhere: it is for the next days, and there is no log of the day.
    Nowhere,
}

/// Whether the project has a log of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DailyLogs {
    /// It has.
    Kept,
    /// It has none.
    NotKept,
}

/// Where a learning of this scope is to be kept.
pub const fn target(scope: Scope, daily_logs: DailyLogs) -> Target {
    match (scope, daily_logs) {
        (Scope::Project | Scope::Team, _) => Target::Backend,
        (Scope::Personal, _) => Target::PersonalFile,
        (Scope::Ephemeral, DailyLogs::Kept) => Target::DailyLog,
        (Scope::Ephemeral, DailyLogs::NotKept) => Target::Nowhere,
    }
}
