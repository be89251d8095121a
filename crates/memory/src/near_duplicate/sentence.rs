//! Parses a sentence into its content words and the frame around them.

use std::sync::Arc;

use verger_text::Script;

use super::alike::is_denial;
use super::lexicon::{
    HALF, Kind, Lexicon, NAME, ORDINARY, Part, Stance, Timing, Word, is_unit, read_as, stem,
};
use super::spelling::{bare, is_flag, is_gap, is_name, is_version, lower_case};
use super::synonyms;
use super::vocabulary as known;

/// The maximum numbers of bytes and words of a sentence that are parsed.
const MAX_BYTES: usize = 2 * 1024;
const MAX_WORDS: usize = 64;

/// Particles that form one word with the word before a hyphen, as in `set-up`.
const PARTICLES: &[&str] = &["up", "down", "out", "off", "in", "on"];

/// A parsed sentence.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    /// The content words of the sentence, in order.
    pub(super) words: Vec<Word>,
    /// The function words of the sentence, sorted.
    pub(super) frame: Vec<Arc<str>>,
    /// All words of the sentence, in order.
    pub(super) tokens: Vec<Arc<str>>,
    pub(super) is_negated: bool,
    /// Whether the sentence restricts a part of its statement.
    pub(super) is_limited: bool,
    pub(super) timing: Timing,
    pub(super) weight: u32,
    /// The union of the words' `beginning` bits.
    pub(super) beginnings: u128,
}

/// A sentence that is being parsed.
struct Reading<'a> {
    lexicon: &'a mut Lexicon,
    sentence: Sentence,
    /// The stance that the next content word gets.
    next: Stance,
}

impl Sentence {
    pub(super) fn read(text: &str, lexicon: &mut Lexicon) -> Self {
        let mut text = lower_case(&text[..text.floor_char_boundary(MAX_BYTES)]);
        if text.contains("pull request") {
            text = text.replace("pull request", "pr");
        }
        let mut reading = Reading { lexicon, sentence: Self::default(), next: Stance::default() };
        text.split(is_gap).for_each(|chunk| reading.chunk(chunk));
        let mut read = reading.sentence;
        read.note_japanese(&text);
        read.frame.sort_unstable();
        read
    }

    fn ends_with_number(&self) -> bool {
        self.words.last().is_some_and(|last| last.kind == Kind::Number)
    }

    /// Finds negations and restrictions in Japanese text.
    fn note_japanese(&mut self, text: &str) {
        if text.is_ascii() {
            return;
        }
        let duties = known::JAPANESE_DUTIES.iter();
        let text = duties.fold(text.to_owned(), |text, duty| text.replace(duty, ""));
        self.is_negated |= has_any(&text, known::JAPANESE_NEGATIONS);
        self.is_limited |= has_any(&text, known::JAPANESE_LIMITS);
    }
}

