//! What a reviewer decides, in three values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a reviewer decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Approved, changes wanted, or could not be made.
    pub outcome: Outcome,
    /// In one line.
    pub summary: String,
    /// What the agent is told: what to change.
    pub message: Option<String>,
    /// What other models thought.
    pub opinions: Option<String>,
}

/// The three values of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The work is approved.
    Complete,
    /// Changes are wanted.
    Issues,
    /// The review could not be made: a crash, a quota, a time-out.
    Unavailable,
}

impl Outcome {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 3] = [Self::Complete, Self::Issues, Self::Unavailable];

    /// The word for it on a command line and in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Issues => "issues",
            Self::Unavailable => "unavailable",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Outcome {
    type Err = BadDecision;

    fn from_str(word: &str) -> Result<Self, BadDecision> {
        // The words of the first design were in capitals.
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| BadDecision::Outcome(word.to_owned()))
    }
}

/// A decision that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDecision {
    /// The first word is none of the three.
    #[error("a decision is complete, issues or unavailable, not {0:?}")]
    Outcome(String),
    /// There is no summary.
    #[error("a decision needs a summary in one line")]
    NoSummary,
    /// Issues without a message leave the agent with nothing to do.
    #[error("issues need a message that says what to change")]
    NoMessage,
}

impl Decision {
    /// Checks that it can be taken.
    pub fn checked(self) -> Result<Self, BadDecision> {
        if self.summary.trim().is_empty() {
            return Err(BadDecision::NoSummary);
        }
        let has_message = self.message.as_ref().is_some_and(|message| !message.trim().is_empty());
        if self.outcome == Outcome::Issues && !has_message {
            return Err(BadDecision::NoMessage);
        }
        Ok(self)
    }
}
