//! Words as they are spelled where a small edit changes something.
//!
//! What is compared of a text elsewhere are stems: `fermentaion` is `fermentation` to them, and `2Gi` is nothing.

use std::collections::BTreeSet;

use serde_json::Value;

use super::exchange::{same_begin, same_end};
use crate::words::spelled;

/// Longer texts are not looked at.
const MAX_TEXT: usize = 2 * 1024;
/// A longer stretch is no small edit.
const MAX_STRETCH: usize = 160;

/// The words, as they are spelled, that an edit exchanges where it begins and ends to differ.
pub(super) fn exchanged(input: &Value) -> BTreeSet<String> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
    let (old, new) = (text("old_string"), text("new_string"));
    if old.len().max(new.len()) > MAX_TEXT {
        return BTreeSet::new();
    }
    let (old, new) = stretches(old, new);
    if old.len().max(new.len()) > MAX_STRETCH {
        return BTreeSet::new();
    }
    let (old, new): (BTreeSet<String>, BTreeSet<String>) =
        (spelled(old).collect(), spelled(new).collect());
    old.symmetric_difference(&new).cloned().collect()
}

/// The words of a short line that changes files, as `sed` does.
#[inline(never)]
pub(super) fn of_line(line: &str) -> BTreeSet<String> {
    if line.len() > MAX_STRETCH { BTreeSet::new() } else { spelled(line).collect() }
}

/// What is left of two texts without what both begin and end with, in whole words.
fn stretches<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let begin = old[..old.floor_char_boundary(same_begin(old, new))]
        .rfind(is_between)
        .map_or(0, |at| at + 1);
    let (old, new) = (from(old, begin), from(new, begin));
    let end = same_end(old, new);
    let kept = |text: &'a str| &text[..text.ceil_char_boundary(text.len() - end)];
    let rest = &old[kept(old).len()..];
    let whole = rest.find(is_between).unwrap_or(rest.len());
    let with_word = |text: &'a str| &text[..(kept(text).len() + whole).min(text.len())];
    (with_word(old), with_word(new))
}

fn from(text: &str, at: usize) -> &str {
    &text[text.ceil_char_boundary(at.min(text.len()))..]
}

fn is_between(c: char) -> bool {
    c.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_told_in_whole_words() {
        let long = "a ".repeat(200);
        let cases = [
            (
                "help=\"Log a fermentaion.\"",
                "help=\"Log a fermentation.\"",
                "fermentaion fermentation",
            ),
            ("  memory: 1Gi\n  cpu: 1", "  memory: 2Gi\n  cpu: 1", "1gi 2gi"),
            ("background: #1e6fd9;", "background: #2f8f5b;", "1e6fd9 2f8f5b"),
            ("© 2025年 雲", "© 2026年 雲", "2025 2026"),
            (">カートに入れる<", ">今すぐ購入<", "カートに入れる 今すぐ購入"),
            ("a b", "a b", ""),
            ("", "Sign in", "in sign"),
            ("a", long.as_str(), ""),
        ];
        for (old, new, expected) in cases {
            let found = exchanged(&json!({ "old_string": old, "new_string": new }));
            assert_eq!(found.into_iter().collect::<Vec<_>>().join(" "), expected, "{old} {new}");
        }
    }
}
