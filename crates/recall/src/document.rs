//! What is indexed.

use verger_event::Timestamp;

/// A text that may be found again. Fields that a document does not have are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name; a second document of the same name replaces the first.
    pub id: String,
    /// What the caller sorts documents by; the index only hands it to filters.
    pub kind: u8,
    /// The document's condition, which may change without the document; the index only hands it to
    /// filters.
    pub mark: u8,
    /// The line that sums it up.
    pub title: String,
    /// The text.
    pub body: String,
    /// Words that somebody chose to file it under.
    pub tags: Vec<String>,
    /// The files it is about, as paths below the project.
    pub files: Vec<String>,
    /// Whose words they are. A name in a query is looked for here and nowhere else.
    pub author: String,
    /// When it was said, in words.
    pub date: String,
    /// When it was written.
    pub at: Timestamp,
    /// Where it stands in a conversation.
    pub place: Option<Place>,
    /// What the caller wants back with a hit.
    pub payload: Vec<u8>,
}

/// A place in a conversation. Its neighbours help to find a document, and its age says nothing. The
/// documents of a session are put into the index together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The conversation.
    pub session: String,
    /// The place in it; only the order matters.
    pub sequence: u64,
}

/// What a filter sees of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attributes {
    /// When it was written.
    pub at: Timestamp,
    /// As in [`Document::kind`].
    pub kind: u8,
    /// As in [`Document::mark`].
    pub mark: u8,
    /// Its age counts: it stands for itself, not for a turn of a conversation.
    pub ages: bool,
}

/// Until the year 6429.
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
