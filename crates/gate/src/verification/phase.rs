//! The phases of the verification gate.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp, tamed};

use super::Depth;
use super::change::ReleasedBy;

/// The maximum number of bytes that are stored of an agent's claim.
const MAX_WORDS_BYTES: usize = 160;

/// The phase of the verification gate in the current task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Phase {
    /// The gate has not asked for a verification yet.
    #[default]
    Idle,
    /// The gate refused a stop.
    Blocked {
        /// The gate's last request to the agent.
        ask: Ask,
        /// The time of the first refusal of a stop.
        since: Timestamp,
    },
    /// The agent claimed that the work is done and stopped without a green verification. The gate
    /// didn't refuse the stop.
    Claimed {
        /// The claim, and the depth of a verification that would confirm it.
        ask: Ask,
        /// The content of the work at the time of the claim.
        content: ContentHash,
        /// The reason why no check confirms the claim.
        why: String,
        /// The time of the claim.
        at: Timestamp,
    },
    /// The current content was verified, and the agent may stop.
    Verified {
        /// The time at which this phase began.
        at: Timestamp,
    },
    /// The gate was opened without a green verification.
    Released {
        /// The person or rule that opened the gate.
        by: ReleasedBy,
        /// The time at which the gate was opened.
        at: Timestamp,
    },
}

impl Phase {
    /// The name of the phase in the log and in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Blocked { .. } => "blocked",
            Self::Claimed { .. } => "claimed",
            Self::Verified { .. } => "verified",
            Self::Released { .. } => "released",
        }
    }

    /// The request for a verification that is still open, if there is one.
    pub fn open_ask(&self) -> Option<&Ask> {
        match self {
            Self::Blocked { ask, .. } => Some(ask),
            Self::Idle | Self::Claimed { .. } | Self::Verified { .. } | Self::Released { .. } => {
                None
            }
        }
    }

    /// Whether a claim about work with this content is already recorded.
    pub(super) fn claims(&self, of: &ContentHash) -> bool {
        matches!(self, Self::Claimed { content, .. } if content == of)
    }

    /// Whether the gate requested a verification or recorded a claim, and the work isn't verified.
    pub fn is_unverified(&self) -> bool {
        match self {
            Self::Blocked { .. } | Self::Claimed { .. } | Self::Released { .. } => true,
            Self::Idle | Self::Verified { .. } => false,
        }
    }
}

/// A request for a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The reason for the request.
    pub trigger: Trigger,
    /// The depth that the verification needs.
    pub depth: Depth,
}

/// The reason why the gate asks for a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Trigger {
    /// The agent's last message has the marker.
    Marker,
    /// The agent's last message has words that claim that the work is done.
    Claim {
        /// The words of the claim.
        words: String,
    },
    /// A watched tool failed and didn't succeed since.
    Failure {
        /// The watched tool, as people would type it.
        what: String,
    },
    /// A watched tool failed. It succeeded only after a stop was refused because of the failure.
    FailedBefore {
        /// The watched tool, as people would type it.
        what: String,
    },
    /// The mode is `always`.
    Always,
}

impl Trigger {
    /// The trigger for a claim with these words.
    pub(super) fn claim(words: &str) -> Self {
        let words = tamed(&words[..words.floor_char_boundary(MAX_WORDS_BYTES)]);
        Self::Claim { words: words.trim_end_matches(['.', '。', ' ']).to_owned() }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marker => write!(f, "the agent wrote {}", super::MARKER),
            Self::Claim { words } => write!(f, "the agent said {words:?}"),
            Self::Failure { what } => write!(f, "`{what}` failed and has not succeeded since"),
            Self::FailedBefore { what } => {
                write!(f, "`{what}` failed, and the work was not verified since")
            }
            Self::Always => f.write_str("verification.mode = \"always\""),
        }
    }
}
