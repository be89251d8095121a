//! What is wanted of a review, and why.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::{EventId, Timestamp, ToolCall, hex};

use super::approval::Approval;
use super::decision::{Decision, Outcome};

/// How much of a reviewer's words the state keeps; the log has them whole.
const MAX_FINDING_BYTES: usize = 4096;

/// A review that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// What made it wanted.
    pub trigger: Trigger,
    /// Since when.
    pub since: Timestamp,
    /// The last gated call that was denied for it.
    pub call: Option<GatedCall>,
    /// What the last reviewer said who did not approve.
    pub findings: Option<Findings>,
    /// The approval that was there when it was wanted again. It still counts for its own content.
    pub lapsed: Option<Approval>,
}

impl Want {
    pub(crate) fn new(trigger: Trigger, since: Timestamp) -> Self {
        Self { trigger, since, call: None, findings: None, lapsed: None }
    }

    /// Whether a person or a setting wants it, and not the agent alone.
    pub(crate) fn is_somebodys(&self) -> bool {
        self.trigger != Trigger::Reviewer
    }
}

/// What makes a review wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Trigger {
    /// A prompt that begins with one of the words for it.
    Prompt {
        /// The word.
        word: String,
    },
    /// The mode `always`.
    Always,
    /// A gated tool.
    Tool,
    /// Nobody: the agent asked a reviewer by itself.
    Reviewer,
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prompt { word } => write!(f, "a prompt with {word}"),
            Self::Always => f.write_str("review.mode = \"always\""),
            Self::Tool => f.write_str("a gated tool"),
            Self::Reviewer => f.write_str("the agent itself"),
        }
    }
}

/// A call of a gated tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatedCall {
    /// The record of the request, which has the input.
    pub on: EventId,
    /// The tool.
    pub tool: String,
    /// The pattern that it fits.
    pub pattern: String,
    /// What tells it from other calls.
    pub digest: CallDigest,
}

/// Stands for a tool and its input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallDigest(String);

impl CallDigest {
    /// Of a call. What a person reads and never runs (a description) is no part of it.
    pub fn of(call: &ToolCall) -> Self {
        let mut hash = Sha256::new();
        hash.update(call.identity().as_bytes());
        Self(hex(&hash.finalize()[..16]))
    }
}

/// What a reviewer said who did not approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Issues, or that there could be no review.
    pub outcome: Outcome,
    /// In one line.
    pub summary: String,
    /// For the agent.
    pub message: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Findings {
    pub(crate) fn new(decision: &Decision, at: Timestamp) -> Self {
        Self {
            outcome: decision.outcome,
            summary: beginning(&decision.summary),
            message: decision.message.as_deref().map(beginning),
            at,
        }
    }
}

fn beginning(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_FINDING_BYTES)].to_owned()
}
