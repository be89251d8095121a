//! The running reviews, and the proof that a decision is the reviewer's own.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::{ContentHash, SubagentId, Timestamp, hex};

use super::decision::DecisionDigest;
use super::run::ReviewerProgram;

/// The maximum number of reviews in the state. If there are more, the oldest is removed, and its
/// reviewer can't decide any more.
const MAX_REVIEWERS: usize = 8;

/// The maximum number of bytes of a reviewer's id. Real ids have fewer than 60 bytes.
const MAX_ID_BYTES: usize = 128;

/// The maximum number of times that a reviewer that wants to stop without a decision is asked for
/// one.
pub const MAX_HOLDS: u32 = 2;

/// The id of a reviewer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ReviewerId {
    /// The reviewer is a subagent of the session.
    Subagent(SubagentId),
    /// The reviewer is a run of the program that the user configured. The text is the id of the
    /// run.
    Command(String),
}

impl fmt::Display for ReviewerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subagent(id) => write!(f, "subagent:{id}"),
            Self::Command(job) => write!(f, "command:{job}"),
        }
    }
}

impl From<ReviewerId> for String {
    fn from(reviewer: ReviewerId) -> Self {
        reviewer.to_string()
    }
}

impl TryFrom<String> for ReviewerId {
    type Error = UnknownReviewer;

    fn try_from(text: String) -> Result<Self, UnknownReviewer> {
        match text.split_once(':') {
            Some(("subagent", id)) => Ok(Self::Subagent(SubagentId::new(id))),
            Some(("command", job)) => Ok(Self::Command(job.to_owned())),
            _ => Err(UnknownReviewer(text)),
        }
    }
}

/// The error for a text that isn't the id of a reviewer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a reviewer")]
pub struct UnknownReviewer(String);

/// The hash of a reviewer's one-time token. The token itself isn't stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(String);

impl TokenHash {
    /// Computes the hash of a token.
    pub fn of(token: &str) -> Self {
        Self(hex(&Sha256::digest(token.as_bytes())))
    }
}

/// The proof that a decision is the reviewer's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The reviewer knows the token that it got when it started, and the hook saw the reviewer
    /// itself make the call.
    // The field isn't named `token`, because the log redacts fields with such names, so the hash
    // would be lost.
    #[serde(rename = "token_sha256")]
    Token(TokenHash),
    /// verger itself ran this program and read its output.
    Run(ReviewerProgram),
}

/// A review that is running, or whose decision was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewing {
    /// The content of the work at the start of the review.
    pub content: ContentHash,
    /// The time at which the review started.
    pub since: Timestamp,
    /// The proof that the reviewer's decision needs.
    pub proof: Proof,
    /// The stage that the review has reached.
    pub stage: Stage,
    /// The number of times that the reviewer wanted to stop and was asked for a decision.
    pub holds: u32,
}

/// The stage that a review has reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The reviewer has not decided yet.
    Looking,
    /// The hook saw the reviewer call `verger decide` with this decision.
    Attested {
        /// The digest of the exact decision.
        digest: DecisionDigest,
    },
    /// The reviewer's decision was accepted.
    Decided,
}

impl Reviewing {
    pub(crate) fn new(content: &ContentHash, proof: &Proof, since: Timestamp) -> Self {
        let (content, proof) = (content.clone(), proof.clone());
        Self { content, since, proof, stage: Stage::Looking, holds: 0 }
    }
}

/// The reviews in the current task, by reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reviewers(BTreeMap<ReviewerId, Reviewing>);

impl Reviewers {
    /// The review by this reviewer, if there is one.
    pub fn get(&self, reviewer: &ReviewerId) -> Option<&Reviewing> {
        self.0.get(reviewer)
    }

    /// All reviews in the current task, each with its reviewer.
    pub fn iter(&self) -> impl Iterator<Item = (&ReviewerId, &Reviewing)> {
        self.0.iter()
    }

    /// The reviewer that got this token, and its review.
    pub fn with_token(&self, token: &TokenHash) -> Option<(&ReviewerId, &Reviewing)> {
        self.iter().find(|(_, reviewing)| reviewing.proof == Proof::Token(token.clone()))
    }

    pub(crate) fn start(&mut self, reviewer: ReviewerId, reviewing: Reviewing) {
        if reviewer.to_string().len() > MAX_ID_BYTES {
            return;
        }
        if self.0.len() >= MAX_REVIEWERS && !self.0.contains_key(&reviewer) {
            let oldest = self.iter().min_by_key(|(_, reviewing)| reviewing.since);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                self.0.remove(&oldest);
            }
        }
        self.0.insert(reviewer, reviewing);
    }

    pub(crate) fn set_stage(&mut self, reviewer: &ReviewerId, stage: Stage) {
        if let Some(reviewing) = self.0.get_mut(reviewer) {
            reviewing.stage = stage;
        }
    }

    pub(crate) fn hold(&mut self, reviewer: &ReviewerId) {
        if let Some(reviewing) = self.0.get_mut(reviewer) {
            reviewing.holds = reviewing.holds.saturating_add(1);
        }
    }

    pub(crate) fn end(&mut self, reviewer: &ReviewerId) {
        self.0.remove(reviewer);
    }
}
