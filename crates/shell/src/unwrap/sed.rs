//! What sed runs: `e` runs what follows it, and a substitution with that flag what it makes.

use crate::script::Word;

/// The script that runs something, if there is one among the words.
pub(super) fn script(words: &[Word]) -> Option<String> {
    words.iter().map(Word::text).find(|text| texts(text).next().is_some()).map(str::to_owned)
}

/// What the words of sed have a shell run.
pub(super) fn runs(words: &[Word]) -> Vec<String> {
    words.iter().flat_map(|word| texts(word.text())).map(str::to_owned).collect()
}

fn texts(script: &str) -> impl Iterator<Item = &str> {
    let script = script.strip_prefix("--expression=").unwrap_or(script);
    let script = script.strip_prefix("-e").unwrap_or(script);
    script.split([';', '\n', '{']).filter_map(|command| {
        let command = without_address(command.trim_start());
        match command.strip_prefix('e') {
            Some(text) if text.starts_with(char::is_whitespace) => Some(text.trim()),
            _ => substitution(command),
        }
    })
}

/// What stands after `12,$!` or `/pattern/`.
fn without_address(command: &str) -> &str {
    let mut rest = command;
    loop {
        let is_address = |c: char| c.is_ascii_digit() || "$,!~+ ".contains(c);
        rest = rest.trim_start_matches(is_address);
        match rest.strip_prefix('/').and_then(|pattern| pattern.split_once('/')) {
            Some((_, after)) => rest = after,
            None => return rest,
        }
    }
}

/// What `s/a/b/e` makes.
fn substitution(command: &str) -> Option<&str> {
    let rest = command.strip_prefix('s')?;
    let delimiter = rest.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace())?;
    let mut parts = rest[delimiter.len_utf8()..].split(delimiter).skip(1);
    let replacement = parts.next()?;
    let flags = parts.last()?;
    let flags = flags.split_whitespace().next().unwrap_or_default();
    let is_flags = flags.chars().all(|c| "egpiImMw0123456789}".contains(c));
    (is_flags && flags.contains('e')).then_some(replacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_is_found() {
        let cases: &[(&str, &[&str])] = &[
            ("1e rm x", &["rm x"]),
            ("$!e rm x", &["rm x"]),
            ("/a/,/b/e rm x", &["rm x"]),
            ("-e1e rm x", &["rm x"]),
            ("p; e rm x", &["rm x"]),
            ("s/.*/rm x/e", &["rm x"]),
            ("s|.*|rm x|ge", &["rm x"]),
            ("s/a/e b/", &[]),
            ("s/close/gh/g", &[]),
            ("s/a/b/w file", &[]),
            ("-n", &[]),
            ("-e", &[]),
            ("1,5p", &[]),
        ];
        for (script, expected) in cases {
            assert_eq!(texts(script).collect::<Vec<_>>(), *expected, "{script}");
        }
    }
}
