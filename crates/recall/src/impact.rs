//! The impact of a word in a document: the part of BM25F that depends on the document alone.
//!
//! BM25F weights a word's count in each field and normalizes it by the field's length. Then it adds
//! up the counts and saturates the sum. Lengths are compared with fixed usual lengths, not with the
//! average lengths in the index. So a document's stored bytes never depend on other documents,
//! segments can be merged by copying, and an index built in steps equals one built at once.

/// The weight of a document's field, and how its length is normalized.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// The weight of one occurrence of a word in a field of the usual length. A weight of 1 gives
    /// half of the maximal impact.
    pub(crate) weight: f32,
    /// The strength of the length normalization, from 0 to 1.
    pub(crate) length_share: f32,
    /// The usual number of words in the field.
    pub(crate) usual_length: f32,
}

impl Field {
    /// The share of one occurrence of a word in a field of `length` words.
    pub(crate) fn share(&self, length: usize) -> Share {
        self.lent(length, 1.0)
    }

    /// The share of one occurrence of a word, multiplied by `part`. For a field that counts only in
    /// part.
    pub(crate) fn lent(&self, length: usize, part: f32) -> Share {
        let relative = small(length) / self.usual_length;
        let share = self.weight / (1.0 - self.length_share + self.length_share * relative) * part;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let fixed = (share * SHARE_SCALE).round() as u32;
        Share(fixed)
    }
}

/// A word's weighted count in a field. It is an integer, so that the order of addition doesn't
/// matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(u32);

impl Share {
    pub(crate) const NONE: Self = Self(0);

    /// The sum of two shares. It saturates.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

const SHARE_SCALE: f32 = 65_536.0;
const SHARE_ONE: u64 = 65_536;

/// The fields of a document, with weights for documents that aren't part of a conversation.
pub(crate) const TITLE: Field = Field { weight: 2.0, length_share: 0.75, usual_length: 6.0 };
pub(crate) const BODY: Field = Field { weight: 0.25, length_share: 0.6, usual_length: 20.0 };
pub(crate) const TAGS: Field = Field { weight: 0.5, length_share: 0.0, usual_length: 1.0 };
pub(crate) const FILES: Field = Field { weight: 0.5, length_share: 0.75, usual_length: 10.0 };
pub(crate) const PATH: Field = Field { weight: 1.0, length_share: 0.75, usual_length: 3.0 };
pub(crate) const DATE: Field = Field { weight: 1.5, length_share: 0.0, usual_length: 1.0 };
pub(crate) const AUTHOR: Field = Field { weight: 6.0, length_share: 0.0, usual_length: 1.0 };

/// The field with the text of a conversation's turn.
pub(crate) const TURN: Field = Field { weight: 1.7, length_share: 0.4, usual_length: 12.0 };
/// The factors for the words of neighboring turns, the nearest turn first: for the turns before a
/// turn, and for those after it.
pub(crate) const BEFORE: &[f32] = &[0.45, 0.25, 0.1];
pub(crate) const BEHIND: &[f32] = &[0.2, 0.1];

/// The stored impact of a word, from the sum of its shares. It saturates and is never 0.
pub(crate) fn quantise(Share(sum): Share) -> u8 {
    let sum = u64::from(sum);
    let whole = sum + SHARE_ONE;
    let saturated = (sum * 255 + whole / 2) / whole;
    u8::try_from(saturated.max(1)).unwrap_or(u8::MAX)
}

/// Converts a length to a float. All lengths beyond sixteen bits count as very long.
fn small(length: usize) -> f32 {
    f32::from(u16::try_from(length).unwrap_or(u16::MAX))
}
