//! Decides whether two learnings have the same meaning, by their summaries.
//!
//! Each summary is parsed into its content words without endings, and its frame: the function words
//! around them. The measure combines three features: the words that both share, the share of each
//! sentence that these words are, and whether the words have the same order and frame.
//!
//! A statement in other words usually has another order and frame. The same frame with one other
//! word usually states another fact. Common abbreviations and synonyms of technical prose count as
//! one word.
//!
//! Some differences are decisive however much is shared: a different number, unit, flag, path or
//! name on both sides; a negation, restriction or opposite on one side; a reversed order. Short
//! sentences must share more. If the result is uncertain, two summaries count as different, because
//! a learning that is wrongly found to be a duplicate is lost.
//!
//! `tests/data/README.md` has the measured rates.

mod alignment;
mod alike;
mod lexicon;
mod measure;
mod objection;
mod sentence;
mod spelling;
mod synonyms;
#[cfg(test)]
mod tests;
mod vocabulary;

use alignment::Alignment;
use lexicon::Lexicon;
use sentence::Sentence;

/// A set of summaries. Other summaries are compared with all of them.
pub struct NearDuplicates {
    offered: Vec<Offered>,
    lexicon: Lexicon,
}

struct Offered {
    plain: String,
    sentence: Sentence,
}

impl Offered {
    fn read(text: &str, lexicon: &mut Lexicon) -> Self {
        Self { plain: plain(text), sentence: Sentence::read(text, lexicon) }
    }

    /// Aligns two summaries, always in the same order, so that the result doesn't depend on the
    /// caller.
    fn aligned<'a>(&'a self, other: &'a Self) -> Alignment<'a> {
        let (a, b) = if self.plain <= other.plain { (self, other) } else { (other, self) };
        Alignment::of(&a.sentence, &b.sentence)
    }
}

impl NearDuplicates {
    /// Prepares a set of summaries for comparison.
    pub fn of(offered: &[&str]) -> Self {
        let mut lexicon = Lexicon::default();
        let offered = offered.iter().map(|text| Offered::read(text, &mut lexicon)).collect();
        Self { offered, lexicon }
    }

    /// The indices of the summaries in this set that have the same meaning as `known`. A quick
    /// check by the beginnings of words excludes most of them first.
    pub fn like(&mut self, known: &str) -> Vec<usize> {
        let known = Offered::read(known, &mut self.lexicon);
        let is_like = |offered: &Offered| {
            offered.plain == known.plain
                || (measure::may_be_same(&offered.sentence, &known.sentence)
                    && measure::is_same(&offered.aligned(&known)))
        };
        let numbered = self.offered.iter().enumerate();
        numbered.filter(|(_, offered)| is_like(offered)).map(|(index, _)| index).collect()
    }

    /// The larger of two percentages: how many words of the summary at `index` are in `text`, and
    /// how many words of `text` are in the summary.
    pub(crate) fn shared_percent(&mut self, index: usize, text: &str) -> u32 {
        let text = Offered::read(text, &mut self.lexicon);
        let alignment = self.offered[index].aligned(&text);
        alignment.a.shared_percent().max(alignment.b.shared_percent())
    }
}

/// Whether two summaries have the same meaning.
pub fn say_the_same(a: &str, b: &str) -> bool {
    !NearDuplicates::of(&[a]).like(b).is_empty()
}

fn plain(text: &str) -> String {
    if text.is_ascii() {
        let mut plain: String = text.split_whitespace().collect();
        plain.make_ascii_lowercase();
        return plain;
    }
    text.split_whitespace().flat_map(str::chars).flat_map(char::to_lowercase).collect()
}
