//! Where the gate stands.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp, tamed};

use super::Depth;
use super::change::ReleasedBy;

/// How much of an agent's own words is kept.
const MAX_WORDS_BYTES: usize = 160;

/// Where the gate stands in the task in hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Phase {
    /// Nothing was asked for yet.
    #[default]
    Idle,
    /// A stop was refused.
    Blocked {
        /// What was asked for, the last time.
        ask: Ask,
        /// Since when.
        since: Timestamp,
    },
    /// The agent said that the work is done, and stopped without a green check; nothing held it.
    Claimed {
        /// The claim, and how deep a verification would have to look.
        ask: Ask,
        /// The content that it was said of.
        content: ContentHash,
        /// Why no check shows it.
        why: String,
        /// When.
        at: Timestamp,
    },
    /// The work was verified as it is, and the agent let go.
    Verified {
        /// When.
        at: Timestamp,
    },
    /// The gate was opened without a verification.
    Released {
        /// By whom or what.
        by: ReleasedBy,
        /// When.
        at: Timestamp,
    },
}

impl Phase {
    /// The state's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Blocked { .. } => "blocked",
            Self::Claimed { .. } => "claimed",
            Self::Verified { .. } => "verified",
            Self::Released { .. } => "released",
        }
    }

    /// What is asked for and not there yet.
    pub fn open_ask(&self) -> Option<&Ask> {
        match self {
            Self::Blocked { ask, .. } => Some(ask),
            Self::Idle | Self::Claimed { .. } | Self::Verified { .. } | Self::Released { .. } => {
                None
            }
        }
    }

    /// Whether a claim about this content is on record already.
    pub(super) fn claims(&self, of: &ContentHash) -> bool {
        matches!(self, Self::Claimed { content, .. } if content == of)
    }

    /// Whether the gate asked for a verification, or saw a claim, and the work is not green.
    pub fn is_unverified(&self) -> bool {
        match self {
            Self::Blocked { .. } | Self::Claimed { .. } | Self::Released { .. } => true,
            Self::Idle | Self::Verified { .. } => false,
        }
    }
}

/// What an agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// What made the gate ask.
    pub trigger: Trigger,
    /// How deep the verification has to look.
    pub depth: Depth,
}

/// What makes the gate ask for a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Trigger {
    /// The marker in the agent's last message.
    Marker,
    /// Words in it that say that the work is done.
    Claim {
        /// The words.
        words: String,
    },
    /// A watched tool that failed, and did not succeed since.
    Failure {
        /// What failed, as people would type it.
        what: String,
    },
    /// A watched tool that failed, and succeeded after a stop was refused for it.
    FailedBefore {
        /// What failed, as people would type it.
        what: String,
    },
    /// The mode `always`.
    Always,
}

impl Trigger {
    /// By words that say that the work is done.
    pub(super) fn claim(words: &str) -> Self {
        let words = tamed(&words[..words.floor_char_boundary(MAX_WORDS_BYTES)]);
        Self::Claim { words: words.trim_end_matches(['.', '。', ' ']).to_owned() }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marker => write!(f, "the agent's {}", super::MARKER),
            Self::Claim { words } => write!(f, "the agent said {words:?}"),
            Self::Failure { what } => write!(f, "`{what}` failed and did not succeed since"),
            Self::FailedBefore { what } => {
                write!(f, "`{what}` failed, and nothing verified the work since")
            }
            Self::Always => f.write_str("verification.mode = \"always\""),
        }
    }
}
