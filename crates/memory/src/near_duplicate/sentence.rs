//! A sentence as the words that it is about, and the frame that they stand in.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::vocabulary as known;
use crate::english::{self, COMMON_WORDS, is_stop_word};

/// What is longer is not looked at to its end.
const MAX_BYTES: usize = 2 * 1024;
const MAX_WORDS: usize = 64;

/// What a word weighs, by what it says.
pub(super) const ORDINARY: u32 = 10;
pub(super) const COMMON: u32 = 3;
const HALF: u32 = ORDINARY / 2;
const NAME: u32 = ORDINARY + HALF;

/// Behind a hyphen they make one word of two.
const PARTICLES: &[&str] = &["up", "down", "out", "off", "in", "on"];

static READ_AS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| known::READ_AS.split(", ").filter_map(|pair| pair.split_once(' ')).collect());
static COMMON_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| COMMON_WORDS.split(' ').map(stem).collect());
static UNIT_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| known::UNITS.split(' ').map(stem).collect());

/// A sentence, read.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    /// What it is about, in order.
    pub(super) words: Vec<Word>,
    /// The words that hold it together, sorted.
    pub(super) frame: Vec<String>,
    /// All of them, in order.
    pub(super) tokens: Vec<String>,
    pub(super) is_negated: bool,
    /// It restricts a part of what it says.
    pub(super) is_limited: bool,
    pub(super) weight: u32,
    /// The bits of the beginnings of its words.
    pub(super) beginnings: u128,
}

/// A word that a sentence is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) weight: u32,
    /// The bit of its beginning: words that are alike begin alike.
    pub(super) beginning: u128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word without its ending.
    Stem,
    /// A path, a flag, an identifier.
    Name,
    Number,
    Unit,
    /// One or two characters, as most words have.
    Kanji,
    Katakana,
}

impl Sentence {
    pub(super) fn read(text: &str) -> Self {
        let text = half_width(&text[..text.floor_char_boundary(MAX_BYTES)])
            .to_lowercase()
            .replace("pull request", "pr");
        let mut read = Self::default();
        for chunk in text.split(is_gap) {
            let mut rest = chunk;
            while let Some(first) = rest.chars().next() {
                let script = Script::of(first);
                let end = rest.find(|c| Script::of(c) != script).unwrap_or(rest.len());
                let (run, behind) = rest.split_at(end);
                match script {
                    Script::Spaced => read.spaced(run),
                    Script::Kanji => read.kanji(run),
                    Script::Katakana => read.katakana(run.trim_end_matches('ー')),
                    Script::Hiragana => read.hold(run),
                }
                rest = behind;
            }
        }
        read.note_japanese(&text);
        read.frame.sort_unstable();
        read
    }

    fn push(&mut self, kind: Kind, text: String, weight: u32) {
        if self.words.len() == MAX_WORDS {
            return;
        }
        let characters = if kind == Kind::Kanji { 1 } else { 2 };
        let beginning = beginning_bit(text.chars().take(characters));
        self.tokens.push(text.clone());
        self.words.push(Word { kind, text, weight, beginning });
        self.weight += weight;
        self.beginnings |= beginning;
    }

    fn hold(&mut self, text: &str) {
        self.tokens.push(text.to_owned());
        self.frame.push(text.to_owned());
    }

