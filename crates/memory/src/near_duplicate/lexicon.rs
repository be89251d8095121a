//! Classifies a single word: its normal form, its weight, and its effect on a sentence.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use verger_text::{is_common_stem, is_stop_word};

use super::synonyms;
use super::vocabulary as known;

/// The weights of words in the comparison of two sentences.
pub(super) const ORDINARY: u32 = 10;
pub(super) const COMMON: u32 = 3;
pub(super) const HALF: u32 = ORDINARY / 2;
pub(super) const NAME: u32 = ORDINARY + HALF;

static READ_AS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| known::READ_AS.split(", ").filter_map(|pair| pair.split_once(' ')).collect());
static UNIT_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| known::UNITS.split(' ').map(stem).collect());

/// A content word of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) text: Arc<str>,
    pub(super) weight: u32,
    pub(super) stance: Stance,
    /// A bit that depends on the word's first letters. Similar words have the same bit.
    pub(super) beginning: u128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A plain word without its ending.
    Stem,
    /// A name from code: a path, a flag or an identifier.
    Name,
    Number,
    Unit,
    /// A word in kanji: one or two characters.
    Kanji,
    Katakana,
}

/// The role of a word in its sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stance {
    #[default]
    Plain,
    /// The word is negated.
    Denied,
    /// The sentence is about the absence of the word.
    Lacking,
}

/// Whether a sentence names an order or an occasion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timing {
    #[default]
    Any,
    /// The sentence names an order or an occasion.
    Occasion,
    /// The sentence says that something comes first.
    First,
}

/// A cache of looked-up words. Most of them occur in the next sentence again.
#[derive(Default)]
pub(super) struct Lexicon {
    entries: HashMap<String, Entry>,
}

/// The classification of a word that consists of letters.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) part: Part,
    /// Whether the word restricts the words around it.
    pub(super) is_limit: bool,
    pub(super) timing: Timing,
}

/// The function of a word in a sentence.
#[derive(Clone)]
pub(super) enum Part {
    /// The word is a negation. The next word gets this stance.
    Negation(Stance),
    /// The word is a function word, which belongs to the frame of the sentence.
    Frame(Arc<str>),
    /// The word is a content word.
    Word(Word),
}

impl Lexicon {
    pub(super) fn entry(&mut self, word: &str) -> Entry {
        if let Some(entry) = self.entries.get(word) {
            return entry.clone();
        }
        let entry = Entry::of(word);
        self.entries.insert(word.to_owned(), entry.clone());
        entry
    }
}

impl Entry {
    fn of(word: &str) -> Self {
        let timing = if known::FIRST.contains(&word) {
            Timing::First
        } else if known::OCCASIONS.contains(&word) {
            Timing::Occasion
        } else {
            Timing::Any
        };
        Self { part: Part::of(word), is_limit: known::LIMITS.contains(&word), timing }
    }
}

impl Part {
    fn of(word: &str) -> Self {
        if word.ends_with("n't") || known::NEGATIONS.contains(&word) {
            return Self::Negation(Stance::Denied);
        }
        if known::LACKS.contains(&word) {
            return Self::Negation(Stance::Lacking);
        }
        if is_stop_word(word) || known::OCCASIONS.contains(&word) || matches!(word, "may" | "any") {
            return Self::Frame(word.into());
        }
        let own = own_stem(word);
        let stem = synonyms::head(own.clone());
        let (kind, weight) = if stem.starts_with(|c: char| c.is_ascii_digit()) {
            (Kind::Number, ORDINARY)
        } else if is_unit(&stem) {
            (Kind::Unit, ORDINARY)
        } else if is_common_stem(&own) {
            (Kind::Stem, COMMON)
        } else {
            (Kind::Stem, ORDINARY)
        };
        Self::Word(Word::new(kind, &stem, weight))
    }
}

impl Word {
    pub(super) fn new(kind: Kind, text: &str, weight: u32) -> Self {
        let characters = if kind == Kind::Kanji { 1 } else { 2 };
        let beginning = beginning_bit(text.chars().take(characters));
        Self { kind, text: text.into(), weight, stance: Stance::Plain, beginning }
    }
}

fn beginning_bit(beginning: impl Iterator<Item = char>) -> u128 {
    let mix = |hash: u32, c: char| (hash ^ u32::from(c)).wrapping_mul(0x9e37_79b1).rotate_left(13);
    1 << (beginning.fold(0, mix) % u128::BITS)
}

/// The normal form of an abbreviation or numeral.
pub(super) fn read_as(word: &str) -> Option<&'static str> {
    READ_AS.get(word).copied()
}

pub(super) fn is_unit(stem: &str) -> bool {
    UNIT_STEMS.contains(stem)
}

/// The stem of a lower-case word, or of the synonym that is its normal form.
pub(super) fn stem(word: &str) -> String {
    synonyms::head(own_stem(word))
}

/// The stem of a lower-case word. Abbreviations are expanded, but synonyms are not replaced.
fn own_stem(word: &str) -> String {
    verger_text::stem(read_as(word).unwrap_or(word))
}
