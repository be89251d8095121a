//! The terms of an index, each as a hash of a word, a path, a name or a document's id.
//!
//! The index stores only hashes. Two words with the same 64 bits would count as one. With a million
//! words, that happens in one of thirty million indexes, and it only changes the order of hits.

/// The kind of a term. The same letters in different spaces are different terms, so that metadata
/// is matched only in its own field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Word = 1,
    Path = 2,
    Author = 3,
    /// The id of a document.
    Id = 4,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(pub(crate) u64);

impl Term {
    pub(crate) fn new(space: Space, letters: &[u8]) -> Self {
        let (words, rest) = letters.as_chunks::<8>();
        // A loop over so few bytes is faster than copying them into an array.
        let last = rest.iter().rev().fold(0, |last, byte| last << 8 | u64::from(*byte));
        let seed = mixed((letters.len() as u64) << 8 | space as u64);
        let hash = words.iter().fold(seed, |hash, word| mixed(hash ^ u64::from_le_bytes(*word)));
        Self(mixed(hash ^ last))
    }
}

/// The last steps of `SplitMix64`. Every bit of the result depends on every bit of the input.
fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn short_letters_of_all_spaces_are_different_terms() {
        let mut terms = HashSet::new();
        let mut count = 0;
        for space in [Space::Word, Space::Path, Space::Author, Space::Id] {
            for one in b'a'..=b'z' {
                for other in b'a'..=b'z' {
                    for letters in
                        [&[one][..], &[one, other], &[one, 0, other], &[other; 9], &[one; 8]]
                    {
                        terms.insert(Term::new(space, letters));
                        count += 1;
                    }
                }
            }
        }
        // Terms that use only one of the two letters are generated 26 times.
        assert_eq!(terms.len(), count - 4 * 3 * 25 * 26);
    }
}
