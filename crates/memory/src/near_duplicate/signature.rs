//! A text in 256 bits: enough to see that two texts have hardly a word in common.

use std::sync::LazyLock;

use super::vocabulary::SILENT;

/// A bit for the beginning of every word, and for every character that is a word or half of one.
pub(super) struct Signature([u64; 4]);

/// How much of a word counts: its ending depends on its form.
const PREFIX_CHARS: usize = 4;
/// Shorter words say too little.
const MIN_CHARS: usize = 3;
/// Two texts that have fewer bits in common, in percent of the fewer bits, are not compared. Of the
/// pairs that people found to say the same, none that the measure finds has fewer.
const COMMON_PERCENT: u32 = 33;

/// The beginnings of words that say nothing, sorted.
static SILENT_HASHES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let begin = |word: &str| word.chars().take(PREFIX_CHARS).fold(0, step);
    let mut hashes: Vec<u32> = SILENT.split(' ').map(begin).collect();
    hashes.sort_unstable();
    hashes
});

impl Signature {
    pub(super) fn of(text: &str) -> Self {
        let mut bits = [0; 4];
        let (mut hash, mut length) = (0, 0);
        for c in text.chars().chain([' ']) {
            if c.is_alphanumeric() && !is_word_itself(c) {
                if length < PREFIX_CHARS {
                    hash = step(hash, c);
                }
                length += 1;
                continue;
            }
            if length >= MIN_CHARS && SILENT_HASHES.binary_search(&hash).is_err() {
                set(&mut bits, hash);
            }
            (hash, length) = (0, 0);
            if is_word_itself(c) {
                set(&mut bits, step(0, c));
            }
        }
        Self(bits)
    }

    pub(super) fn is_near(&self, other: &Self) -> bool {
        let count = |bits: [u64; 4]| bits.iter().map(|bits| bits.count_ones()).sum::<u32>();
        let common = count([0, 1, 2, 3].map(|at| self.0[at] & other.0[at]));
        let fewer = count(self.0).min(count(other.0));
        100 * common >= COMMON_PERCENT * fewer
    }
}

/// Kanji and katakana; hiragana are in every sentence.
fn is_word_itself(c: char) -> bool {
    matches!(c, '\u{30a0}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '々' | '〆')
}

fn step(hash: u32, c: char) -> u32 {
    let lower = if c.is_ascii() { c.to_ascii_lowercase() } else { c };
    (hash ^ u32::from(lower)).wrapping_mul(0x0100_0193).rotate_left(5)
}

fn set(bits: &mut [u64; 4], hash: u32) {
    let bit = hash.wrapping_mul(0x9e37_79b9) >> 24;
    bits[(bit / 64) as usize] |= 1 << (bit % 64);
}
