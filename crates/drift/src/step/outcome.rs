//! What came of a call.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::tally::Tally;
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

impl Outcome<'_> {
    /// What it shows.
    pub(super) fn outlook(self, root: Option<&str>) -> Outlook {
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

    fn excerpt(self) -> String {
        let output = self.output;
        if output.len() <= 2 * MAX_PART {
            return output.to_owned();
        }
        let head = output.floor_char_boundary(MAX_PART);
        let tail = output.ceil_char_boundary(output.len() - MAX_PART);
        format!("{}\n{}", &output[..head], &output[tail..])
    }
}

/// A hash of the output without what differs in each run: times, addresses and what was measured. Nor does it matter where in a file something
/// is wrong: the same error two lines below is the same.
fn mark(text: &str) -> Option<u64> {
    let pieces = text.split_whitespace().filter(|piece| !is_of_one_run(piece));
    let pieces: Vec<&str> = pieces.map(without_position).collect();
    if pieces.is_empty() {
        return None;
    }
    Some(crate::mark::mark(pieces.iter().flat_map(|piece| piece.bytes().chain([b' ']))))
}

/// The first line with a name in it that only code has: `testNestedFourSpaces: ("1") is not equal to ("2")`.
fn first_named(text: &str) -> Option<&str> {
    let is_joined = |word: &str| {
        let has_hump = word
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        has_hump || word.trim_matches('_').contains('_')
    };
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.lines().find(|line| line.split(is_between).any(is_joined))
}

/// `src/a.rs` of `src/a.rs:12:5` and of `src/a.rs(12,5):`.
fn without_position(piece: &str) -> &str {
    let is_position = |at: usize| {
        piece[..at].contains('.') && piece[at + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let at = piece.match_indices([':', '(']).map(|(at, _)| at).find(|at| is_position(*at));
    at.map_or(piece, |at| &piece[..at])
}

fn is_of_one_run(piece: &str) -> bool {
    let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
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
