//! What an agent says it decided, and why.

use super::MAX_LINE;
use crate::record::Decision;

/// So much of a message is looked at, from its end: that is where it says what it did.
const MAX_MESSAGE: usize = 8 * 1024;
/// So many of one message.
const MAX_FOUND: usize = 5;

/// What stands between a choice and its reason.
const BECAUSE: &[&str] = &[" because ", " so that ", " rather than ", " instead of ", " since "];
/// What stands behind a reason, before its choice.
const BECAUSE_JAPANESE: &[&str] = &["ため、", "ので、", "から、"];

/// What stands for a choice: it was made, and not found or asked for.
const MADE: &[&str] = &[
    "i used",
    "i kept",
    "i chose",
    "i added",
    "i moved",
    "i put",
    "i went",
    "i left",
    "i made",
    "i've used",
    "i've kept",
    "i decided",
    "uses",
    "keeps",
    "used",
    "kept",
    "chose",
    "added",
    "moved",
    "stored",
    "went with",
    "now",
    "instead",
];

/// The decisions of a message.
pub(crate) fn decisions_in(message: &str) -> Vec<Decision> {
    let start = message.ceil_char_boundary(message.len().saturating_sub(MAX_MESSAGE));
    let sentences = message[start..].split_inclusive(['.', '!', '\n', '。']);
    sentences.filter_map(decision).take(MAX_FOUND).collect()
}

fn decision(sentence: &str) -> Option<Decision> {
    let sentence = sentence.trim().trim_start_matches(['-', '*', '#', ' ', '>']);
    if sentence.len() < 20 || sentence.contains(['?', '？']) {
        return None;
    }
    if let Some((reason, choice)) = split_at(sentence, BECAUSE_JAPANESE) {
        return Some(Decision { choice: short(choice), reason: short(reason) });
    }
    let (choice, reason) = split_at(sentence, BECAUSE)?;
    let lower = format!(" {} ", choice.to_lowercase());
    let is_made = MADE.iter().any(|made| lower.contains(&format!(" {made} ")));
    let is_said = choice.split_whitespace().count() >= 2 && reason.split_whitespace().count() >= 2;
    (is_made && is_said).then(|| Decision { choice: short(choice), reason: short(reason) })
}

/// A reason keeps the word that makes it one where that is part of what it says.
fn split_at<'a>(sentence: &'a str, words: &[&str]) -> Option<(&'a str, &'a str)> {
    let (at, word) = words.iter().filter_map(|word| Some((sentence.find(word)?, *word))).min()?;
    let keeps_word = matches!(word, " rather than " | " instead of " | " so that ");
    let second = if keeps_word { at + 1 } else { at + word.len() };
    Some((&sentence[..at], &sentence[second..]))
}

fn short(text: &str) -> String {
    text.trim().trim_end_matches(['.', '!', '。', ',']).chars().take(MAX_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_with_its_reason_is_a_decision() {
        let cases = [
            (
                "I kept the old parser because the tests rely on it.",
                Some(("I kept the old parser", "the tests rely on it")),
            ),
            (
                "- The cache now uses an LRU map instead of a plain one.",
                Some(("The cache now uses an LRU map", "instead of a plain one")),
            ),
            (
                "互換性を保つため、古い引数も受け付けるようにしました。",
                Some(("古い引数も受け付けるようにしました", "互換性を保つ")),
            ),
            ("It fails because the file is missing.", None),
            ("Shall I use X because of Y?", None),
            ("Done.", None),
        ];
        for (message, expected) in cases {
            let found = decisions_in(message);
            let found: Vec<_> =
                found.iter().map(|one| (one.choice.as_str(), one.reason.as_str())).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{message}");
        }
    }
}
