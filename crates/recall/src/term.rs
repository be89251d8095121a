//! What is looked up in an index: a word, a path or a name, as a hash.
//!
//! The index holds no words. Two words with the same 64 bits would be taken for one; among a million
//! words that happens once in thirty million indexes, and costs a wrong order there.

/// What a term was taken from. The same letters are different terms in different spaces: metadata is
/// matched only in its own field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Word = 1,
    Path = 2,
    Author = 3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(pub(crate) u64);

impl Term {
    pub(crate) fn new(space: Space, letters: &[u8]) -> Self {
        // FNV-1a, and the last steps of SplitMix64, so that all bits depend on all letters.
        let seed = (0xcbf2_9ce4_8422_2325 ^ space as u64).wrapping_mul(0x0100_0000_01b3);
        let hash = letters
            .iter()
            .fold(seed, |hash, letter| (hash ^ u64::from(*letter)).wrapping_mul(0x0100_0000_01b3));
        let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(hash ^ (hash >> 31))
    }
}
