//! Extracts the files and names from a prompt that are used to find recorded tasks.

use crate::paths::{name, named_in};
use crate::person::persons_words;
use crate::phrases::{begins_with_any, is_listed};

/// The maximum number of bytes of a prompt that are read.
const MAX_PROMPT: usize = 16 * 1024;
/// The maximum number of bytes of the person's words that are searched. The rest of a longer text
/// was pasted.
const MAX_TEXT: usize = 4 * 1024;
const MAX_FILES: usize = 8;
const MAX_NAMES: usize = 16;
/// The allowed length of a name, in bytes.
const NAME_LENGTHS: std::ops::RangeInclusive<usize> = 6..=60;
/// Beginnings of the names of files that many unrelated tasks change.
const COMMON_FILES: &str = "build.|cargo.|changelog|dockerfile|go.mod|go.sum|index.|lib.rs|main.|\
    makefile|mod.rs|package|pyproject.|readme|tsconfig";
/// Beginnings of standards' names, which look like tickets: `UTF-8`, `SHA-256`.
const STANDARDS: &str = "AES|HTTP|ISO|RFC|SHA|TLS|UTF";

/// The files and names in a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    /// Texts in the prompt that may be a file's path or the end of a path.
    pub(super) files: Vec<String>,
    /// Identifiers and ticket numbers in the prompt.
    pub(super) names: Vec<String>,
}

impl Sought {
    /// Parses a prompt. `None` if it has neither a file nor a name. Paths in the folder `root`
    /// become relative to it.
    pub fn in_prompt(prompt: &str, root: Option<&str>) -> Option<Self> {
        let words = persons_words(begin(prompt, MAX_PROMPT));
        let words = begin(words.trim(), MAX_TEXT);
        let files = named_in(words, root).into_iter().filter(|path| is_telling(path));
        let files: Vec<String> = files.take(MAX_FILES).collect();
        let names = names_in(words);
        (!files.is_empty() || !names.is_empty()).then_some(Self { files, names })
    }
}

/// The identifiers and ticket numbers in a text.
pub(super) fn names_in(text: &str) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for token in tokens(begin(text, MAX_TEXT)) {
        if let Some(name) = ticket(token).or_else(|| identifier(token))
            && names.len() < MAX_NAMES
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

fn begin(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max.min(text.len()))]
}

/// The sequences of characters that paths, identifiers and links consist of.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./:#@~+".contains(c);
    let tokens = text.split(move |c: char| !is_part(c));
    let tokens = tokens.map(|token| token.trim_start_matches(['@', '-', '+', ':']));
    tokens.map(|token| token.trim_end_matches(['.', ':', '-', '/', '@', '+']))
}

/// Whether a path says which task is meant. Build files, changelogs and similar files don't.
fn is_telling(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending != "lock") && !begins_with_any(&name, COMMON_FILES)
}

/// Parses `#123`, `ABC-12`, or a link to an issue, a pull request or a discussion, which becomes
/// `#123`.
fn ticket(token: &str) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let of_link = ["/pull/", "/issues/", "/discussions/"].iter().find_map(|part| {
        let (_, rest) = token.split_once(part)?;
        rest.split(|c: char| !c.is_ascii_digit()).next().filter(|number| is_number(number))
    });
    if let Some(number) = of_link
        .or_else(|| token.strip_prefix('#').filter(|number| number.len() > 1 && is_number(number)))
    {
        return Some(format!("#{number}"));
    }
    let (letters, number) = token.split_once('-')?;
    let is_project = letters.len() >= 2
        && letters.bytes().all(|b| b.is_ascii_uppercase())
        && !is_listed(letters, STANDARDS);
    (is_project && is_number(number)).then(|| token.to_owned())
}

/// Parses an identifier from code: `snake_case`, `camelCase`, or `PascalCase` with three parts.
/// `GitHub` isn't an identifier, because it has only two parts.
fn identifier(token: &str) -> Option<String> {
    let is_word = token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let letters = token.trim_matches('_');
    if !is_word
        || !NAME_LENGTHS.contains(&token.len())
        || !letters.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return None;
    }
    let is_hump = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let humps = letters.as_bytes().windows(2).filter(is_hump).count();
    let least = if letters.starts_with(|c: char| c.is_ascii_uppercase()) { 2 } else { 1 };
    (letters.contains('_') || humps >= least).then(|| token.to_owned())
}
