//! The changes of the verification gate as the log stores them. The gate's state is a fold of them.
//!
//! This is a stored form. Changes to it only add variants and optional fields, so that old log
//! lines keep their meaning.

use serde::{Deserialize, Serialize};

use verger_event::{ContentHash, Releaser};

use super::Depth;
use super::failures::WatchedKind;
use super::phase::Ask;
use super::verified::Verified;
use crate::blocks::Block;

/// A change of the verification gate's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// A verification was started.
    Started {
        /// The id of the verification's run.
        run: String,
        /// The depth of the verification.
        depth: Depth,
        /// The content of the work that the verification checks.
        content: ContentHash,
    },
    /// A verification that was started won't have a result, because it was lost.
    Lost {
        /// The id of the verification's run.
        run: String,
    },
    /// A verification ended.
    Verified {
        /// The result of the verification.
        verified: Box<Verified>,
    },
    /// The gate refused a stop.
    Held {
        /// The refusal with its number and time.
        block: Block,
        /// The gate's request to the agent.
        ask: Ask,
    },
    /// A watched tool failed.
    Failed {
        /// The watched tool, as people would type it.
        what: String,
        /// The purpose of the watched tool.
        kind: WatchedKind,
    },
    /// A watched tool that had failed succeeded.
    Succeeded {
        /// The watched tool, as people would type it.
        what: String,
    },
    /// The agent claimed that the work is done, but no check confirms this. The gate let the agent
    /// stop.
    Claimed {
        /// The claim, and the depth of a verification that would confirm it.
        ask: Ask,
        /// The content of the work at the time of the claim.
        content: ContentHash,
        /// The reason why no check confirms the claim.
        why: String,
    },
    /// The current content is verified, or the task changed nothing.
    Satisfied,
    /// The gate was opened without a green verification.
    Released {
        /// The person or rule that opened the gate.
        by: ReleasedBy,
        /// The person's reason for opening the gate, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// The person or rule that opened the gate without a green verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// A person opened the gate.
    Person,
    /// The limit on refusals of this gate without progress.
    Breaker,
    /// The limit on stops in a row that any gates refused.
    Limit,
    /// The rule for projects that the person doesn't trust: the agent could not run the checks.
    Untrusted,
}

impl ReleasedBy {
    /// All variants of the type.
    pub const ALL: [Self; 4] = [Self::Person, Self::Breaker, Self::Limit, Self::Untrusted];

    /// The name in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// The reason in words for a release, if the person gave none.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Person => "the person gave no reason",
            Self::Breaker => "the agent made no progress while its stops were refused",
            Self::Limit => "too many stops in a row were refused",
            Self::Untrusted => {
                "unverified: the project is not trusted, so the agent could not run its checks"
            }
        }
    }
}

impl From<ReleasedBy> for Releaser {
    fn from(by: ReleasedBy) -> Self {
        match by {
            ReleasedBy::Person => Self::Person,
            ReleasedBy::Breaker => Self::Breaker,
            ReleasedBy::Limit => Self::Limit,
            ReleasedBy::Untrusted => Self::Untrusted,
        }
    }
}

impl Change {
    /// The cause of the change in a few words, for the log.
    pub fn cause(&self) -> String {
        match self {
            Self::Started { depth, .. } => format!("{depth} verification started"),
            Self::Lost { .. } => "the result of the verification was lost".to_owned(),
            Self::Verified { verified } => {
                format!("{} verification is {}", verified.depth, verified.status)
            }
            Self::Held { block, .. } => format!("stop refused, number {}", block.number),
            Self::Failed { what, .. } => format!("failed: {what}"),
            Self::Succeeded { what } => format!("succeeded: {what}"),
            Self::Claimed { why, .. } => {
                format!("the agent wanted to stop without a green verification: {why}")
            }
            Self::Satisfied => "nothing to verify".to_owned(),
            Self::Released { by, .. } => format!("released by {}", by.as_str()),
        }
    }
}
