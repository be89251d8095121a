//! Detects whether an agent's work shows that it used a learning, although the agent doesn't say
//! so.
//!
//! Names from the learning (flags, identifiers, values) count twice and other words once. They are
//! searched in the agent's messages and in the text that the agent inserted into files. Names of
//! the files themselves don't count: work on a file doesn't mean that a learning about it was used.
//!
//! The threshold was chosen with the cases of `tests/data/implicit_references.jsonl` that are
//! marked `tune`; a test measures the others. In real sessions most learnings aren't used, so the
//! threshold is higher than the cases need.

use std::collections::{BTreeSet, HashSet};

use verger_text::{identifiers, is_common_stem, words};

use crate::learning::Learning;

/// The minimum score at which a learning counts as used.
const ENOUGH: usize = 6;
/// The number of names and words up to which a learning is short. A longer learning shares some of
/// them with any text by chance, so it needs a higher score: one more for every [`PER_CHANCE`]
/// names and words.
const MUCH: usize = 24;
const PER_CHANCE: usize = 6;
/// The size of the pieces into which a longer text is cut. If whole texts of three thousand bytes
/// were compared, one unrelated learning in thirty would count as used.
const PIECE_BYTES: usize = 512;
/// The maximum number of pieces of a text. The rest of the text isn't compared.
const MAX_PIECES: usize = 8;
/// The number of characters up to which a quotation is kept. Longer ones are removed from a message
/// about learnings, because they quote a learning.
const QUOTED_CHARS: usize = 15;

/// A piece of an agent's work since the agent was given learnings: a part of a message and of an
/// inserted text.
pub struct Work {
    said: String,
    edited: String,
    read: Read,
}

/// A text prepared for comparison with learnings.
struct Read {
    lower: String,
    keys: HashSet<String>,
}

impl Work {
    /// Creates a piece from a part of a message and a part of an inserted text.
    pub fn new(said: &str, edited: &str) -> Self {
        let (said, edited) = (without_quotations(said), edited.to_owned());
        let read = Read::new(&said, &edited);
        Self { said, edited, read }
    }

    /// All pieces of work: one for each piece of the message, and one for each piece of an inserted
    /// text, together with the first piece of the message.
    pub fn pieces<'a>(said: &str, edited: impl Iterator<Item = &'a str>) -> Vec<Self> {
        let said = without_quotations(said);
        let said = cut(&said);
        let first = said.first().copied().unwrap_or_default();
        let edited = edited.flat_map(cut).map(|edited| Self::new(first, edited));
        said.iter().map(|said| Self::new(said, "")).chain(edited).collect()
    }

    /// Whether the agent's text or edit in this piece shows that the learning was used.
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

/// Cuts a text into pieces of whole lines; a longer line is cut.
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

/// Removes quotations, because `Learnings I was given: "..."` isn't a use of the quoted learnings.
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

/// The names from code in a learning, in lower case, including values.
fn names(learning: &Learning) -> BTreeSet<String> {
    let text = format!("{}\n{}", learning.summary, learning.detail);
    let values = text.split(|c: char| !c.is_ascii_alphanumeric());
    let values = values.filter(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_digit()));
    let symbols = learning.symbols.iter().map(String::as_str);
    let is_file = |name: &String| {
        learning
            .files
            .iter()
            .map(|file| file.to_lowercase())
            .any(|file| file == *name || file.rsplit('/').next() == Some(name.as_str()))
    };
    let is_tag = |name: &String| learning.tags.iter().any(|tag| tag.to_lowercase() == *name);
    identifiers(&text)
        .chain(values)
        .chain(symbols)
        .map(str::to_lowercase)
        .filter(|name| name.len() > 1 && !is_file(name) && !is_tag(name))
        .collect()
}

/// Whether a name occurs in a text as a whole word.
fn has_name(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_letter) && !text[at + name.len()..].starts_with(is_letter)
    })
}

/// The stems of a text's words, without frequent words.
fn keys(text: &str) -> HashSet<String> {
    let shortest = |stem: &str| if stem.is_ascii() { 3 } else { 2 };
    let is_key = |stem: &String| {
        stem.chars().all(char::is_alphabetic)
            && stem.chars().count() >= shortest(stem)
            && !is_common_stem(stem)
    };
    words(text).map(|word| word.stem).filter(is_key).collect()
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
