//! A learning, and its provenance.

use verger_event::{EventId, SessionId, Timestamp};

use crate::learning_id::LearningId;
use crate::words::{Category, Confidence, Criterion, Scope};

/// A lesson from one session that may help another. Its text never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    /// The learning's id.
    pub id: LearningId,
    /// The subject area of the learning.
    pub category: Category,
    /// The main point of the learning, in one line.
    pub summary: String,
    /// The knowledge that a reader needs to use the learning.
    pub detail: String,
    /// The audience of the learning.
    pub scope: Scope,
    /// The confidence that the learning is what it claims to be.
    pub confidence: Confidence,
    /// The criteria by which the learning is worth keeping.
    pub criteria: Vec<Criterion>,
    /// Tags by which searches find the learning.
    pub tags: Vec<String>,
    /// Files that the learning is about, as paths below the project's root.
    pub files: Vec<String>,
    /// Names in the code that the learning is about.
    pub symbols: Vec<String>,
    /// The ids of the learnings that this learning replaces.
    pub supersedes: Vec<LearningId>,
    /// The time when the learning was made.
    pub created: Timestamp,
    /// The origin of the learning: its session, ticket, records and commit.
    pub provenance: Provenance,
}

/// The origin of a learning. A handwritten learning may have no session, ticket, record or commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The session whose reflection made the learning.
    pub session: Option<SessionId>,
    /// The ticket that was closed when the session reflected.
    pub ticket: Option<String>,
    /// The records of the session's log that the learning was drawn from.
    pub events: Vec<EventId>,
    /// The commit that was checked out when the session reflected.
    pub commit: Option<String>,
}
