//! Recognizes explicit limits that a person types: "don't touch src/api", "do not push", コミットしないで.
//!
//! A limit is recognized only in a short imperative sentence. The negation (or "only") must be
//! directly before the verb, and the object must be explicit. A doubtful sentence isn't a limit.
//! English and Japanese are parsed with one table of patterns each. Other languages aren't parsed.

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

/// An instruction about what the agent must not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The agent may change no file.
    NoChanges,
    /// The files that match this pattern may not change.
    NotPath(PathPattern),
    /// Only files that match one of these patterns may change.
    OnlyPaths(Vec<PathPattern>),
    /// The agent must not do this action.
    NotAction(LimitedAction),
}

/// An action that a person can forbid by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitedAction {
    /// `git commit`. If a branch is named, only commits to that branch are forbidden.
    Commit {
        /// The branch, if the person names one.
        branch: Option<String>,
    },
    /// `git push`. If a branch is named, only pushes to that branch are forbidden.
    Push {
        /// The branch, if the person names one.
        branch: Option<String>,
    },
    /// Opening a pull request. If a base branch is named, only pull requests against it are
    /// forbidden.
    OpenPullRequest {
        /// The base branch, if the person names one.
        base: Option<String>,
    },
    /// Installing or adding a dependency.
    AddDependency,
    /// Deleting files. If a path is named, only files that match it.
    Delete {
        /// The path, if the person names one.
        path: Option<PathPattern>,
    },
    /// Running `git stash`.
    Stash,
    /// Running the project's tests.
    RunTests,
    /// Running a command that begins with these words.
    Run(String),
}

/// The duration of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// Until the person's next prompt. A prompt that only says to go on doesn't end the limit.
    Prompt,
    /// Until the task ends.
    Task,
    /// Until the session ends ("never ...").
    Session,
}

/// A limit that was recognized in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidLimit {
    /// The limit that was recognized.
    pub limit: Limit,
    /// The duration of the limit.
    pub holds: Holds,
}

impl SaidLimit {
    /// A limit whose sentence has no word for a duration. A limit on all changes or on running
    /// tests holds until the next prompt. All other limits hold for the task.
    fn plain(limit: Limit) -> Self {
        let holds = match &limit {
            Limit::NoChanges | Limit::OnlyPaths(_) | Limit::NotAction(LimitedAction::RunTests) => {
                Holds::Prompt
            }
            Limit::NotPath(_) | Limit::NotAction(_) => Holds::Task,
        };
        Self { limit, holds }
    }

    /// Whether the rest of the prompt asks for the action, as in "Don't commit yet. Run the tests,
    /// then commit."
    fn is_asked_for_in(&self, rest: &str) -> bool {
        let is_action =
            matches!(&self.limit, Limit::NotAction(action) if *action != LimitedAction::RunTests);
        is_action && self.holds == Holds::Task && self.limit.is_lifted_by(rest)
    }

    /// A limit whose sentence has "never". It holds for the session, but a limit on all changes
    /// holds only until the next prompt.
    fn never(limit: Limit) -> Self {
        match limit {
            Limit::NoChanges | Limit::OnlyPaths(_) => Self::plain(limit),
            Limit::NotPath(_) | Limit::NotAction(_) => Self { limit, holds: Holds::Session },
        }
    }
}

/// The limits in a person's words. The client's own texts must already be removed from `words`.
/// `root` is the project's directory. Absolute paths are made relative to it.
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
    // "Change nothing, write the report to docs/a.md" allows at least the report, so it isn't a
    // limit on all changes.
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
