//! Documents: the texts that an index contains, with their attributes.

use verger_event::Timestamp;

/// A text to be indexed. Fields that a document doesn't have are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The document's id. A second document with the same id replaces the first.
    pub id: String,
    /// The category of the document, which the caller defines. The index only passes it to filters.
    pub kind: u8,
    /// A state of the document that may change while the text stays the same. The index only passes
    /// it to filters.
    pub mark: u8,
    /// The title of the document: a summary in one line.
    pub title: String,
    /// The main text of the document.
    pub body: String,
    /// The tags of the document.
    pub tags: Vec<String>,
    /// The files that the document is about, as paths below the project.
    pub files: Vec<String>,
    /// The author of the document. A name in a query is searched only here.
    pub author: String,
    /// The date of the document, in words.
    pub date: String,
    /// The time when the document was written.
    pub at: Timestamp,
    /// The document's position in a conversation. `None` if it isn't a turn of a conversation.
    pub place: Option<Place>,
    /// Data of the caller that is returned with a hit.
    pub payload: Vec<u8>,
}

/// A position in a conversation. The words of neighboring turns help to find a turn, and the age of
/// a turn doesn't count. All documents of a session must be put into the index together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The id of the conversation's session.
    pub session: String,
    /// The position of the turn in the conversation. Only the order matters.
    pub sequence: u64,
}

/// The attributes of a document, which a filter gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attributes {
    /// The time when the document was written.
    pub at: Timestamp,
    /// The category of the document, as in [`Document::kind`].
    pub kind: u8,
    /// The state of the document, as in [`Document::mark`].
    pub mark: u8,
    /// Whether the document's age influences its score. `false` for a turn of a conversation.
    pub ages: bool,
}

/// The latest time that the index can store, in the year 6429.
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
