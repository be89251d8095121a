//! What a change takes out of a file and puts in its place.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::word_bits::WordBits;
use crate::mark::mark_of_text;

/// A text for another one, told apart by their marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    taken: u64,
    put: u64,
    /// The same without what both texts begin and end with, where that is known.
    core: Option<(u64, u64)>,
    /// The words of both texts.
    words: WordBits,
}

impl Exchange {
    /// What an edit with these words exchanges; nothing where that is not known of a call.
    pub(super) fn of(input: &Value, words: WordBits) -> Option<Self> {
        if input.get("edits").is_some() {
            return Self::all(input);
        }
        let of = |key: &str| input.get(key)?.as_str();
        Some(Self::with_words(of("old_string")?, of("new_string")?, words))
    }

    /// One text for another.
    pub(crate) fn of_texts(taken: &str, put: &str) -> Self {
        Self::with_words(taken, put, WordBits::of(taken, put))
    }

    fn with_words(taken: &str, put: &str, words: WordBits) -> Self {
        let (from, to) = cores(taken, put);
        Self {
            taken: mark_of_text(taken),
            put: mark_of_text(put),
            core: Some((mark_of_text(from), mark_of_text(to))),
            words,
        }
    }

    /// Whether nothing is left of it.
    pub(crate) fn is_nothing(self) -> bool {
        self.taken == self.put
    }

    /// Both, where the other goes on from what this one left.
    pub(crate) fn then(self, other: Self) -> Option<Self> {
        let core = match (self.core, other.core) {
            (Some((from, left)), Some((found, to))) if left == found => Some((from, to)),
            _ => None,
        };
        let is_within = self.words.may_have(other.words);
        if self.put == other.taken {
            let words = self.words | other.words;
            Some(Self { taken: self.taken, put: other.put, core, words })
        } else if is_within && core.is_some_and(|(from, to)| from == to) {
            Some(Self { put: self.taken, core, ..self })
        } else {
            None
        }
    }

    /// Whether this text is what it puts there.
    pub(crate) fn puts(self, text: &str) -> bool {
        self.put == mark_of_text(text)
    }

    /// The same in some lines only: it takes back no other than its own.
    pub(super) fn at(self, lines: &str) -> Self {
        let here = mark_of_text(lines);
        Self {
            taken: self.taken.wrapping_add(here),
            put: self.put.wrapping_add(here),
            words: WordBits::ALL,
            ..self
        }
    }

    /// Several at once.
    fn all(input: &Value) -> Option<Self> {
        let edits = input.get("edits")?.as_array()?;
        let mut all = Self { taken: 0, put: 0, core: None, words: WordBits::ALL };
        for edit in edits {
            let one = Self::of(edit, WordBits::ALL)?;
            all.taken = all.taken.wrapping_add(one.taken);
            all.put = all.put.wrapping_add(one.put);
        }
        (!edits.is_empty()).then_some(all)
    }

    /// Whether the other is the same the other way round.
    pub(crate) fn is_reverse_of(self, other: Self) -> bool {
        (self.taken, self.put) == (other.put, other.taken)
    }

    /// Whether the other may take it back, as far as the texts differ.
    pub(crate) fn may_be_undone_by(self, other: Self) -> bool {
        matches!((self.core, other.core), (Some((a, b)), Some((c, d))) if (a, b) == (d, c))
    }
}

/// Two texts without what both begin and end with.
fn cores<'a>(taken: &'a str, put: &'a str) -> (&'a str, &'a str) {
    let begin = taken.floor_char_boundary(same_begin(taken, put));
    let (taken, put) = (&taken[begin..], &put[begin..]);
    let end = taken.len() - taken.ceil_char_boundary(taken.len() - same_end(taken, put));
    (&taken[..taken.len() - end], &put[..put.len() - end])
}

/// How many bytes two texts begin with in common. Most of an edit is what stays: eight are compared at once.
pub(super) fn same_begin(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks().0);
    let begin = 8 * eights.take_while(|(a, b)| a == b).count();
    begin + a[begin..].iter().zip(&b[begin..]).take_while(|(a, b)| a == b).count()
}

/// The same of what they end with.
pub(super) fn same_end(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let eights = a.as_rchunks::<8>().1.iter().rev().zip(b.as_rchunks().1.iter().rev());
    let end = 8 * eights.take_while(|(a, b)| a == b).count();
    let rests = (&a[..a.len() - end], &b[..b.len() - end]);
    let bytes = rests.0.iter().rev().zip(rests.1.iter().rev());
    end + bytes.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_back_within_the_same_text_leaves_nothing() {
        let first = ("  batch: 50,\n  retries: 3,", "  batch: 200,\n  retries: 3,");
        let cases = [
            (first.1, first.0, Some(true)),
            ("batch: 200", "batch: 50", Some(true)),
            ("200", "50", Some(true)),
            ("200,", "50,", Some(true)),
            ("queue: 200", "queue: 50", None),
            ("batch: 200", "batch: 70", None),
            (first.1, "  batch: 70,\n  retries: 3,", Some(false)),
            ("retries: 3", "retries: 4", None),
        ];
        for (taken, put, is_nothing) in cases {
            let both = Exchange::of_texts(first.0, first.1).then(Exchange::of_texts(taken, put));
            assert_eq!(both.map(Exchange::is_nothing), is_nothing, "{taken} -> {put}");
        }
    }

    #[test]
    fn what_may_be_the_same_elsewhere_may_take_it_back() {
        let first = Exchange::of_texts("batch: 50", "batch: 200");
        let of = |taken: &str, put: &str| first.may_be_undone_by(Exchange::of_texts(taken, put));
        assert_eq!([of("queue: 200", "queue: 50"), of("a: 200", "a: 7")], [true, false]);
    }

    #[test]
    fn what_two_texts_have_in_common_is_counted_to_the_byte() {
        let text = "the quick brown fox jumps";
        for len in 0..text.len() {
            let (begin, end) = (format!("{}#", &text[..len]), format!("#{}", &text[len..]));
            assert_eq!(same_begin(text, &begin), len, "{begin}");
            assert_eq!(same_end(text, &end), text.len() - len, "{end}");
        }
    }

    #[test]
    fn letters_of_several_bytes_are_not_cut() {
        assert_eq!(cores("aé", "aè"), ("é", "è"));
        assert_eq!(cores("éa", "èa"), ("é", "è"));
        assert_eq!(cores("aa", "a"), ("a", ""));
    }
}
