//! Whether what an agent did shows that it used a learning, although it does not say so.
//!
//! Names from the learning (flags, identifiers, values) count twice, other words once, in what the
//! agent said and what it put into files. Names of the files themselves do not count: whoever works
//! on a file has not used what is known about it. The threshold was chosen, and the words are
//! compared, by looking at the cases of `tests/data/implicit_references.jsonl` that are marked
//! `tune`; the others are measured by a test. In real sessions most learnings are not used, so that
//! it takes more than what would do for the cases.

use std::collections::{BTreeSet, HashSet};

use verger_text::{is_common_stem, stem};

use crate::learning::Learning;

/// So much has to speak for it.
const ENOUGH: usize = 6;
/// A learning that offers more than this has something in common with any text, by chance: with every
/// so much of it, one more has to speak for its use.
const MUCH: usize = 24;
const PER_CHANCE: usize = 6;
/// Longer texts are looked at in pieces of this size: in a text of three thousand bytes, one learning
/// in thirty seems to be used that has nothing to do with it.
const PIECE_BYTES: usize = 512;
/// What comes behind so many pieces of a text is not looked at.
const MAX_PIECES: usize = 8;
/// The beginnings of words are compared, because endings depend on their form.
const KEY_CHARS: usize = 5;
/// A quotation of this length, by somebody who speaks of learnings, is one of them put aside.
const QUOTED_CHARS: usize = 15;

/// A piece of what an agent did since it was given learnings.
pub struct Work {
    said: String,
    edited: String,
    read: Read,
}

/// What is compared of a text.
struct Read {
    lower: String,
    keys: HashSet<String>,
}

impl Work {
    /// From a piece of what it said and a piece of what it put into a file.
    pub fn new(said: &str, edited: &str) -> Self {
        let (said, edited) = (without_quotations(said), edited.to_owned());
        let read = Read::new(&said, &edited);
        Self { said, edited, read }
    }

    /// All pieces: those of what it said, and with the first of them those of each text that it put
    /// into a file.
    pub fn pieces<'a>(said: &str, edited: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let said = without_quotations(said);
        let said = cut(&said);
        let first = said.first().copied().unwrap_or_default();
        let edited = edited.flat_map(cut).map(|edited| Self::new(first, edited));
        said.iter().map(|said| Self::new(said, "")).chain(edited).collect()
    }

    /// Whether it shows that a learning was used.
    pub fn uses(&self, learning: &Learning) -> bool {
        if self.said.contains(&learning.summary) {
            Read::new(&self.said.replace(&learning.summary, ""), &self.edited).uses(learning)
        } else {
            self.read.uses(learning)
        }
    }
}

impl Read {
    fn new(said: &str, edited: &str) -> Self {
        let text = format!("{said}\n{edited}");
        Self { lower: text.to_lowercase(), keys: keys(&text) }
    }

    fn uses(&self, learning: &Learning) -> bool {
        let names = names(learning);
        let found: Vec<_> = names.iter().filter(|name| has_name(&self.lower, name)).collect();
        let is_part = |name: &&&String| {
            found.iter().any(|other| other.len() > name.len() && other.contains(name.as_str()))
        };
        let whole: Vec<_> = found.iter().filter(|name| !is_part(name)).collect();
        let of_names: HashSet<String> = whole.iter().flat_map(|name| keys(name)).collect();
        let wanted = keys(&format!("{}\n{}", learning.summary, learning.detail));
        let words =
            wanted.iter().filter(|key| self.keys.contains(*key) && !of_names.contains(*key));
        let offered = 2 * names.len() + wanted.len();
        let by_chance = offered.saturating_sub(MUCH) / PER_CHANCE;
        2 * whole.len() + words.count() >= ENOUGH + by_chance
    }
}

/// Whole lines, as many as fit into a piece; a longer line is cut.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = vec![];
    let mut rest = text.trim();
    while !rest.is_empty() && pieces.len() < MAX_PIECES {
        let most = rest.floor_char_boundary(PIECE_BYTES);
        let line = rest[..most].rfind('\n').filter(|_| most < rest.len());
        let (piece, behind) = rest.split_at(line.unwrap_or(most));
        pieces.push(piece);
        rest = behind.trim_start();
    }
    pieces
}

/// `Learnings I was given: "..."` uses nothing of what it quotes.
fn without_quotations(said: &str) -> String {
    let lower = said.to_lowercase();
    if !["learning", "told", "given"].iter().any(|word| lower.contains(word)) {
        return said.to_owned();
    }
    let parts = said.split('"').enumerate();
    let is_kept =
        |(index, part): &(usize, &str)| index % 2 == 0 || part.chars().nth(QUOTED_CHARS).is_none();
    parts.filter(is_kept).map(|(_, part)| part).collect::<Vec<_>>().join(" ")
}

/// What in a learning is from code, in lower case.
fn names(learning: &Learning) -> BTreeSet<String> {
    let text = format!("{}\n{}", learning.summary, learning.detail);
    let is_end = |c: char| c.is_whitespace() || !c.is_ascii() || ",;\"'`([{".contains(c);
    let in_code = text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let in_text = text.split(is_end).filter(|word| is_name(word));
    let symbols = learning.symbols.iter().map(String::as_str);
    let bare = |word: &str| {
        word.trim_matches(|c: char| c.is_ascii_punctuation() && !"-_#$@".contains(c)).to_lowercase()
    };
    let is_file = |name: &String| {
        learning
            .files
            .iter()
            .map(|file| file.to_lowercase())
            .any(|file| file == *name || file.rsplit('/').next() == Some(name.as_str()))
    };
    let is_tag = |name: &String| learning.tags.iter().any(|tag| tag.to_lowercase() == *name);
    in_code
        .chain(in_text)
        .chain(symbols)
        .map(bare)
        .filter(|name| name.len() > 1 && !is_file(name) && !is_tag(name))
        .collect()
}

