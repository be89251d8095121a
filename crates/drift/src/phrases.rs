//! Searches lists of words and phrases, which are written as `a|b|c`.

/// Whether the word is an item of the list.
pub(crate) fn is_listed(word: &str, list: &str) -> bool {
    list.split('|').any(|item| item == word)
}

/// Whether the text begins with an item of the list.
pub(crate) fn begins_with_any(text: &str, list: &str) -> bool {
    list.split('|').any(|item| text.starts_with(item))
}

/// Whether the text contains an item of the list.
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
