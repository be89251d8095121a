//! Explicit limits that a person types: "don't touch src/api", "do not push", コミットしないで.
//!
//! A limit is read only from a short imperative sentence whose negation (or "only") stands directly at the
//! verb and whose object is explicit. When in doubt, nothing is read. English and Japanese are read by one table of
//! shapes each; other languages are not.

mod breach;
mod english;
mod japanese;
mod lifting;
mod object;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::paths::PathPattern;
pub use breach::Breach;

/// Something that the agent must not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// No file may change.
    NoChanges,
    /// These files may not change.
    NotPath(PathPattern),
    /// Only these files may change.
    OnlyPaths(Vec<PathPattern>),
    /// This must not be done.
    NotAction(LimitedAction),
}

/// An action that a person can forbid by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitedAction {
    /// `git commit`; with a branch, only to that branch.
    Commit {
        /// The branch, where the person names one.
        branch: Option<String>,
    },
    /// `git push`; with a branch, only to that branch.
    Push {
        /// The branch, where the person names one.
        branch: Option<String>,
    },
    /// Opening a pull request; with a base, only against that branch.
    OpenPullRequest {
        /// The branch, where the person names one.
        base: Option<String>,
    },
    /// Installing or adding a dependency.
    AddDependency,
    /// Deleting files; with a path, only those.
    Delete {
        /// The path, where the person names one.
        path: Option<PathPattern>,
    },
    /// `git stash`.
    Stash,
    /// Running the project's tests.
    RunTests,
    /// Running this command: its first words.
    Run(String),
}

/// How long a limit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// Until the person says something else than to go on.
    Prompt,
    /// Until the task ends.
    Task,
    /// Until the session ends ("never ...").
    Session,
}

/// A limit as it was read out of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidLimit {
    /// The limit.
    pub limit: Limit,
    /// How long it holds.
    pub holds: Holds,
}

impl SaidLimit {
    /// A limit as it is usually meant. A limit on all changes or on the tests is meant for this prompt.
    fn plain(limit: Limit) -> Self {
        let holds = match &limit {
            Limit::NoChanges | Limit::OnlyPaths(_) | Limit::NotAction(LimitedAction::RunTests) => {
                Holds::Prompt
            }
            Limit::NotPath(_) | Limit::NotAction(_) => Holds::Task,
        };
        Self { limit, holds }
    }

    /// Whether the rest of the prompt asks for the action: "Don't commit yet. Run the tests, then
    /// commit."
    fn is_asked_for_in(&self, rest: &str) -> bool {
        let is_action =
            matches!(&self.limit, Limit::NotAction(action) if *action != LimitedAction::RunTests);
        is_action && self.holds == Holds::Task && self.limit.is_lifted_by(rest)
    }

    /// A limit with "never". A limit on all changes still holds for this prompt only.
    fn never(limit: Limit) -> Self {
        match limit {
            Limit::NoChanges | Limit::OnlyPaths(_) => Self::plain(limit),
            Limit::NotPath(_) | Limit::NotAction(_) => Self { limit, holds: Holds::Session },
        }
    }
}

/// The limits in a person's words, from which the texts of clients are already dropped. `root` is the project's
/// directory, which absolute paths are told from.
pub fn limits_in(words: &str, root: Option<&str>) -> Vec<SaidLimit> {
    let mut found: Vec<SaidLimit> = vec![];
    let blocks = text::typed_blocks(words);
    for block in &blocks {
        let has_kana = block.contains(|c: char| ('\u{3041}'..='\u{30ff}').contains(&c));
        let read = if has_kana { japanese::limits_in } else { english::limits_in };
        for said in read(block, root) {
            if !found.iter().any(|other| other.limit == said.limit) {
                found.push(said);
            }
        }
    }
    let rest = lifting::behind_last_negation(words);
    found.retain(|said| !said.is_asked_for_in(rest));
    // "Change nothing, write the report to docs/a.md" allows the report, and perhaps more.
    if blocks.iter().any(|block| text::asks_to_write(block)) {
        found.retain(|said| said.limit != Limit::NoChanges);
    }
    found
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChanges => f.write_str("change no files"),
            Self::NotPath(path) => write!(f, "do not change {}", path.as_str()),
            Self::OnlyPaths(paths) => {
                let paths: Vec<&str> = paths.iter().map(PathPattern::as_str).collect();
                write!(f, "change only {}", paths.join(", "))
            }
            Self::NotAction(action) => write!(f, "do not {action}"),
        }
    }
}

impl fmt::Display for LimitedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commit { branch: None } => f.write_str("commit"),
            Self::Commit { branch: Some(branch) } => write!(f, "commit to {branch}"),
            Self::Push { branch: None } => f.write_str("push"),
            Self::Push { branch: Some(branch) } => write!(f, "push to {branch}"),
            Self::OpenPullRequest { base: None } => f.write_str("open a pull request"),
            Self::OpenPullRequest { base: Some(base) } => {
                write!(f, "open a pull request against {base}")
            }
            Self::AddDependency => f.write_str("add dependencies"),
            Self::Delete { path: None } => f.write_str("delete files"),
            Self::Delete { path: Some(path) } => write!(f, "delete {}", path.as_str()),
            Self::Stash => f.write_str("stash"),
            Self::RunTests => f.write_str("run the tests"),
            Self::Run(command) => write!(f, "run `{command}`"),
        }
    }
}

#[cfg(test)]
mod tests;
