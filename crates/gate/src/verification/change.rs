//! What the log keeps of the gate: its state is the fold of these.
//!
//! This is a stored form. Variants and fields are added, and new fields are optional; an old line
//! must go on to mean what it meant.

use serde::{Deserialize, Serialize};

use verger_event::{ContentHash, Releaser};

use super::Depth;
use super::failures::WatchedKind;
use super::phase::Ask;
use super::verified::Verified;
use crate::blocks::Block;

/// Something happened to the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// A verification was started.
    Started {
        /// The run's id.
        run: String,
        /// How deep it looks.
        depth: Depth,
        /// The content that it looks at.
        content: ContentHash,
    },
    /// A verification will not come to an end.
    Lost {
        /// The run's id.
        run: String,
    },
    /// A verification ended.
    Verified {
        /// With this.
        verified: Box<Verified>,
    },
    /// A stop was refused.
    Held {
        /// Which refusal it is.
        block: Block,
        /// What the agent was asked for.
        ask: Ask,
    },
    /// A watched tool failed.
    Failed {
        /// What, as people would type it.
        what: String,
        /// What it is for.
        kind: WatchedKind,
    },
    /// A watched tool that had failed succeeded.
    Succeeded {
        /// What, as people would type it.
        what: String,
    },
    /// The agent said that the work is done, no green check shows it, and nothing held it.
    Claimed {
        /// The claim, and how deep a verification would have to look.
        ask: Ask,
        /// The content that it was said of.
        content: ContentHash,
        /// Why no check shows it.
        why: String,
    },
    /// The work is verified as it is, or there is none.
    Satisfied,
    /// The gate was opened without a verification.
    Released {
        /// By whom or what.
        by: ReleasedBy,
        /// Why, as far as a person said it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// Who or what opens the gate without a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// A person.
    Person,
    /// The agent stood still too often.
    Breaker,
    /// Too many stops in a row were refused, by whichever gates.
    Limit,
    /// The project is not trusted, so the agent could not run its checks.
    Untrusted,
}

impl ReleasedBy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Person, Self::Breaker, Self::Limit, Self::Untrusted];

    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// What it means, where nobody gave a reason.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Person => "the person gave no reason",
            Self::Breaker => "the agent stood still while its stops were refused",
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
    /// What moved the gate, in a few words.
    pub fn cause(&self) -> String {
        match self {
            Self::Started { depth, .. } => format!("{depth} verification started"),
            Self::Lost { .. } => "the verification was lost".to_owned(),
            Self::Verified { verified } => {
                format!("{} verification is {}", verified.depth, verified.status)
            }
            Self::Held { block, .. } => format!("stop refused, number {}", block.number),
            Self::Failed { what, .. } => format!("failed: {what}"),
            Self::Succeeded { what } => format!("succeeded: {what}"),
            Self::Claimed { why, .. } => format!("said to be done without a green check: {why}"),
            Self::Satisfied => "nothing is left to verify".to_owned(),
            Self::Released { by, .. } => format!("released by {}", by.as_str()),
        }
    }
}
