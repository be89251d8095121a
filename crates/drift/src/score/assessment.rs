//! A score and what it came from.

use serde::{Deserialize, Serialize};

use crate::goal::Constraint;

/// From 1, lost, to 10, on course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Score(u8);

impl Score {
    /// On course.
    pub const BEST: Self = Self(10);
    /// The best score that asks for a correction.
    pub const CORRECTED: Self = Self(7);

    /// The nearest score.
    pub fn new(score: i64) -> Self {
        Self(u8::try_from(score.clamp(1, 10)).unwrap_or(10))
    }

    /// As a number.
    pub fn get(self) -> u8 {
        self.0
    }

    /// Whether the agent should be told.
    pub fn asks_for_correction(self) -> bool {
        self.level().is_some()
    }
}

/// What a course is worth at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// How far it is on course.
    pub score: Score,
    /// What speaks against it, the weightiest first.
    pub reasons: Vec<Reason>,
}

/// What speaks against a course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A person forbade to change it.
    Forbidden {
        /// The file.
        what: String,
        /// What forbids it.
        constraint: Constraint,
    },
    /// A person forbade to run it.
    ForbiddenRun {
        /// The command.
        what: String,
        /// What forbids it.
        constraint: Constraint,
    },
    /// A program takes what a person said for a reason not to.
    ReadAsForbidden {
        /// The file, or the command.
        what: String,
        /// What forbids it.
        constraint: Constraint,
    },
    /// It has nothing to do with what was asked for.
    OutsideScope {
        /// The file, or the command.
        what: String,
    },
    /// It belongs to what was asked for before.
    OldGoal {
        /// The file.
        what: String,
    },
    /// The work was done and checked, and this is no part of it.
    AfterDone {
        /// The file, or the command.
        what: String,
    },
    /// The same file is changed again and again, and the same goes on failing.
    Circles {
        /// The file.
        what: String,
        /// How often it was changed since something was learned.
        changes: u32,
    },
    /// Much was read that has nothing to do with what was asked for, and nothing came of it.
    ReadsElsewhere {
        /// The file that was read last.
        what: String,
        /// How many in a row.
        reads: u32,
    },
    /// A program of the user's choice thinks so.
    Judged {
        /// Why.
        what: String,
    },
}

impl Reason {
    /// Whether a person forbade it.
    pub fn is_forbidden(&self) -> bool {
        matches!(self, Self::Forbidden { .. } | Self::ForbiddenRun { .. })
    }

    /// What forbids it, where something does.
    pub fn constraint(&self) -> Option<&Constraint> {
        match self {
            Self::Forbidden { constraint, .. }
            | Self::ForbiddenRun { constraint, .. }
            | Self::ReadAsForbidden { constraint, .. } => Some(constraint),
            _ => None,
        }
    }

    /// The file or command that it is about.
    pub fn what(&self) -> &str {
        match self {
            Self::Forbidden { what, .. }
            | Self::ForbiddenRun { what, .. }
            | Self::ReadAsForbidden { what, .. }
            | Self::OutsideScope { what }
            | Self::OldGoal { what }
            | Self::AfterDone { what }
            | Self::Circles { what, .. }
            | Self::ReadsElsewhere { what, .. }
            | Self::Judged { what } => what,
        }
    }
}
