//! One line: something that happened to a learning, or around learnings.
//!
//! A stored form that only grows. What happens within a session is told at most once by it: a second
//! line that says the same changes nothing.

use std::collections::BTreeMap;

use serde_json::Value;
use verger_event::{EventId, Reference, SessionId, Timestamp, gathered};

use crate::fields::{Fields, texts};
use crate::learning_id::LearningId;
use crate::words::{Criterion, SkippedBy};

/// Stands in every line. A line of a later version is passed over.
pub const VERSION: u64 = 1;

/// Something that happened, when and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatsLine {
    /// Its name, for ever: a line that was read twice happened once.
    pub id: EventId,
    /// When.
    pub at: Timestamp,
    /// In which session; nothing when a person did it outside of one.
    pub session: Option<SessionId>,
    /// The tickets that were in hand.
    pub tickets: Vec<String>,
    /// What.
    pub event: StatsEvent,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatsEvent {
    /// An agent was given a learning.
    Surfaced {
        /// Which.
        learning: LearningId,
        /// How well it fitted, in thousandths of one that is new and fits best.
        score: Option<u64>,
    },
    /// The agent used a learning.
    Referenced {
        /// Which.
        learning: LearningId,
        /// How that was noticed.
        how: Reference,
    },
    /// A session ended without any use of a learning that it was given.
    Dismissed {
        /// Which.
        learning: LearningId,
    },
    /// A learning turned out to be wrong.
    Corrected {
        /// Which.
        learning: LearningId,
        /// The one that says it right.
        by: Option<LearningId>,
    },
    /// A learning was replaced for good.
    Superseded {
        /// Which.
        learning: LearningId,
        /// By which.
        by: LearningId,
    },
    /// A learning was put away.
    Archived {
        /// Which.
        learning: LearningId,
        /// Why.
        reason: String,
    },
    /// A learning was taken out of the archive.
    Restored {
        /// Which.
        learning: LearningId,
        /// Why.
        reason: String,
    },
    /// An agent reflected.
    Reflection {
        /// How many candidates it offered.
        candidates: u64,
        /// What was kept of them.
        accepted: Vec<LearningId>,
        /// How many candidates claimed which criterion.
        criteria: BTreeMap<Criterion, u64>,
    },
    /// A candidate was turned away.
    Rejected {
        /// Its point.
        summary: String,
        /// Its words.
        tags: Vec<String>,
        /// What was wrong with it.
        reasons: Vec<String>,
    },
    /// There was nothing to reflect on.
    Skip {
        /// Who or what said so.
        by: SkippedBy,
        /// How many lines the work changed.
        lines: Option<u64>,
        /// The files that it changed.
        files: Vec<String>,
        /// Why.
        reason: String,
    },
}

impl StatsEvent {
    /// The learning that it happened to.
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

/// The lines as they are appended, each with its newline.
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

/// How references are noticed, and the words for it.
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
