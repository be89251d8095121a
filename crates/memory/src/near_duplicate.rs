//! Whether two learnings say the same, judged by their summaries.
//!
//! Both are read as the words they are about, without their endings, and the frame of little words
//! that these stand in. Which words the two share, how much of each sentence that is, and whether
//! they stand in the same order and frame is weighed together. Whoever says the same again says it in
//! another order and frame; the same frame with another word in it is another fact. Usual abbreviations
//! and words that technical prose uses for one another are read as one. Some things speak against it
//! however much is shared: another number, unit, flag, path or name on both sides, a negation,
//! restriction or opposite on one side, a reversed order. Short sentences have to share more. When in doubt two are not the same, because a learning
//! that is wrongly taken for another is lost.
//!
//! `tests/data/README.md` says how well that works.

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

/// Summaries that others are compared with.
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

    /// Always in the same order, so that the answer does not depend on who asks.
    fn aligned<'a>(&'a self, other: &'a Self) -> Alignment<'a> {
        let (a, b) = if self.plain <= other.plain { (self, other) } else { (other, self) };
        Alignment::of(&a.sentence, &b.sentence)
    }
}

impl NearDuplicates {
    /// For these summaries.
    pub fn of(offered: &[&str]) -> Self {
        let mut lexicon = Lexicon::default();
        let offered = offered.iter().map(|text| Offered::read(text, &mut lexicon)).collect();
        Self { offered, lexicon }
    }

    /// Which of the summaries say the same as this one. Most are told apart by how their words begin.
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

    /// How much of the words of one of the summaries and of this text, in percent, is in the other;
    /// of whichever has more of its words there.
    pub(crate) fn shared_percent(&mut self, index: usize, text: &str) -> u32 {
        let text = Offered::read(text, &mut self.lexicon);
        let alignment = self.offered[index].aligned(&text);
        alignment.a.shared_percent().max(alignment.b.shared_percent())
    }
}

/// Whether two summaries say the same.
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
