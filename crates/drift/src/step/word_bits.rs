//! Which words texts have, in few bits.

use serde::{Deserialize, Serialize};

use crate::words::Gathered;

/// A bit for each word and name of some texts: what has another one does not stand within them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct WordBits(u64);

impl WordBits {
    /// Those of texts of which not every word is known.
    pub(super) const ALL: Self = Self(u64::MAX);

    /// Those of two texts, as they are gathered of an edit.
    pub(super) fn of(taken: &str, put: &str) -> Self {
        let (mut bits, mut words) = (Self::default(), Gathered::default());
        for text in [taken, put] {
            words.add(text, 1, |name| bits.add(name.as_str()));
        }
        words.into_iter().for_each(|(word, _)| bits.add(&word));
        bits
    }

    pub(super) fn add(&mut self, word: &str) {
        // Edits are made at every turn: of a long word its beginning and its end are looked at, eight bytes at once.
        let eight = |bytes: &[u8]| bytes.iter().fold(0, |all, b| all << 8 | u64::from(*b));
        let bytes = word.as_bytes();
        let number = match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from_be_bytes(*first) ^ u64::from_be_bytes(*last).rotate_left(29)
            }
            _ => eight(bytes),
        };
        self.0 |= 1 << (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58);
    }

    /// Whether texts with these words may have a text with the others.
    pub(super) fn may_have(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }
}

impl std::ops::BitOr for WordBits {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_another_has_no_other_words() {
        let all = WordBits::of("let x = retry_after(件数, 200);", "let x = retry_after(件数, 50);");
        for text in ["x = retry_after", "(件数, 200)", "件数", "", "50"] {
            assert!(all.may_have(WordBits::of(text, "")), "{text}");
        }
        for text in ["y = retry_after", "上限, 200", "retry_before"] {
            assert!(!all.may_have(WordBits::of(text, "")), "{text}");
        }
    }
}
