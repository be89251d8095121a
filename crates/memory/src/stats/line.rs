//! One line of the statistics: an event about one learning, or about learnings in general.
//!
//! This is a stored form; fields are only added. A line with the same content as an earlier one
//! doesn't change the statistics.

use std::collections::BTreeMap;

use serde_json::Value;
use verger_event::{EventId, Reference, SessionId, Timestamp, gathered};

use crate::fields::{Fields, texts};
use crate::learning_id::LearningId;
use crate::words::{Criterion, SkippedBy};

/// The version in every line. Lines of a later version are ignored.
pub const VERSION: u64 = 1;

/// One statistics line: an event with its time and session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatsLine {
    /// The permanent id of the line. Lines with the same id count once.
    pub id: EventId,
    /// The time of the event.
    pub at: Timestamp,
    /// The session in which the event happened. `None` if a person acted outside of a session.
    pub session: Option<SessionId>,
    /// The tickets that the session worked on.
    pub tickets: Vec<String>,
    /// The event about learnings, with its data.
    pub event: StatsEvent,
}

/// An event about learnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatsEvent {
    /// An agent was given a learning.
    Surfaced {
        /// The id of the learning that was given.
        learning: LearningId,
        /// The learning's score when it was given, in thousandths of the score of a new learning
        /// that fits best.
        score: Option<u64>,
    },
    /// The agent used a learning.
    Referenced {
        /// The id of the learning that was used.
        learning: LearningId,
        /// The way in which the use was detected.
        how: Reference,
    },
    /// A session ended without any use of a learning that it was given.
    Dismissed {
        /// The id of the learning that wasn't used.
        learning: LearningId,
    },
    /// A learning turned out to be wrong.
    Corrected {
        /// The id of the wrong learning.
        learning: LearningId,
        /// The id of the learning that corrects the wrong one.
        by: Option<LearningId>,
    },
    /// A learning was replaced permanently.
    Superseded {
        /// The id of the learning that was replaced.
        learning: LearningId,
        /// The id of the replacement.
        by: LearningId,
    },
    /// A learning was archived.
    Archived {
        /// The id of the archived learning.
        learning: LearningId,
        /// The reason for archiving.
        reason: String,
    },
    /// A learning was restored from the archive.
    Restored {
        /// The id of the restored learning.
        learning: LearningId,
        /// The reason for restoring.
        reason: String,
    },
    /// An agent wrote a reflection.
    Reflection {
        /// The number of candidates in the reflection.
        candidates: u64,
        /// The ids of the accepted learnings.
        accepted: Vec<LearningId>,
        /// The number of candidates that claimed each criterion.
        criteria: BTreeMap<Criterion, u64>,
    },
    /// A candidate was rejected.
    Rejected {
        /// The rejected candidate's summary.
        summary: String,
        /// The rejected candidate's tags.
        tags: Vec<String>,
        /// The reasons for the rejection.
        reasons: Vec<String>,
    },
    /// A reflection was skipped, because there was nothing to reflect on.
    Skip {
        /// Whether an agent, a person or a rule decided to skip.
        by: SkippedBy,
        /// The number of lines that the skipped work changed.
        lines: Option<u64>,
        /// The files that the skipped work changed.
        files: Vec<String>,
        /// The reason for skipping.
        reason: String,
    },
}

impl StatsEvent {
    /// The learning that the event is about.
    pub const fn learning(&self) -> Option<&LearningId> {
        match self {
            Self::Surfaced { learning, .. }
            | Self::Referenced { learning, .. }
            | Self::Dismissed { learning }
            | Self::Corrected { learning, .. }
            | Self::Superseded { learning, .. }
            | Self::Archived { learning, .. }
            | Self::Restored { learning, .. } => Some(learning),
            Self::Reflection { .. } | Self::Rejected { .. } | Self::Skip { .. } => None,
        }
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Surfaced { .. } => "surfaced",
            Self::Referenced { .. } => "referenced",
            Self::Dismissed { .. } => "dismissed",
            Self::Corrected { .. } => "corrected",
            Self::Superseded { .. } => "superseded",
            Self::Archived { .. } => "archived",
            Self::Restored { .. } => "restored",
            Self::Reflection { .. } => "reflection",
            Self::Rejected { .. } => "rejected",
            Self::Skip { .. } => "skip",
        }
    }
}

/// The lines in their stored form, each ending in a newline.
pub fn render(lines: &[StatsLine]) -> String {
    lines.iter().flat_map(|line| [line.to_json().to_string(), "\n".to_owned()]).collect()
}

impl StatsLine {
    fn to_json(&self) -> Value {
        let mut fields = Fields::default();
        fields.set("v", VERSION);
        fields.set("id", self.id.to_string());
        fields.set("at", self.at.as_millis());
        fields.set("session", self.session.as_ref().map(SessionId::as_str));
        fields.set("tickets", self.tickets.as_slice());
        fields.set("event", self.event.kind());
        fields.set("learning", self.event.learning().map(LearningId::as_str));
        match &self.event {
            StatsEvent::Surfaced { score, .. } => fields.set("score", *score),
            StatsEvent::Referenced { how, .. } => fields.set("how", how_word(*how)),
            StatsEvent::Dismissed { .. } => (),
            StatsEvent::Corrected { by, .. } => {
                fields.set("by", by.as_ref().map(LearningId::as_str));
            }
            StatsEvent::Superseded { by, .. } => fields.set("by", by.as_str()),
            StatsEvent::Archived { reason, .. } | StatsEvent::Restored { reason, .. } => {
                fields.set("reason", reason.as_str());
            }
            StatsEvent::Reflection { candidates, accepted, criteria } => {
                fields.set("candidates", *candidates);
                fields.set("accepted", texts(accepted));
                let counts = criteria.iter().map(|(c, n)| (c.as_str().to_owned(), Value::from(*n)));
                fields.set("criteria", Value::Object(gathered(counts)));
            }
            StatsEvent::Rejected { summary, tags, reasons } => {
                fields.set("summary", summary.as_str());
                fields.set("tags", tags.as_slice());
                fields.set("reasons", reasons.as_slice());
            }
            StatsEvent::Skip { by, lines, files, reason } => {
                fields.set("by", by.as_str());
                fields.set("lines", *lines);
                fields.set("files", files.as_slice());
                fields.set("reason", reason.as_str());
            }
        }
        fields.into_json()
    }
}

/// The ways in which a use is detected, each with its word in the stored form.
pub(super) const HOWS: [(Reference, &str); 3] = [
    (Reference::Explicit, "explicit"),
    (Reference::Reflection, "reflection"),
    (Reference::Implicit, "implicit"),
];

const fn how_word(how: Reference) -> &'static str {
    match how {
        Reference::Explicit => HOWS[0].1,
        Reference::Reflection => HOWS[1].1,
        Reference::Implicit => HOWS[2].1,
    }
}
