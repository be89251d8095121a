//! The documents that are indexed.

use verger_event::Timestamp;

/// A text to be indexed. Fields that a document doesn't have are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The document's id. A second document with the same id replaces the first.
    pub id: String,
    /// A category defined by the caller; the index only passes it to filters.
    pub kind: u8,
    /// A state of the document that may change while the text stays the same. The index only passes
    /// it to filters.
    pub mark: u8,
    /// The summary line.
    pub title: String,
    /// The text.
    pub body: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The files that the document is about, as paths below the project.
    pub files: Vec<String>,
    /// The author. A name in a query is searched only here.
    pub author: String,
    /// The date, in words.
    pub date: String,
    /// The time when it was written.
    pub at: Timestamp,
    /// The document's position in a conversation.
    pub place: Option<Place>,
    /// Data that is returned with a hit.
    pub payload: Vec<u8>,
}

/// A position in a conversation. The words of neighboring turns help to find a turn, and its age
/// doesn't count. All documents of a session are put into the index together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The conversation.
    pub session: String,
    /// The position of the turn in the conversation. Only the order matters.
    pub sequence: u64,
}

/// The attributes of a document that a filter sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attributes {
    /// The time when it was written.
    pub at: Timestamp,
    /// As in [`Document::kind`].
    pub kind: u8,
    /// As in [`Document::mark`].
    pub mark: u8,
    /// Whether the document's age counts. False for a turn of a conversation.
    pub ages: bool,
}

/// The latest time that can be stored, in the year 6429.
const LATEST_MILLIS: u64 = (1 << 47) - 1;

impl Attributes {
    pub(crate) fn of(document: &Document) -> Self {
        Self {
            at: Timestamp::from_millis(document.at.as_millis().min(LATEST_MILLIS)),
            kind: document.kind,
            mark: document.mark,
            ages: document.place.is_none(),
        }
    }

    pub(crate) fn encode(self) -> u64 {
        self.at.as_millis() << 17
            | u64::from(self.ages) << 16
            | u64::from(self.kind) << 8
            | u64::from(self.mark)
    }

    pub(crate) fn decode(encoded: u64) -> Self {
        let [mark, kind, ..] = encoded.to_le_bytes();
        let ages = encoded >> 16 & 1 == 1;
        Self { at: Timestamp::from_millis(encoded >> 17), kind, mark, ages }
    }
}
