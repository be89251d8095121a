//! The score of the claim detector on the labelled example messages.

use serde::Deserialize;
use verger_gate::verification::{Claim, claim};

use crate::guard_score::Share;

/// A message, labelled with whether it claims completion.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledMessage {
    /// Language, kind, and position among the messages of the kind.
    pub id: String,
    /// `en` or `ja`.
    pub lang: String,
    /// The kind of message.
    pub kind: String,
    /// The final message of an agent.
    pub message: String,
    /// Whether the message claims completion.
    pub claims: bool,
}

/// A message, its label, and the detector's result.
#[derive(Debug)]
pub struct ScoredMessage {
    /// The message.
    pub labelled: LabelledMessage,
    /// The claim that the detector found in the message.
    pub claim: Option<Claim>,
}

/// The detector's precision and recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimTotals {
    /// The share of messages with a detected claim that really claim completion.
    pub precision: Share,
    /// The share of messages with a claim in which the detector found it.
    pub recall: Share,
}

/// Scores the example messages, in the order of the file.
pub fn score_claims() -> Vec<ScoredMessage> {
    let lines = include_str!("../../gate/tests/corpus/claims.jsonl");
    let scored = |line| {
        let labelled: LabelledMessage = serde_json::from_str(line).unwrap();
        let claim = claim(&labelled.message);
        ScoredMessage { labelled, claim }
    };
    lines.lines().map(scored).collect()
}

impl ScoredMessage {
    /// Whether the detector's result matches the label.
    pub fn is_right(&self) -> bool {
        self.claim.is_some() == self.labelled.claims
    }
}

impl ClaimTotals {
    /// Counts scored messages.
    pub fn of<'a>(scored: impl IntoIterator<Item = &'a ScoredMessage>) -> Self {
        let (mut found, mut taken, mut claims) = (0, 0, 0);
        for one in scored {
            taken += usize::from(one.claim.is_some());
            claims += usize::from(one.labelled.claims);
            found += usize::from(one.claim.is_some() && one.labelled.claims);
        }
        Self {
            precision: Share { some: found, of: taken },
            recall: Share { some: found, of: claims },
        }
    }
}
