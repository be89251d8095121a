//! The actions that limits of both languages forbid.

use super::{Limit, LimitedAction};
use crate::paths::PathPattern;

/// A verb that a limit can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Change,
    Delete,
    Commit,
    Push,
    Open,
    Make,
    Add,
    Install,
    Stash,
    Run,
    Use,
}

impl Verb {
    /// The first verb of its family. Verbs of one family share an object: "commit or push to main".
    pub(super) fn family(self) -> Self {
        match self {
            Self::Delete => Self::Change,
            Self::Push => Self::Commit,
            Self::Make => Self::Open,
            Self::Install => Self::Add,
            Self::Use => Self::Run,
            other => other,
        }
    }

    /// The limit where no file, branch or command is named.
    pub(super) fn on_anything(self) -> Limit {
        Limit::NotAction(match self {
            Self::Change | Self::Make => return Limit::NoChanges,
            Self::Delete => LimitedAction::Delete { path: None },
            Self::Commit | Self::Push => return self.on_branch(None),
            Self::Open => LimitedAction::OpenPullRequest { base: None },
            Self::Add | Self::Install => LimitedAction::AddDependency,
            Self::Stash => LimitedAction::Stash,
            Self::Run | Self::Use => LimitedAction::RunTests,
        })
    }

    /// The limit on changing or deleting a path.
    pub(super) fn on_path(self, path: PathPattern) -> Limit {
        match self {
            Self::Delete => Limit::NotAction(LimitedAction::Delete { path: Some(path) }),
            _ => Limit::NotPath(path),
        }
    }

    /// The limit on committing or pushing.
    pub(super) fn on_branch(self, branch: Option<String>) -> Limit {
        Limit::NotAction(match self {
            Self::Push => LimitedAction::Push { branch },
            _ => LimitedAction::Commit { branch },
        })
    }
}

/// Whether a text can be the name of a branch.
pub(super) fn is_branch_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "/_.-".contains(c))
}
