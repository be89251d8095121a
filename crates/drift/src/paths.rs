//! Paths: in prose, in what a program printed, and what a file is by its path.

mod kind;
mod pattern;

pub(crate) use kind::{FileKind, is_changelog, is_prose};
pub use pattern::PathPattern;

use crate::words::{OF_NAME, SLASH, class};

/// Longer ones are not paths.
const MAX_PATH: usize = 300;
/// So many of one text.
const MAX_PATHS: usize = 64;

/// A path as it is within the project: without the root and without `./`.
pub(crate) fn within(path: &str, root: Option<&str>) -> String {
    let path = path.trim();
    let inside = root.and_then(|root| path.strip_prefix(root.trim_end_matches('/')));
    let path = inside
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .map_or(path, |rest| rest.trim_start_matches('/'));
    let path = path.trim_start_matches("./");
    let is_plain = path.len() <= MAX_PATH && path.bytes().all(|b| matches!(b, b' '..=b'~'));
    if is_plain {
        return path.to_owned();
    }
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    path.chars().take(MAX_PATH).map(plain).collect()
}

/// Whether a file is what a path names, or lies in it.
pub(crate) fn lies_in(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder of a path; empty at the top.
pub(crate) fn folder(path: &str) -> &str {
    last_slash(path).map_or("", |at| &path[..at])
}

/// The name of a file.
pub(crate) fn name(path: &str) -> &str {
    last_slash(path).map_or(path, |at| &path[at + 1..])
}

/// Names are short: a search that is made for long texts costs more than to look at each byte.
fn last_slash(path: &str) -> Option<usize> {
    path.bytes().rposition(|b| b == b'/')
}

/// The name of a file without its endings: `Modal` of `ui/Modal.test.tsx`.
pub(crate) fn bare_name(path: &str) -> &str {
    let name = name(path).trim_start_matches('.');
    name.bytes().position(|b| b == b'.').map_or(name, |at| &name[..at])
}

/// What a text names that looks like a path, in its order.
pub(crate) fn named_in(text: &str, root: Option<&str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for candidate in candidates(text) {
        if found.len() >= MAX_PATHS {
            break;
        }
        if let Some(path) = as_path(candidate, root)
            && !found.contains(&path)
        {
            found.push(path);
        }
    }
    found
}

/// What stands together of a text and has nothing in it that paths do not have.
fn candidates(text: &str) -> impl Iterator<Item = &str> {
    let is_other =
        |b: u8| matches!(b, b'.' | b'@' | b'*' | b'-' | b'+' | b'[' | b']' | b'{' | b'}' | b'~');
    let is_of_a_path = move |b: u8| class(b) & (OF_NAME | SLASH) != 0 || is_other(b);
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[rest.bytes().position(is_of_a_path)?..];
        let end = rest.bytes().position(|b| !is_of_a_path(b)).unwrap_or(rest.len());
        let (candidate, after) = rest.split_at(end);
        rest = after;
        Some(candidate)
    })
}

fn as_path(candidate: &str, root: Option<&str>) -> Option<String> {
    // Every path has one of these, and most words of a text are not worth a second look.
    let may_be = |b: u8| matches!(b, b'/' | b'.' | b'A'..=b'Z');
    if !candidate.bytes().any(may_be) {
        return None;
    }
    let candidate = candidate.trim_end_matches(['.', '-', '+', '[', '{', '*']);
    let candidate = candidate.trim_start_matches(['-', '+', ']', '}']);
    if candidate.len() < 3 || candidate.len() > MAX_PATH || candidate.contains("//") {
        return None;
    }
    let path = within(candidate, root);
    let is_route = path.starts_with('/') || path.starts_with('~');
    let has_ending = kind::has_known_ending(&path);
    if is_route && !has_ending {
        return None;
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let is_nested = path.contains('/')
        && parts.clone().any(|part| part.contains(|c: char| c.is_ascii_alphabetic()))
        && parts.all(|part| part.contains(|c: char| c.is_ascii_alphanumeric() || c == '*'))
        && path.contains(|c: char| c.is_ascii_alphabetic())
        && (path.trim_end_matches('/').contains('/') || path.ends_with('/'))
        && !NOT_A_PATH.contains(&path.to_ascii_lowercase().as_str());
    (is_nested || has_ending || kind::is_known_name(&path)).then_some(path)
}

/// Pairs of words that people write with a slash.
const NOT_A_PATH: &[&str] = &[
    "and/or",
    "async/await",
    "ci/cd",
    "client/server",
    "he/she",
    "his/her",
    "i/o",
    "in/out",
    "input/output",
    "n/a",
    "on/off",
    "or/and",
    "read/write",
    "request/response",
    "tcp/ip",
    "true/false",
    "yes/no",
    "w/o",
    "copy/paste",
    "start/stop",
    "dev/prod",
    "staging/prod",
    "him/her",
    "key/value",
    "light/dark",
    "before/after",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_prose_and_in_outputs() {
        let cases = [
            ("fix src/a.rs, please.", "src/a.rs"),
            ("in `crates/index` and README.md", "crates/index README.md"),
            ("async/await and/or e.g. 1.5", ""),
            ("src/handlers 以下、utils/string.pyのテスト", "src/handlers utils/string.py"),
            ("addr.c:44:5: warning", "addr.c"),
            ("dashboard/src/live.ts(12,7): Type", "dashboard/src/live.ts"),
            ("/home/dev/app/src/a.rs failed", "src/a.rs"),
            ("POST /login and https://a.example/b", ""),
            ("the whole of lib/", "lib/"),
            ("the Makefile", "Makefile"),
        ];
        for (text, expected) in cases {
            assert_eq!(named_in(text, Some("/home/dev/app")).join(" "), expected, "{text}");
        }
    }
}
