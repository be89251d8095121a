//! Removes the parts of a check's output that differ between two runs of the same check.

/// Replaces numbers, hashes and temporary paths, which differ between runs. Digits in names stay.
pub(super) fn normalised(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if let Some(path) = temporary(rest) {
            plain.push('#');
            path
        } else if is_word(first) {
            let is_number = first.is_ascii_digit();
            let is_part = |c: char| is_word(c) || is_number && c == '.';
            let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &rest[..len];
            plain.push_str(if is_number || is_hash(word) { "#" } else { word });
            len
        } else {
            if !(first == ' ' && plain.ends_with(' ')) {
                plain.push(first);
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    plain
}

/// The length of the temporary path at the start of a text.
fn temporary(text: &str) -> Option<usize> {
    let is_temporary =
        ["/tmp/", "/var/folders/", "/private/"].iter().any(|start| text.starts_with(start));
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ':' | ')' | ',');
    is_temporary.then(|| text.find(is_end).unwrap_or(text.len()))
}

/// Whether a word has at least eight characters, all of them hexadecimal digits, and at least one
/// of them from `0` to `9`.
fn is_hash(word: &str) -> bool {
    word.len() >= 8
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}
