//! What came of a call.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::mark::{NONE, mark_with};
use crate::paths::named_in;
use crate::words::words;

/// So much of an output is looked at: its beginning and its end.
const MAX_PART: usize = 3 * 1024;
/// So many words of it are kept.
const MAX_WORDS: usize = 60;
/// So many files.
const MAX_FILES: usize = 24;

/// Whether a call failed, and what it printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// Whether it failed.
    pub failed: bool,
    /// What it printed, as far as it is known.
    pub output: &'a str,
}

/// What an output shows, without the output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outlook {
    /// Files that it names.
    pub files: Vec<String>,
    /// What it is about.
    pub words: BTreeSet<String>,
    /// Equal for outputs that say the same; none for silence.
    pub mark: Option<u64>,
    /// The same of the line that names first what is wrong: beside it other things may fail now and then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// What a run of tests counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// The commit that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl<'a> Outcome<'a> {
    /// What it shows.
    pub(super) fn outlook(self, root: Option<&str>) -> Outlook {
        // Most calls print nothing that anybody learns of.
        if self.output.is_empty() { Outlook::default() } else { self.of_output(root) }
    }

    #[inline(never)]
    fn of_output(self, root: Option<&str>) -> Outlook {
        let text = self.excerpt();
        let mut files = named_in(&text, root);
        files.truncate(MAX_FILES);
        Outlook {
            files,
            words: words(&text).into_iter().take(MAX_WORDS).collect(),
            mark: mark(&text),
            first: first_named(&text).and_then(mark),
            tally: Tally::of(&text),
            commit: None,
        }
    }

    /// The commit of which git told: `[main 1a2b3c4] subject`.
    pub(super) fn commit(self) -> Option<String> {
        let output = &self.output[..self.output.floor_char_boundary(MAX_PART)];
        output.lines().find_map(|line| {
            let (inside, _) = line.strip_prefix('[')?.split_once(']')?;
            let hash = inside.split_whitespace().last()?;
            let is_hash =
                (7..=40).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
            is_hash.then(|| hash.to_owned())
        })
    }

    fn excerpt(self) -> Cow<'a, str> {
        let output = self.output;
        if output.len() <= 2 * MAX_PART {
            return output.into();
        }
        let head = output.floor_char_boundary(MAX_PART);
        let tail = output.ceil_char_boundary(output.len() - MAX_PART);
        format!("{}\n{}", &output[..head], &output[tail..]).into()
    }
}

/// A hash of the output without what differs in each run: times, addresses and what was measured. Nor does it matter where in a file something
/// is wrong: the same error two lines below is the same.
fn mark(text: &str) -> Option<u64> {
    let pieces = text.split_whitespace().filter(|piece| !is_of_one_run(piece));
    let mut pieces = pieces.map(without_position).peekable();
    pieces.peek()?;
    let with = |mark, piece: &str| mark_with(piece.bytes().fold(mark, mark_with), b' ');
    Some(pieces.fold(NONE, with))
}

/// The first line with a name in it that only code has: `testNestedFourSpaces: ("1") is not equal to ("2")`.
fn first_named(text: &str) -> Option<&str> {
    // Two letters that stand together are of one word: no line has to be taken apart for them.
    let has_hump = |line: &str| {
        let mut pairs = line.as_bytes().windows(2);
        pairs.any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let is_joined = |word: &str| word.trim_matches('_').contains('_');
    let has_joined = |line: &str| line.contains('_') && line.split(is_between).any(is_joined);
    text.lines().find(|line| has_hump(line) || has_joined(line))
}

/// `src/a.rs` of `src/a.rs:12:5` and of `src/a.rs(12,5):`.
fn without_position(piece: &str) -> &str {
    let Some((before, ending)) = piece.split_once('.') else { return piece };
    let is_position = |at: &usize| ending[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let at = ending.match_indices([':', '(']).map(|(at, _)| at).find(is_position);
    at.map_or(piece, |at| &piece[..before.len() + 1 + at])
}

fn is_of_one_run(piece: &str) -> bool {
    let is_around = |c: char| !c.is_alphanumeric();
    let piece = piece.trim_start_matches(is_around);
    // All of them begin so, and few of the others do.
    if !piece.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let piece = piece.trim_end_matches(is_around);
    let number = piece.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &piece[number.len()..];
    let is_time = !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ':')
        && (matches!(unit, "s" | "ms" | "sec" | "m" | "min") || number.contains(':'));
    let is_measured = unit.is_empty() && number.contains('.') && number.parse::<f64>().is_ok();
    is_time || is_measured || piece.starts_with("0x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_known_by_what_git_prints() {
        let cases = [
            ("[main 1a2b3c4] parse: hours\n 1 file changed", Some("1a2b3c4")),
            ("[main (root-commit) 1a2b3c4d] first", Some("1a2b3c4d")),
            ("[detached HEAD 1a2b3c4] x", Some("1a2b3c4")),
            ("[ok] done", None),
            ("", None),
        ];
        for (output, expected) in cases {
            let outcome = Outcome { failed: false, output };
            assert_eq!(outcome.commit().as_deref(), expected, "{output}");
        }
    }
}
