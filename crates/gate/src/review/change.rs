//! The changes of the review gate as the log stores them. The gate's state is a fold of them.
//!
//! This is a stored form. Changes to it only add variants and optional fields, so that old log
//! lines keep their meaning.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::decision::{BadDecision, Decision, DecisionDigest, Outcome};
use super::reviewing::{Proof, ReviewerId};
use super::run::Ran;
use super::want::{GatedCall, Trigger};
use crate::blocks::Block;
use verger_event::{ContentHash, Releaser};

/// A change of the review gate's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// A review is wanted from now on.
    Wanted {
        /// The reason why the review is wanted.
        trigger: Trigger,
    },
    /// The gate denied a call of a gated tool.
    Denied {
        /// The call that was denied.
        call: GatedCall,
    },
    /// The gate refused a stop.
    Held {
        /// The refusal with its number and time.
        block: Block,
        /// The template of the message to the agent.
        template: String,
    },
    /// A reviewer began to review the work.
    ReviewerStarted {
        /// The reviewer that began the review.
        reviewer: ReviewerId,
        /// The proof that the reviewer's decision will need.
        proof: Proof,
        /// The content that the reviewer reviews.
        content: ContentHash,
    },
    /// The hook saw a reviewer call `verger decide`.
    Attested {
        /// The reviewer that made the call.
        reviewer: ReviewerId,
        /// The outcome of the decision: approved, changes wanted, or no review possible.
        outcome: Outcome,
        /// The digest of the exact decision in the call.
        digest: DecisionDigest,
    },
    /// A reviewer wanted to stop without a decision and was asked for one.
    ReviewerHeld {
        /// The reviewer that was asked.
        reviewer: ReviewerId,
    },
    /// A reviewer ended without a decision.
    ReviewerEnded {
        /// The reviewer that ended.
        reviewer: ReviewerId,
    },
    /// The program that verger ran for a review ended, with or without a decision.
    RunEnded {
        /// The run of the program.
        reviewer: ReviewerId,
        /// The end of the run.
        ran: Ran,
    },
    /// The gate accepted a decision.
    Decided {
        /// The reviewer that decided.
        reviewer: ReviewerId,
        /// The decision that the gate accepted.
        decision: Decision,
        /// The content that the decision is about.
        content: ContentHash,
    },
    /// The gate rejected a decision.
    Refused {
        /// The reason why the decision was rejected.
        why: Refusal,
    },
    /// The one call for which an approval was given was allowed.
    ApprovalUsed,
    /// The content is the approved content again.
    Restored,
    /// An action of the agent passed because its work couldn't be compared with the approved
    /// content.
    PassedUncompared,
    /// The task no longer has changes, so no review is wanted.
    Satisfied,
    /// The gate was opened without an approval.
    Released {
        /// The person or rule that opened the gate.
        by: ReleasedBy,
        /// The person's reason for opening the gate, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// The reason why a decision was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Refusal {
    /// The call with the decision isn't from a reviewer, and only a reviewer may decide.
    NotTheReviewer,
    /// The decision's token was given to no reviewer of the task.
    UnknownToken,
    /// The decision has no token.
    NoToken,
    /// The token was already used.
    TokenUsed,
    /// The hook didn't see the reviewer make the call with this decision.
    NotAttested,
    /// The decision names another session.
    OtherSession,
    /// The command line with the decision isn't one plain command.
    NotPlain,
    /// The decision is invalid.
    Bad {
        /// The reason why the decision is invalid.
        problem: String,
    },
    /// The content changed since the reviewer started.
    ContentChanged {
        /// The changed files, as far as they are known.
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
            Self::NotTheReviewer => f.write_str(
                "only the reviewer can decide, and this agent is \
                                                 not the reviewer",
            ),
            Self::UnknownToken => f.write_str("this token belongs to no reviewer of this task"),
            Self::NoToken => f.write_str("a decision needs the reviewer's token"),
            Self::TokenUsed => f.write_str("the token was used already"),
            Self::NotAttested => f.write_str("verger did not see the reviewer run this command"),
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

/// The person or rule that opened the gate without an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleasedBy {
    /// The limit on refusals of this gate without progress.
    Breaker,
    /// The limit on stops in a row that any gates refused.
    Limit,
    /// The settings, because a review wasn't possible.
    Unavailable,
    /// A person opened the gate.
    Person,
}

impl ReleasedBy {
    /// All variants of the type.
    pub const ALL: [Self; 4] = [Self::Breaker, Self::Limit, Self::Unavailable, Self::Person];

    /// The name in the log.
    pub fn as_str(self) -> &'static str {
        Releaser::from(self).as_str()
    }

    /// The reason in words for a release, if the person gave none.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Breaker => "the agent made no progress while its stops were refused",
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
    /// The cause of the change in a few words, for the log.
    pub fn cause(&self) -> String {
        match self {
            Self::Wanted { trigger } => format!("review wanted by {trigger}"),
            Self::Denied { call } => format!("gated call denied: {}", call.pattern),
            Self::Held { block, .. } => format!("stop refused, number {}", block.number),
            Self::ReviewerStarted { reviewer, .. } => format!("reviewer started: {reviewer}"),
            Self::Attested { outcome, .. } => format!("reviewer runs `verger decide {outcome}`"),
            Self::ReviewerHeld { .. } => "reviewer told to decide before it stops".to_owned(),
            Self::ReviewerEnded { .. } => "reviewer ended without a decision".to_owned(),
            Self::RunEnded { ran, .. } => format!("reviewer {}", ran.ending),
            Self::Decided { decision, .. } => format!("reviewer decided {}", decision.outcome),
            Self::Refused { why } => format!("decision refused: {why}"),
            Self::ApprovalUsed => "approved call allowed".to_owned(),
            Self::Restored => "the work is again as it was approved".to_owned(),
            Self::PassedUncompared => {
                "allowed, because the work could not be compared with the approved work".to_owned()
            }
            Self::Satisfied => "nothing to review".to_owned(),
            Self::Released { by, .. } => format!("released by {}", by.as_str()),
        }
    }
}
