//! What the log keeps of the gate: its state is the fold of these.
//!
//! This is a stored form. Variants and fields are added, and new fields are optional; an old line
//! must go on to mean what it meant.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::decision::{BadDecision, Decision, DecisionDigest, Outcome};
use super::reviewing::{Proof, ReviewerId};
use super::run::Ran;
use super::want::{GatedCall, Trigger};
use crate::blocks::Block;
use verger_event::{ContentHash, Releaser};

/// Something happened to the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// A review is wanted from now on.
    Wanted {
        /// Why.
        trigger: Trigger,
    },
    /// A gated call was denied.
    Denied {
        /// The call.
        call: GatedCall,
    },
    /// A stop was refused.
    Held {
        /// Which refusal it is.
        block: Block,
        /// The template of the message.
        template: String,
    },
    /// A reviewer began.
    ReviewerStarted {
        /// Which.
        reviewer: ReviewerId,
        /// How its decision will be known.
        proof: Proof,
        /// What it looks at.
        content: ContentHash,
    },
    /// A reviewer was seen to ask for its decision to be taken.
    Attested {
        /// Which.
        reviewer: ReviewerId,
        /// Approved, changes wanted, or could not be made.
        outcome: Outcome,
        /// The decision, word for word.
        digest: DecisionDigest,
    },
    /// A reviewer that wanted to stop without a decision was asked for one.
    ReviewerHeld {
        /// Which.
        reviewer: ReviewerId,
    },
    /// A reviewer ended without a decision.
    ReviewerEnded {
        /// Which.
        reviewer: ReviewerId,
    },
    /// The program that verger ran for a review is done, whatever came of it.
    RunEnded {
        /// Which run.
        reviewer: ReviewerId,
        /// How it ended.
        ran: Ran,
    },
    /// A decision was taken.
    Decided {
        /// Whose.
        reviewer: ReviewerId,
        /// The decision.
        decision: Decision,
        /// The content it speaks of.
        content: ContentHash,
    },
    /// A decision was not taken.
    Refused {
        /// Why not.
        why: Refusal,
    },
    /// The one call that an approval was given for was let through.
    ApprovalUsed,
    /// The content is again the one that was approved.
    Restored,
    /// The agent passed with an approval that could not be compared with the work.
    PassedUncompared,
    /// Nothing is left to review.
    Satisfied,
    /// The gate was opened without an approval.
    Released {
        /// By whom or what.
        by: ReleasedBy,
        /// What the person gave as the reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// Why a decision was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Refusal {
    /// Only a reviewer decides, and this call is not one's.
    NotTheReviewer,
    /// No reviewer of the task was given this token.
    UnknownToken,
    /// There is no token.
    NoToken,
    /// The token was used.
    TokenUsed,
    /// The call was not seen coming from the reviewer.
    NotAttested,
    /// It names another session.
    OtherSession,
    /// It is not one plain command.
    NotPlain,
    /// It cannot be taken.
    Bad {
        /// Why.
        problem: String,
    },
    /// The content is not what the reviewer looked at.
    ContentChanged {
        /// The files that differ, as far as they are known.
        paths: Vec<String>,
    },
}

impl From<BadDecision> for Refusal {
    fn from(bad: BadDecision) -> Self {
        Self::Bad { problem: bad.to_string() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTheReviewer => f.write_str("only the reviewer decides, and this is not it"),
            Self::UnknownToken => f.write_str("no reviewer of this task was given this token"),
            Self::NoToken => f.write_str("a decision needs the reviewer's token"),
            Self::TokenUsed => f.write_str("the token was used already"),
            Self::NotAttested => {
                f.write_str("the reviewer was not seen to make this decision with this command")
            }
            Self::OtherSession => f.write_str("the decision names another session"),
            Self::NotPlain => f.write_str("a decision must be one plain command"),
            Self::Bad { problem } => f.write_str(problem),
            Self::ContentChanged { paths } if paths.is_empty() => {
                f.write_str("the work changed since the reviewer started")
            }
            Self::ContentChanged { paths } => {
                write!(f, "the work changed since the reviewer started: {}", paths.join(", "))
            }
        }
    }
}

/// What opened the gate without an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// The agent stood still too often.
    Breaker,
    /// Too many stops in a row were refused, by whichever gates.
    Limit,
    /// The review could not be made.
    Unavailable,
    /// A person.
    Person,
}

impl ReleasedBy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Breaker, Self::Limit, Self::Unavailable, Self::Person];

    /// The word in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// What it means, where nobody gave a reason.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Breaker => "the agent stood still while its stops were refused",
            Self::Limit => "too many stops in a row were refused",
            Self::Unavailable => "the review could not be made",
            Self::Person => "the person gave no reason",
        }
    }
}

impl From<ReleasedBy> for Releaser {
    fn from(by: ReleasedBy) -> Self {
        match by {
            ReleasedBy::Breaker => Self::Breaker,
            ReleasedBy::Limit => Self::Limit,
            ReleasedBy::Unavailable => Self::Unavailable,
            ReleasedBy::Person => Self::Person,
        }
    }
}

impl Change {
    /// What moved the gate, in a few words.
    pub fn cause(&self) -> String {
        match self {
            Self::Wanted { trigger } => format!("review wanted by {trigger}"),
            Self::Denied { call } => format!("gated call denied: {}", call.pattern),
            Self::Held { block, .. } => format!("stop refused, number {}", block.number),
            Self::ReviewerStarted { reviewer, .. } => format!("reviewer started: {reviewer}"),
            Self::Attested { outcome, .. } => format!("reviewer asks for {outcome}"),
            Self::ReviewerHeld { .. } => "reviewer asked for a decision".to_owned(),
            Self::ReviewerEnded { .. } => "reviewer ended without a decision".to_owned(),
            Self::RunEnded { ran, .. } => format!("reviewer {}", ran.ending),
            Self::Decided { decision, .. } => format!("reviewer decided {}", decision.outcome),
            Self::Refused { why } => format!("decision refused: {why}"),
            Self::ApprovalUsed => "approved call let through".to_owned(),
            Self::Restored => "the content is again what was approved".to_owned(),
            Self::PassedUncompared => "passed, could not compare the work".to_owned(),
            Self::Satisfied => "nothing to review".to_owned(),
            Self::Released { by, .. } => format!("released by {}", by.as_str()),
        }
    }
}