fn is_name(word: &str) -> bool {
    let inner = word.trim_matches(|c: char| ".,:!?)]}<>*=".contains(c));
    let letters: Vec<char> = inner.chars().collect();
    let has_pair = |is: fn(char, char) -> bool| letters.windows(2).any(|pair| is(pair[0], pair[1]));
    let is_capitals = letters.len() > 1 && letters.iter().all(char::is_ascii_uppercase);
    let is_flag = inner.starts_with('-') && inner.contains(|c: char| c.is_ascii_alphabetic());
    is_capitals
        || is_flag
        || inner.contains(['_', '=', '$', '@', '#', '\\'])
        || inner.contains("::")
        || inner.contains(|c: char| c.is_ascii_digit())
        || inner.trim_matches('/').contains('/')
        || has_pair(|a, b| a.is_ascii_lowercase() && b.is_ascii_uppercase())
        || inner.trim_matches('.').contains('.')
        || (word.ends_with("()") && !inner.is_empty())
}

/// Whether a name stands in a text by itself.
fn has_name(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_letter) && !text[at + name.len()..].starts_with(is_letter)
    })
}

/// The beginnings of the words that are not in everybody's mouth; in Japanese, two characters.
fn keys(text: &str) -> HashSet<String> {
    let mut keys = HashSet::new();
    let mut word = String::new();
    let mut was_lower = false;
    let mut characters = String::new();
    for c in text.chars().chain([' ']) {
        let is_inside = c.is_ascii_alphabetic() && !(was_lower && c.is_ascii_uppercase());
        if !is_inside {
            keys.extend(key(&word));
            word.clear();
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
        if is_character(c) {
            characters.push(c);
        } else {
            let pairs: Vec<char> = characters.chars().collect();
            keys.extend(pairs.windows(2).map(|pair| pair.iter().collect::<String>()));
            characters.clear();
        }
    }
    keys
}

fn key(word: &str) -> Option<String> {
    if word.len() < 3 || is_common_stem(&stem(word)) {
        return None;
    }
    let stem = word.strip_suffix('s').filter(|stem| (3..=4).contains(&stem.len())).unwrap_or(word);
    Some(stem[..stem.len().min(KEY_CHARS)].to_owned())
}

/// Kanji and katakana.
fn is_character(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{30a1}'..='\u{30ff}' | '々')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::bare;

    fn locked() -> Learning {
        Learning {
            summary: "Always pass --locked to cargo in CI".to_owned(),
            detail: "Without it cargo updates Cargo.lock silently and other versions are built \
                     than the ones that were reviewed."
                .to_owned(),
            tags: vec!["cargo".to_owned()],
            files: vec![".github/workflows/ci.yml".to_owned()],
            ..bare()
        }
    }

    #[test]
    fn names_and_reasons_show_that_a_learning_was_used() {
        let table = [
            (
                "I run cargo build --locked, so Cargo.lock has the versions that were reviewed.",
                "",
                true,
            ),
            ("Done.", "run: cargo clippy --locked --workspace", false),
            (
                "I bumped a version in the workflow .github/workflows/ci.yml.",
                "uses: checkout@v4",
                false,
            ),
            ("", "", false),
            (
                "I was given learnings: \"Always pass --locked to cargo in CI\", \"Cargo.lock is \
                 updated silently and reviewed versions are built\". None matters here.",
                "",
                false,
            ),
        ];
        for (said, edited, expected) in table {
            assert_eq!(Work::new(said, edited).uses(&locked()), expected, "{said}");
        }
    }

    #[test]
    fn long_texts_are_looked_at_piece_by_piece() {
        let line = format!("{}\n", "x".repeat(200));
        assert_eq!(
            cut(&line.repeat(5)).iter().map(|p| p.len()).collect::<Vec<_>>(),
            [401, 401, 200]
        );
        assert_eq!(
            cut(&"あ".repeat(400)).iter().map(|p| p.len()).collect::<Vec<_>>(),
            [510, 510, 180]
        );
        assert_eq!(cut(&line.repeat(100)).len(), MAX_PIECES);
        assert_eq!(cut(" \n "), [""; 0]);
        let uses = |said: &str, edited: &[&str]| {
            let pieces = Work::pieces(said, edited.iter().copied());
            pieces.iter().any(|piece| piece.uses(&locked()))
        };
        let [done, why] =
            ["cargo build --locked", "Cargo.lock has the versions that were reviewed"];
        assert!(uses(why, &["unrelated", done]));
        assert!(uses(&format!("{line}{line}{done}, {why}"), &[]));
        assert!(!uses(&format!("{done}\n{line}{line}{line}{why}"), &[]), "apart they say little");
        assert!(!uses("", &[]) && !uses("", &[""]));
    }

    #[test]
    fn names_are_found_by_themselves_only() {
        let learning = Learning { symbols: vec!["Money.total".to_owned()], ..locked() };
        let expected = ["--locked", "cargo.lock", "ci", "money.total"];
        assert_eq!(names(&learning).iter().collect::<Vec<_>>(), expected);
        assert!(has_name("a --locked b", "--locked"));
        assert!(!has_name("a --locked_x", "--locked"));
    }
}