impl Reading<'_> {
    /// Reads a piece of text without spaces, which may contain Japanese characters.
    fn chunk(&mut self, chunk: &str) {
        if chunk.is_ascii() {
            return self.spaced(chunk);
        }
        let mut rest = chunk;
        while let Some(first) = rest.chars().next() {
            let script = japanese_script(first);
            let end = rest.find(|c| japanese_script(c) != script).unwrap_or(rest.len());
            let (run, behind) = rest.split_at(end);
            match script {
                Some(Script::Han) => self.kanji(run),
                Some(Script::Katakana) => self.katakana(run.trim_end_matches('ー')),
                Some(Script::Hiragana) => self.hiragana(run),
                _ => self.spaced(run),
            }
            rest = behind;
        }
    }

    fn push(&mut self, kind: Kind, text: &str, weight: u32) {
        self.add(Word::new(kind, text, weight));
    }

    fn add(&mut self, mut word: Word) {
        let sentence = &mut self.sentence;
        if sentence.words.len() == MAX_WORDS {
            return;
        }
        word.stance = std::mem::take(&mut self.next);
        sentence.tokens.push(word.text.clone());
        sentence.weight += word.weight;
        sentence.beginnings |= word.beginning;
        sentence.words.push(word);
    }

    fn hold(&mut self, text: Arc<str>) {
        self.sentence.tokens.push(text.clone());
        self.sentence.frame.push(text);
    }

    /// Reads a piece of text between two spaces.
    fn spaced(&mut self, raw: &str) {
        let is_simple = raw.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_simple && !raw.is_empty() && !self.sentence.ends_with_number() {
            return self.plain(raw);
        }
        let word = bare(raw);
        if word.is_empty() || self.number(word) {
        } else if read_as(word).is_some() {
            self.plain(word);
        } else if is_flag(word) {
            self.push(Kind::Name, word, NAME);
        } else if let Some((left, right)) =
            word.split_once('=').filter(|(left, _)| !left.is_empty())
        {
            self.push(Kind::Name, left, NAME);
            self.spaced(right);
        } else if is_name(word) {
            let name = word.trim_matches('/').replace("()", "");
            self.sentence.is_limited |= is_version(&name);
            self.push(Kind::Name, &name, NAME);
        } else if word.contains('/') {
            word.split('/').for_each(|part| self.spaced(part));
        } else if let Some((front, behind)) = word.split_once('-') {
            if PARTICLES.contains(&behind) {
                self.plain(&format!("{front}{behind}"));
            } else {
                self.spaced(front);
                self.spaced(behind);
            }
        } else {
            self.plain(word);
        }
    }

    /// Reads a word that consists of letters only.
    fn plain(&mut self, word: &str) {
        let entry = self.lexicon.entry(word);
        self.sentence.is_limited |= entry.is_limit;
        self.sentence.timing = self.sentence.timing.max(entry.timing);
        match entry.part {
            Part::Negation(next) => {
                self.sentence.is_negated = true;
                self.next = next;
                self.hold("not".into());
            }
            Part::Frame(text) => self.hold(text),
            Part::Word(known) => {
                if self.is_denied_by_what_is_in_front(word) {
                    self.next = Stance::Denied;
                }
                self.add(known);
            }
        }
    }

    /// Whether the word before `word` negates it, as in `kept from running` and `fails to run`.
    fn is_denied_by_what_is_in_front(&self, word: &str) -> bool {
        let Sentence { tokens, words, .. } = &self.sentence;
        match tokens.last().map(|last| &**last) {
            Some("from") => word.ends_with("ing"),
            Some("to") => words.last().is_some_and(is_denial),
            _ => false,
        }
    }

    /// Reads a number with or without a unit, such as `10mb`, `3.12`, `80%` or `-1`, or an `s`
    /// after a number. Returns whether it was one.
    fn number(&mut self, word: &str) -> bool {
        let short_unit = |word: &str| {
            known::SHORT_UNITS.iter().find(|(short, _)| *short == word).map(|(_, unit)| stem(unit))
        };
        if self.sentence.ends_with_number()
            && let Some(unit) = short_unit(word)
        {
            self.push(Kind::Unit, &unit, ORDINARY);
            return true;
        }
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_inside = |c: char| c.is_ascii_digit() || ".,:".contains(c);
        let (number, suffix) =
            digits.split_at(digits.find(|c| !is_inside(c)).unwrap_or(digits.len()));
        if !number.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let unit = match suffix {
            "" | "+" => None,
            _ => match short_unit(suffix).or_else(|| Some(stem(suffix))) {
                Some(unit) if is_unit(&unit) => Some(unit),
                _ => return false,
            },
        };
        let sign = &word[..word.len() - digits.len()];
        let number = format!("{sign}{}", number.trim_end_matches(['.', ',', ':']));
        self.push(Kind::Number, &number, ORDINARY);
        if let Some(unit) = unit {
            self.push(Kind::Unit, &unit, ORDINARY);
        }
        true
    }

    /// Reads a run of kanji in pairs, because most words have two. After a number, the first
    /// character is a unit.
    fn kanji(&mut self, run: &str) {
        let mut characters: Vec<char> = run.chars().collect();
        if self.sentence.ends_with_number() {
            self.push(Kind::Unit, &characters.remove(0).to_string(), ORDINARY);
        }
        for pair in characters.chunks(2) {
            let weight = if pair.len() == 1 { HALF } else { ORDINARY };
            let text = synonyms::head(pair.iter().collect::<String>());
            self.push(Kind::Kanji, &text, weight);
        }
    }

    fn katakana(&mut self, run: &str) {
        match read_as(run) {
            Some(loaned) => self.plain(loaned),
            None if run.is_empty() => (),
            None => self.push(Kind::Katakana, run, ORDINARY),
        }
    }

    /// Reads the hiragana after a word. They may negate the word.
    fn hiragana(&mut self, run: &str) {
        if let Some(last) = self.sentence.words.last_mut() {
            if has_any(run, known::JAPANESE_LACKS) {
                last.stance = Stance::Lacking;
            } else if has_any(run, known::JAPANESE_DENIALS) {
                last.stance = Stance::Denied;
            }
        }
        self.hold(run.into());
    }
}

/// The Japanese script of a character. `None` for every other character, so that a name such as
/// `a-b` is one run.
fn japanese_script(c: char) -> Option<Script> {
    let script = Script::of(c);
    matches!(script, Script::Han | Script::Katakana | Script::Hiragana).then_some(script)
}

fn has_any(text: &str, list: &[&str]) -> bool {
    list.iter().any(|word| text.contains(word))
}
