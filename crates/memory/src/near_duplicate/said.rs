//! What a sentence is about: its words in their order, and what turns them round.

use std::collections::HashSet;

use super::forms::PHRASES;
use super::japanese;
use super::lexicon::{Lexicon, Role};
use super::stem::stem;
use super::token;

/// What weighs as much as an ordinary word. Weak ones weigh half of it, names half more.
pub(super) const ORDINARY: u32 = 4;
pub(super) const WEAK: u32 = ORDINARY / 2;
pub(super) const NAME: u32 = ORDINARY + ORDINARY / 2;

/// Which side of them a word stands on makes a difference.
const CONNECTORS: &[&str] = &["before", "after", "over", "than", "instead", "from", "into", "onto"];

/// A sentence, read.
#[derive(Default)]
pub(super) struct Said {
    pub(super) words: Vec<Word>,
    /// The stems of all plain words, also of those that say nothing.
    pub(super) stems: HashSet<String>,
    /// How many there are of what, where a word says so.
    pub(super) counts: HashSet<&'static str>,
    pub(super) negations: usize,
    /// Connectors, and the place of the word that each is about.
    pub(super) connectors: Vec<(Connector, usize)>,
    pub(super) turns: HashSet<Turn>,
    previous: String,
}

/// What may change the sense of a sentence without being what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Turn {
    /// It speaks of harm.
    Harm,
    /// It takes something back.
    Contrast,
    /// It restricts.
    Only,
    /// It has said what else would happen.
    Otherwise,
    /// It compares by preference.
    Prefer,
}

/// A word between two others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connector {
    /// The word behind it counts.
    English(&'static str),
    /// The word in front of it counts: this is done first.
    JapaneseAfter,
    /// The word in front of it counts: this is done last.
    JapaneseBefore,
}

/// A word that a sentence is about.
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) weight: u32,
    /// As it was written, in lower case.
    pub(super) written: String,
    pub(super) stem: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// A path, a flag, an identifier.
    Name,
    Number,
    Unit,
    Kanji,
    Katakana,
}

impl Said {
    pub(super) fn read(text: &str, lexicon: &Lexicon) -> Self {
        let mut said = Self::default();
        let text = with_phrases(&half_width(text));
        japanese::note_turns(&text, &mut said);
        let is_end = |c: char| c.is_whitespace() || "。、「」()（）,;\"`’“”—".contains(c);
        for chunk in text.split(is_end) {
            let mut rest = chunk;
            while let Some(first) = rest.chars().next() {
                let is_cjk = japanese::is_cjk(first);
                let end = rest.find(|c| japanese::is_cjk(c) != is_cjk).unwrap_or(rest.len());
                let (run, behind) = rest.split_at(end);
                if is_cjk {
                    let follows_number = rest.len() < chunk.len()
                        && said.words.last().is_some_and(|word| word.kind == Kind::Number);
                    japanese::read(run, follows_number, lexicon, &mut said);
                } else {
                    token::read(run, lexicon, &mut said);
                    run.to_lowercase().clone_into(&mut said.previous);
                }
                rest = behind;
            }
        }
        if said.has(Turn::Prefer) && said.stems.contains("over") {
            said.negations += 1;
        }
        said
    }

    pub(super) fn has(&self, turn: Turn) -> bool {
        self.turns.contains(&turn)
    }

    /// A word of letters alone. One in capitals is never one that says nothing.
    pub(super) fn read_plain(&mut self, word: &str, is_capitals: bool, lexicon: &Lexicon) {
        if word.ends_with("n't") || word == "cannot" {
            self.negations += 1;
            return;
        }
        if let Some(number) = lexicon.numeral(word) {
            return self.push(Kind::Number, ORDINARY, number, number.to_owned());
        }
        if let Some(connector) = CONNECTORS.iter().find(|connector| **connector == word) {
            self.connectors.push((Connector::English(connector), self.words.len()));
        }
        let positive = lexicon.negated(word);
        self.negations += usize::from(positive.is_some());
        let word = positive.unwrap_or(word);
        let stem = stem(word);
        self.note_turns(word, &stem, lexicon);
        match lexicon.role(&stem) {
            Some(Role::Negation) if self.has(Turn::Otherwise) => (),
            Some(Role::Negation) => self.negations += 1,
            Some(Role::Contrast) => drop(self.turns.insert(Turn::Contrast)),
            Some(Role::Silent) if !(is_capitals && lexicon.is_known(&stem)) => (),
            role => self.push_plain(word, stem, role == Some(Role::Weak), lexicon),
        }
    }

    fn note_turns(&mut self, word: &str, stem: &str, lexicon: &Lexicon) {
        self.stems.insert(stem.to_owned());
        self.counts.extend(lexicon.count(word));
        if word == "until" && self.negations > 0 {
            self.negations -= 1;
            self.turns.insert(Turn::Only);
        }
        let turn = match word {
            "or" | "otherwise" | "else" => Some(Turn::Otherwise),
            "only" => Some(Turn::Only),
            _ if stem == "prefer" => Some(Turn::Prefer),
            _ => None,
        };
        self.turns.extend(turn);
        if turn == Some(Turn::Otherwise) || lexicon.is_harm(stem) {
            self.turns.insert(Turn::Harm);
        }
    }

    fn push_plain(&mut self, word: &str, stem: String, is_weak: bool, lexicon: &Lexicon) {
        if lexicon.is_unit(&stem) {
            if ["a", "an", "one"].contains(&self.previous.as_str()) {
                self.counts.insert("1");
            }
            return self.push(Kind::Unit, ORDINARY, word, stem);
        }
        self.push(Kind::Plain, if is_weak { WEAK } else { ORDINARY }, word, stem);
    }

    pub(super) fn push(&mut self, kind: Kind, weight: u32, written: &str, stem: String) {
        self.words.push(Word { kind, weight, written: written.to_owned(), stem });
    }
}

impl Word {
    pub(super) fn is_ordinary(&self) -> bool {
        self.weight >= ORDINARY
    }

    /// A version, such as `v2` or `3.12`.
    pub(super) fn is_version(&self) -> bool {
        let digits = self.written.strip_prefix('v').unwrap_or(&self.written);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
        is_number && (digits.len() < self.written.len() || digits.contains('.'))
    }
}

fn half_width(text: &str) -> String {
    let narrow = |c: char| match u32::from(c) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(narrow).collect()
}

/// Phrases are found between words; a plural counts.
fn with_phrases(text: &str) -> String {
    let (mut read, mut lower) = (text.to_owned(), text.to_ascii_lowercase());
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    for (phrase, meant) in PHRASES {
        let found = lower.match_indices(phrase).find(|(at, _)| {
            let behind = &lower[at + phrase.len()..];
            let behind = behind.strip_prefix('s').unwrap_or(behind);
            !lower[..*at].ends_with(is_letter) && !behind.starts_with(is_letter)
        });
        if let Some((at, _)) = found {
            read.replace_range(at..at + phrase.len(), meant);
            lower.replace_range(at..at + phrase.len(), meant);
        }
    }
    read
}
