//! Quotes the texts of a learning in `learnings.md`: a text that could be misread is written as a
//! JSON string, any other stays unchanged.

use std::borrow::Cow;

use serde_json::Value;

/// Quotes a line of a learning's detail. `mark` is the comment line that may come between lines of
/// the detail.
pub(super) fn line<'a>(text: &'a str, mark: &str) -> (&'static str, Cow<'a, str>) {
    let is_odd = |c: char| c.is_control() && c != '\t';
    if text.is_empty() {
        (">", Cow::Borrowed(""))
    } else if text.contains(is_odd) || text.ends_with(char::is_whitespace) || text == mark {
        (">", json(text))
    } else {
        ("> ", Cow::Borrowed(text))
    }
}

/// The text of a quoted line. `text` is the part after the `>`.
pub(super) fn unquoted_line(text: &str) -> Cow<'_, str> {
    match text.strip_prefix(' ') {
        Some(text) => Cow::Borrowed(text),
        None => whole_string(text),
    }
}

/// Quotes a heading, or the only value of a field.
pub(super) fn whole(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { json(text) }
}

/// Reads a text that [`whole`] quoted.
pub(super) fn whole_string(text: &str) -> Cow<'_, str> {
    match string(text) {
        Some((string, length)) if length == text.len() => Cow::Owned(string),
        _ => Cow::Borrowed(text),
    }
}

/// Quotes the items of a list.
pub(super) fn list<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<_> = items.iter().map(|item| self::item(item.as_ref())).collect();
    items.join(", ")
}

/// Quotes an item of a list, so that it can't merge with its neighbours.
pub(super) fn item(text: &str) -> Cow<'_, str> {
    if is_plain(text) && !text.contains([',', '|']) && !text.starts_with('#') {
        Cow::Borrowed(text)
    } else {
        json(text)
    }
}

/// Reads a list that [`list`] quoted, or tags of the form `#one #two`.
pub(super) fn items(text: &str) -> Vec<String> {
    if text.starts_with('#') {
        let words = text.split_whitespace().map(|word| word.trim_matches([',', '#']).to_owned());
        return words.collect();
    }
    let mut items = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let quoted = string(rest).filter(|(_, length)| {
            let behind = rest[*length..].trim_start();
            behind.is_empty() || behind.starts_with(',')
        });
        let (item, length) = quoted.unwrap_or_else(|| {
            let length = rest.find(',').unwrap_or(rest.len());
            (rest[..length].trim().to_owned(), length)
        });
        items.push(item);
        rest = rest[length..].trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    items
}

/// Parses the JSON string at the start of a text. Returns the string and its length in the text.
pub(super) fn string(text: &str) -> Option<(String, usize)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    let length = end + 2;
    Some((serde_json::from_str(&text[..length]).ok()?, length))
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('"')
        && text.trim() == text
        && !text.contains(char::is_control)
}

fn json(text: &str) -> Cow<'_, str> {
    Cow::Owned(Value::from(text).to_string())
}
