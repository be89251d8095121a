//! Where the gate stands.

use std::fmt;

use serde::{Deserialize, Serialize};
use verger_event::{Timestamp, tamed};

use super::Profile;
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
            Self::Verified { .. } => "verified",
            Self::Released { .. } => "released",
        }
    }

    /// What is asked for and not there yet.
    pub fn open_ask(&self) -> Option<&Ask> {
        match self {
            Self::Blocked { ask, .. } => Some(ask),
            Self::Idle | Self::Verified { .. } | Self::Released { .. } => None,
        }
    }
}

/// What an agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// What made the gate ask.
    pub trigger: Trigger,
    /// How deep the verification has to look.
    pub profile: Profile,
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
