//! A reviewer's decision. It has one of three outcomes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
pub use verger_event::ReviewDecision as Outcome;
use verger_event::{UnknownWord, hex};

/// A reviewer's decision about the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The outcome: approved, changes wanted, or no review possible.
    pub outcome: Outcome,
    /// The reviewer's summary, in one line.
    pub summary: String,
    /// The reviewer's message to the agent, with the changes to make.
    pub message: Option<String>,
    /// The opinions of other models, if the reviewer asked some.
    pub opinions: Option<String>,
}

/// The reason why a decision is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDecision {
    /// The outcome isn't one of the three words.
    #[error(transparent)]
    Outcome(#[from] UnknownWord),
    /// The decision has no summary.
    #[error("a decision needs a summary in one line")]
    NoSummary,
    /// The outcome is issues, but there is no message, so the agent wouldn't know what to change.
    #[error("issues need a message that says what to change")]
    NoMessage,
}

impl Decision {
    /// Parses the outcome of a decision, in upper or lower case.
    pub fn outcome_of(word: &str) -> Result<Outcome, BadDecision> {
        Ok(word.to_ascii_lowercase().parse()?)
    }

    /// Checks that the decision is valid, and trims its texts.
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

    /// The digest of the decision's texts. The log may redact secrets in the texts, but the stored
    /// digest stays the same.
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

/// A digest of the exact texts of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DecisionDigest(String);
