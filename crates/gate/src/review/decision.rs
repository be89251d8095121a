//! What a reviewer decides, in three values.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
pub use verger_event::ReviewDecision as Outcome;
use verger_event::{UnknownWord, hex};

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

/// A decision that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDecision {
    /// The first word is none of the three.
    #[error(transparent)]
    Outcome(#[from] UnknownWord),
    /// There is no summary.
    #[error("a decision needs a summary in one line")]
    NoSummary,
    /// Issues without a message leave the agent with nothing to do.
    #[error("issues need a message that says what to change")]
    NoMessage,
}

impl Decision {
    /// Reads the outcome of a decision. The words of the first design were in capitals.
    pub fn outcome_of(word: &str) -> Result<Outcome, BadDecision> {
        Ok(word.to_ascii_lowercase().parse()?)
    }

    /// Checks that it can be taken. Space around the texts is no part of them.
    pub fn checked(self) -> Result<Self, BadDecision> {
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let summary = text(&self.summary).ok_or(BadDecision::NoSummary)?;
        let message = self.message.as_deref().and_then(text);
        if self.outcome == Outcome::Issues && message.is_none() {
            return Err(BadDecision::NoMessage);
        }
        let opinions = self.opinions.as_deref().and_then(text);
        Ok(Self { outcome: self.outcome, summary, message, opinions })
    }

    /// What stands for it. The log may keep its texts without the secrets in them; this stays.
    pub fn digest(&self) -> DecisionDigest {
        let Self { outcome, summary, message, opinions } = self;
        let mut hash = Sha256::new();
        let texts =
            [Some(outcome.as_str()), Some(summary), message.as_deref(), opinions.as_deref()];
        for text in texts {
            let length = text.map_or(u64::MAX, |text| text.len() as u64);
            hash.update(length.to_be_bytes());
            hash.update(text.unwrap_or_default());
        }
        DecisionDigest(hex(&hash.finalize()[..16]))
    }
}

/// Stands for a decision, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DecisionDigest(String);
