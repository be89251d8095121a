//! Splits a text into words and recognizes names from code.

use verger_text::{in_usual_width, is_identifier};

pub(super) fn is_gap(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '"' | '`')
        || matches!(c, '。' | '、' | '「' | '」' | '“' | '”' | '—')
        || c.is_whitespace()
}

/// Converts a text to lower case and normal width.
pub(super) fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    in_usual_width(text).replace('\u{2019}', "'").to_lowercase()
}

/// The word without the punctuation around it. A leading dot belongs to a file name or an extension
/// and stays.
pub(super) fn bare(raw: &str) -> &str {
    let around: &[char] = &[':', '!', '?', '<', '>', '\'', '…', '*'];
    let word = raw.trim_matches(around).trim_end_matches(['.', ':', '/']).trim_matches(around);
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.contains(char::is_alphanumeric) || word == "%" { word } else { "" }
}

pub(super) fn is_flag(word: &str) -> bool {
    let rest = word.trim_start_matches('-');
    rest.len() < word.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether a word looks like a name from code. Two plain words with a slash between them are
/// alternatives, not a name.
pub(super) fn is_name(word: &str) -> bool {
    let is_alternative = |(one, other): (&str, &str)| {
        !one.is_empty() && !other.contains('/') && !is_identifier(one) && !is_identifier(other)
    };
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    (is_identifier(word) || has_digit) && !word.split_once('/').is_some_and(is_alternative)
}

pub(super) fn is_version(name: &str) -> bool {
    name.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
