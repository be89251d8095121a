//! Finds the texts that sed runs: the argument of the command `e`, and the result of a substitution
//! with the flag `e`.

use crate::script::Word;

/// The first word that is a sed script with a text to run.
pub(super) fn script(words: &[Word]) -> Option<String> {
    words.iter().map(Word::text).find(|text| texts(text).next().is_some()).map(str::to_owned)
}

/// The texts that sed runs in a shell, from all words of the command.
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

/// The sed command without the addresses before it, such as `12,$!` or `/pattern/`.
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

/// The replacement in `s/a/b/e`, which sed runs.
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
    fn run_texts_are_found() {
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
