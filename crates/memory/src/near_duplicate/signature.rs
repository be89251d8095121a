//! A text in 256 bits: enough to see that two texts have hardly a word in common.

/// A bit for the beginning of every word, and for every character that is a word or half of one.
pub(super) struct Signature([u64; 4]);

/// How much of a word counts: its ending depends on its form.
const PREFIX_CHARS: usize = 4;

/// Two texts that have fewer bits in common, in percent of the fewer bits, are not compared.
const COMMON_PERCENT: u32 = 30;

/// Texts with so few bits are compared with all.
const FEW_BITS: u32 = 3;

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
            if length > 2 {
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
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| self.0[at] & other.0[at]);
        let fewer = count(self.0).min(count(other.0));
        fewer <= FEW_BITS || 100 * count([a, b, c, d]) >= COMMON_PERCENT * fewer
    }
}

/// Kanji and katakana; hiragana are in every sentence.
fn is_word_itself(c: char) -> bool {
    c >= '\u{30a0}' && !matches!(c, '\u{ff00}'..='\u{ffef}' | '\u{ac00}'..='\u{d7af}')
}

fn step(hash: u32, c: char) -> u32 {
    let lower = if c.is_ascii() { c.to_ascii_lowercase() } else { c };
    (hash ^ u32::from(lower)).wrapping_mul(0x0100_0193).rotate_left(5)
}

fn set(bits: &mut [u64; 4], hash: u32) {
    let bit = hash.wrapping_mul(0x9e37_79b9) >> 24;
    bits[(bit / 64) as usize] |= 1 << (bit % 64);
}