    /// What stands between two spaces.
    fn spaced(&mut self, raw: &str) {
        let word = bare(raw);
        if word.is_empty() || self.number(word) {
        } else if is_flag(word) {
            self.push(Kind::Name, word.to_owned(), NAME);
        } else if let Some((left, right)) =
            word.split_once('=').filter(|(left, _)| !left.is_empty())
        {
            self.push(Kind::Name, left.to_owned(), NAME);
            self.spaced(right);
        } else if is_name(word) {
            let name = word.trim_matches('/').replace("()", "");
            self.is_limited |= is_version(&name);
            self.push(Kind::Name, name, NAME);
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

    /// A word of letters alone.
    fn plain(&mut self, word: &str) {
        self.is_limited |= known::LIMITS.contains(&word);
        if word.ends_with("n't") || known::NEGATIONS.contains(&word) {
            self.is_negated = true;
            self.hold("not");
        } else if is_stop_word(word.as_bytes()) {
            self.hold(word);
        } else {
            let stem = stem(word);
            if stem.starts_with(|c: char| c.is_ascii_digit()) {
                self.push(Kind::Number, stem, ORDINARY);
            } else if UNIT_STEMS.contains(&stem) {
                self.push(Kind::Unit, stem, ORDINARY);
            } else {
                let weight = if COMMON_STEMS.contains(&stem) { COMMON } else { ORDINARY };
                self.push(Kind::Stem, stem, weight);
            }
        }
    }

    /// `10mb`, `3.12`, `80%`, `-1`, and `s` behind one.
    fn number(&mut self, word: &str) -> bool {
        let short_unit = |word: &str| {
            known::SHORT_UNITS.iter().find(|(short, _)| *short == word).map(|(_, unit)| stem(unit))
        };
        if self.words.last().is_some_and(|last| last.kind == Kind::Number)
            && let Some(unit) = short_unit(word)
        {
            self.push(Kind::Unit, unit, ORDINARY);
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
                Some(unit) if UNIT_STEMS.contains(&unit) => Some(unit),
                _ => return false,
            },
        };
        let sign = &word[..word.len() - digits.len()];
        let number = format!("{sign}{}", number.trim_end_matches(['.', ',', ':']));
        self.push(Kind::Number, number, ORDINARY);
        if let Some(unit) = unit {
            self.push(Kind::Unit, unit, ORDINARY);
        }
        true
    }

    /// In twos, as most words are. Behind a number the first counts.
    fn kanji(&mut self, run: &str) {
        let mut characters: Vec<char> = run.chars().collect();
        if self.words.last().is_some_and(|last| last.kind == Kind::Number) {
            self.push(Kind::Unit, characters.remove(0).to_string(), ORDINARY);
        }
        for pair in characters.chunks(2) {
            let weight = if pair.len() == 1 { HALF } else { ORDINARY };
            self.push(Kind::Kanji, pair.iter().collect(), weight);
        }
    }

    fn katakana(&mut self, run: &str) {
        match READ_AS.get(run) {
            Some(loaned) => self.plain(loaned),
            None if run.is_empty() => (),
            None => self.push(Kind::Katakana, run.to_owned(), ORDINARY),
        }
    }

    /// What turns a Japanese sentence round is found in its text.
    fn note_japanese(&mut self, text: &str) {
        let is_in = |list: &[&str], text: &str| list.iter().any(|word| text.contains(word));
        if text.is_ascii() {
            return;
        }
        let duties = known::JAPANESE_DUTIES.iter();
        let text = duties.fold(text.to_owned(), |text, duty| text.replace(duty, ""));
        self.is_negated |= is_in(known::JAPANESE_NEGATIONS, &text);
        self.is_limited |= is_in(known::JAPANESE_LIMITS, &text);
    }
}

fn is_gap(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '"' | '`')
        || matches!(c, '。' | '、' | '「' | '」' | '“' | '”' | '—')
        || c.is_whitespace()
}

fn beginning_bit(beginning: impl Iterator<Item = char>) -> u128 {
    let mix = |hash: u32, c: char| (hash ^ u32::from(c)).wrapping_mul(0x9e37_79b1).rotate_left(13);
    1 << (beginning.fold(0, mix) % u128::BITS)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Spaced,
    Kanji,
    Katakana,
    Hiragana,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '々' | '〆' => Self::Kanji,
            '\u{30a0}'..='\u{30ff}' if c != '・' => Self::Katakana,
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            _ => Self::Spaced,
        }
    }
}

/// The stem of a lower-case word, in one spelling.
pub(super) fn stem(word: &str) -> String {
    let word = READ_AS.get(word).copied().unwrap_or(word);
    let mut letters = in_one_spelling(word).into_owned().into_bytes();
    if letters.iter().all(u8::is_ascii_lowercase) {
        english::stem(&mut letters);
    }
    String::from_utf8(letters).unwrap_or_default()
}

/// `serialised` as `serialized`, `colour` as `color`.
fn in_one_spelling(word: &str) -> Cow<'_, str> {
    if word.len() < 6 || !(word.contains("is") || word.contains("our")) {
        return Cow::Borrowed(word);
    }
    let word = word.replace("isation", "ization");
    for ending in ["ise", "ised", "ises", "ising"] {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() + ending.len() > 6) {
            return Cow::Owned(format!("{rest}iz{}", &ending[2..]));
        }
    }
    let is_british = word.ends_with("our") || word.ends_with("ours");
    Cow::Owned(if is_british { word.replace("our", "or") } else { word })
}

fn half_width(text: &str) -> String {
    let narrow = |c: char| match u32::from(c) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(c),
        0x2019 => '\'',
        _ => c,
    };
    text.chars().map(narrow).collect()
}

/// Without what stands around it. A dot in front belongs to a file or an ending.
fn bare(raw: &str) -> &str {
    let around: &[char] = &[':', '!', '?', '<', '>', '\'', '…', '*'];
    let word = raw.trim_matches(around).trim_end_matches(['.', ':', '/']).trim_matches(around);
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.contains(char::is_alphanumeric) || word == "%" { word } else { "" }
}

fn is_flag(word: &str) -> bool {
    let rest = word.trim_start_matches('-');
    rest.len() < word.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether it looks like something from code: a path, an identifier, anything with a digit.
fn is_name(word: &str) -> bool {
    word.contains(['_', '@', '$', '\\', '#', '.'])
        || word.contains("::")
        || word.contains(|c: char| c.is_ascii_digit())
        || word.starts_with(['/', '~'])
        || word.matches('/').count() > 1
}

fn is_version(name: &str) -> bool {
    name.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
