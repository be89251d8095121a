//! What a word is worth in a document: the part of BM25F that depends on the document alone.
//!
//! BM25F adds a word's counts in the fields, each weighted and set against the field's length, and
//! lets the sum saturate. Field lengths are set against usual lengths and not against the average of
//! this index: then a document's bytes never depend on its neighbours in the index, a segment merges
//! by copying, and an index that grew equals one built at once.

/// How much a field counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// What one occurrence counts in a field of usual length; 1 gives half of what a word can be worth.
    pub(crate) weight: f32,
    /// How much of the length is held against a word, from 0 to 1.
    pub(crate) length_share: f32,
    /// The usual number of words.
    pub(crate) usual_length: f32,
}

impl Field {
    /// What one occurrence counts in a field of `length` words.
    pub(crate) fn share(&self, length: usize) -> Share {
        self.lent(length, 1.0)
    }

    /// The same for a field that counts only a part.
    pub(crate) fn lent(&self, length: usize, part: f32) -> Share {
        let relative = small(length) / self.usual_length;
        let share = self.weight / (1.0 - self.length_share + self.length_share * relative) * part;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let fixed = (share * SHARE_SCALE).round() as u32;
        Share(fixed)
    }
}

/// A word's count in a field, weighted. In whole numbers, so that the order of adding never matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(u32);

impl Share {
    pub(crate) const NONE: Self = Self(0);

    /// More than there is room for is worth as much as anything can be.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

const SHARE_SCALE: f32 = 65_536.0;
const SHARE_ONE: u64 = 65_536;

/// Fields of a document that stands for itself.
pub(crate) const TITLE: Field = Field { weight: 2.0, length_share: 0.75, usual_length: 6.0 };
pub(crate) const BODY: Field = Field { weight: 0.25, length_share: 0.6, usual_length: 20.0 };
pub(crate) const TAGS: Field = Field { weight: 0.5, length_share: 0.0, usual_length: 1.0 };
pub(crate) const FILES: Field = Field { weight: 0.5, length_share: 0.75, usual_length: 10.0 };
pub(crate) const PATH: Field = Field { weight: 1.0, length_share: 0.75, usual_length: 3.0 };
pub(crate) const DATE: Field = Field { weight: 1.5, length_share: 0.0, usual_length: 1.0 };
pub(crate) const AUTHOR: Field = Field { weight: 6.0, length_share: 0.0, usual_length: 1.0 };

/// The text of a turn of a conversation.
pub(crate) const TURN: Field = Field { weight: 1.7, length_share: 0.4, usual_length: 12.0 };
/// What the turns before it and behind it count, nearest first.
pub(crate) const BEFORE: &[f32] = &[0.45, 0.25, 0.1];
pub(crate) const BEHIND: &[f32] = &[0.2, 0.1];

/// The sum of a word's shares, saturated, as it is stored: never 0.
pub(crate) fn quantise(Share(sum): Share) -> u8 {
    let sum = u64::from(sum);
    let whole = sum + SHARE_ONE;
    let saturated = (sum * 255 + whole / 2) / whole;
    u8::try_from(saturated.max(1)).unwrap_or(u8::MAX)
}

/// Lengths beyond the sixteen bits are all the same: very long.
fn small(length: usize) -> f32 {
    f32::from(u16::try_from(length).unwrap_or(u16::MAX))
}
