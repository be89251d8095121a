//! What an instruction does to the goal before it.

use serde::{Deserialize, Serialize};

use super::relation::Relation;
use crate::tasks::PromptAction;

/// What a prompt does to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// There was none.
    First,
    /// It says more about the same work.
    Refines,
    /// It is about other work.
    Replaces,
    /// It seems to be about other work, though nothing says that the work before is over.
    SeemsNew,
    /// It says only to go on.
    GoesOn,
}

impl Turn {
    /// Whether other work begins: what was asked for before is no longer wanted.
    pub fn begins(self) -> bool {
        matches!(self, Self::First | Self::Replaces | Self::SeemsNew)
    }

    /// The turn that a prompt is when it does this to the tasks.
    pub(super) fn agreeing_with(self, action: PromptAction) -> Self {
        match (action, self) {
            (PromptAction::NewTask, Self::Refines | Self::GoesOn) => Self::SeemsNew,
            (
                PromptAction::Continue | PromptAction::Subtask | PromptAction::ParallelTask,
                Self::Replaces | Self::SeemsNew,
            ) => Self::Refines,
            (_, turn) => turn,
        }
    }
}

impl From<Relation> for Turn {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::GoesOn => Self::GoesOn,
            // What comes first or beside is wanted, and so is the rest.
            Relation::Refines | Relation::ComesFirst | Relation::IsBeside => Self::Refines,
            Relation::Replaces => Self::Replaces,
            Relation::SeemsNew => Self::SeemsNew,
        }
    }
}
