//! A learning, and its provenance.

use verger_event::{EventId, SessionId, Timestamp};

use crate::learning_id::LearningId;
use crate::words::{Category, Confidence, Criterion, Scope};

/// A lesson from one run that may help another. Its text never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    /// Its id.
    pub id: LearningId,
    /// The subject area.
    pub category: Category,
    /// The main point, in a line.
    pub summary: String,
    /// The knowledge that is needed to use it.
    pub detail: String,
    /// The audience.
    pub scope: Scope,
    /// The confidence in it.
    pub confidence: Confidence,
    /// The reasons to keep it.
    pub criteria: Vec<Criterion>,
    /// Words for searching.
    pub tags: Vec<String>,
    /// Files that the learning is about, as paths below the project's root.
    pub files: Vec<String>,
    /// Names in the code that the learning is about.
    pub symbols: Vec<String>,
    /// Learnings that it replaces.
    pub supersedes: Vec<LearningId>,
    /// The time when it was made.
    pub created: Timestamp,
    /// Its origin.
    pub provenance: Provenance,
}

/// The origin of a learning. A handwritten learning may have none of these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The session that reflected.
    pub session: Option<SessionId>,
    /// The ticket that was closed.
    pub ticket: Option<String>,
    /// The records that the learning was drawn from.
    pub events: Vec<EventId>,
    /// The commit that was checked out.
    pub commit: Option<String>,
}
