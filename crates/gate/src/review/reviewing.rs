//! Who reviews right now, and how it is known that a decision is theirs.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use verger_event::{ContentHash, SubagentId, Timestamp, hex};

use super::decision::DecisionDigest;
use super::run::ReviewerProgram;

/// How many reviewers are remembered; beyond it the oldest is forgotten and cannot decide.
const MAX_REVIEWERS: usize = 8;

/// The longest id of a reviewer that is remembered; real ones have fewer than 60 bytes.
const MAX_ID_BYTES: usize = 128;

/// How often a reviewer that wants to stop without a decision is asked for one.
pub const MAX_HOLDS: u32 = 2;

/// A reviewer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ReviewerId {
    /// A subagent of the session.
    Subagent(SubagentId),
    /// A run of the program that the user set.
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

/// A text that names no reviewer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no reviewer")]
pub struct UnknownReviewer(String);

/// What is kept of a one-time token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(String);

impl TokenHash {
    /// Of a token.
    pub fn of(token: &str) -> Self {
        Self(hex(&Sha256::digest(token.as_bytes())))
    }
}

/// How it is known that a decision is the reviewer's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// It knows the token that it was given when it started, and the call is seen to be its own.
    // Under the name of a secret, the log would keep neither the token nor its hash.
    #[serde(rename = "token_sha256")]
    Token(TokenHash),
    /// verger itself ran this program and read its answer.
    Run(ReviewerProgram),
}

/// A review that is being made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewing {
    /// The content that was there when it started.
    pub content: ContentHash,
    /// When it started.
    pub since: Timestamp,
    /// How its decision is known.
    pub proof: Proof,
    /// How far it is.
    pub stage: Stage,
    /// How often it was asked for a decision when it wanted to stop.
    pub holds: u32,
}

/// How far a review is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It looks.
    Looking,
    /// The reviewer was seen to ask for this decision to be taken.
    Attested {
        /// The decision, word for word.
        digest: DecisionDigest,
    },
    /// Its decision was taken.
    Decided,
}

impl Reviewing {
    pub(crate) fn new(content: &ContentHash, proof: &Proof, since: Timestamp) -> Self {
        let (content, proof) = (content.clone(), proof.clone());
        Self { content, since, proof, stage: Stage::Looking, holds: 0 }
    }
}

/// Who reviews right now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reviewers(BTreeMap<ReviewerId, Reviewing>);

impl Reviewers {
    /// What this one does.
    pub fn get(&self, reviewer: &ReviewerId) -> Option<&Reviewing> {
        self.0.get(reviewer)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&ReviewerId, &Reviewing)> {
        self.0.iter()
    }

    /// The one that was given this token.
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
