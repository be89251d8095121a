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
    pub(crate) fn share(&self, length: usize) -> f32 {
        let relative = small(length) / self.usual_length;
        self.weight / (1.0 - self.length_share + self.length_share * relative)
    }
}

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
pub(crate) fn quantise(sum: f32) -> u8 {
    let saturated = (sum / (1.0 + sum) * 255.0).round().clamp(1.0, 255.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
    let byte = saturated as u8;
    byte
}

/// Lengths beyond the sixteen bits are all the same: very long.
fn small(length: usize) -> f32 {
    f32::from(u16::try_from(length).unwrap_or(u16::MAX))
}
