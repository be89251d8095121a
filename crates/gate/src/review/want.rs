//! A review that the gate wants, and the reason for it.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::{EventId, Timestamp, ToolCall, hex};

use super::approval::Approval;
use super::decision::{Decision, Outcome};

/// The maximum number of bytes of a reviewer's text that the state keeps. The log has the whole
/// text.
const MAX_FINDING_BYTES: usize = 4096;

/// A review that the gate wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The reason why the review is wanted.
    pub trigger: Trigger,
    /// The time when the review became wanted.
    pub since: Timestamp,
    /// The last gated call that was denied because the review is missing.
    pub call: Option<GatedCall>,
    /// The findings of the last reviewer, if that reviewer didn't approve.
    pub findings: Option<Findings>,
    /// The last approval before the review became wanted again. If the content is again that of the
    /// approval, the approval counts.
    pub lapsed: Option<Approval>,
}

impl Want {
    pub(crate) fn new(trigger: Trigger, since: Timestamp) -> Self {
        Self { trigger, since, call: None, findings: None, lapsed: None }
    }

    /// Whether a person or a setting wants the review. `false` if the agent started a reviewer by
    /// itself.
    pub(crate) fn is_somebodys(&self) -> bool {
        self.trigger != Trigger::Reviewer
    }
}

/// The reason why the gate wants a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Trigger {
    /// A prompt began with a trigger word.
    Prompt {
        /// The trigger word of the prompt.
        word: String,
    },
    /// The mode is `always`.
    Always,
    /// A gated tool was requested.
    Tool,
    /// The agent started a reviewer by itself. No person or setting wants the review.
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
    /// The id of the record of the request, which contains the tool's input.
    pub on: EventId,
    /// The name of the tool.
    pub tool: String,
    /// The user's pattern that the call matches.
    pub pattern: String,
    /// A digest that identifies the call.
    pub digest: CallDigest,
}

/// A digest of a call's tool and input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallDigest(String);

impl CallDigest {
    /// Computes the digest of a call. Text that isn't executed, such as a description, doesn't
    /// affect the digest.
    pub fn of(call: &ToolCall) -> Self {
        let mut hash = Sha256::new();
        hash.update(call.identity().as_bytes());
        Self(hex(&hash.finalize()[..16]))
    }
}

/// The findings of a reviewer that didn't approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The outcome: issues, or no review possible.
    pub outcome: Outcome,
    /// The reviewer's summary, in one line.
    pub summary: String,
    /// The reviewer's message to the agent, if there is one.
    pub message: Option<String>,
    /// The time of the decision.
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
