//! What was learned, and where it came from.

use verger_event::{EventId, SessionId, Timestamp};

use crate::learning_id::LearningId;
use crate::words::{Category, Confidence, Criterion, Scope};

/// Something learned in one run that may help another. Its text never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    /// Its name.
    pub id: LearningId,
    /// What it is about.
    pub category: Category,
    /// The point of it, in a line.
    pub summary: String,
    /// What one must know to use it.
    pub detail: String,
    /// Whom it is for.
    pub scope: Scope,
    /// How sure we are of it.
    pub confidence: Confidence,
    /// Why it deserves to be kept.
    pub criteria: Vec<Criterion>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Files that it speaks of, as paths below the project's root.
    pub files: Vec<String>,
    /// Names in the code that it speaks of.
    pub symbols: Vec<String>,
    /// Learnings that it replaces.
    pub supersedes: Vec<LearningId>,
    /// When it was made.
    pub created: Timestamp,
    /// Where it came from.
    pub provenance: Provenance,
}

/// Where a learning came from. One that was written by hand may know nothing of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The session that reflected.
    pub session: Option<SessionId>,
    /// The ticket that was closed.
    pub ticket: Option<String>,
    /// The records that it was drawn from.
    pub events: Vec<EventId>,
    /// The commit that was checked out.
    pub commit: Option<String>,
}
