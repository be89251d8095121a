//! Lists of words and phrases, written as `a|b|c`.

/// Whether a list has this word.
pub(crate) fn is_listed(word: &str, list: &str) -> bool {
    list.split('|').any(|item| item == word)
}

/// Whether a text begins with one of these phrases.
pub(crate) fn begins_with_any(text: &str, list: &str) -> bool {
    list.split('|').any(|item| text.starts_with(item))
}

/// Whether a text contains one of these phrases.
pub(crate) fn contains_any(text: &str, list: &str) -> bool {
    list.split('|').any(|item| text.contains(item))
}

/// The first `max_chars` characters of a text, followed by `…` if anything was cut off.
pub(crate) fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
