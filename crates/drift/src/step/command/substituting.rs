//! What `sed` and `perl` exchange in files.

use crate::step::Exchange;

/// So many of one line.
const MAX_EXCHANGES: usize = 8;

/// The texts that a command exchanges; none where one of its scripts does anything else, or where its patterns mean more than they
/// say.
pub(super) fn exchanges(words: &[String]) -> Vec<Exchange> {
    let Called { scripts, dialect, .. } = Called::of(words);
    // What is not printed is gone.
    let is_quiet = |word: &String| {
        let flags = word.strip_prefix('-').and_then(|flags| flags.split('i').next());
        matches!(word.as_str(), "--quiet" | "--silent")
            || flags.is_some_and(|flags| !flags.starts_with('-') && flags.contains('n'))
    };
    if words.iter().any(is_quiet) {
        return vec![];
    }
    let found: Option<Vec<_>> =
        scripts.into_iter().map(|script| substitutions(script, dialect)).collect();
    let found: Vec<_> = found.unwrap_or_default().into_iter().flatten().collect();
    if found.len() > MAX_EXCHANGES {
        return vec![];
    }
    let exchange = |(lines, taken, put): &(&str, String, String)| {
        let exchange = Exchange::of_texts(taken, put);
        if lines.is_empty() { exchange } else { exchange.at(lines) }
    };
    found.iter().map(exchange).collect()
}

/// The files of a command.
pub(super) fn files(words: &[String]) -> Vec<&str> {
    Called::of(words).files
}

/// `sed` or `perl` with its words.
struct Called<'a> {
    scripts: Vec<&'a str>,
    files: Vec<&'a str>,
    dialect: Dialect,
}

/// Which signs mean something in a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Those with a backslash.
    Basic,
    /// Those without.
    Extended,
}

impl<'a> Called<'a> {
    fn of(words: &'a [String]) -> Self {
        let mut words = words.iter().map(String::as_str);
        let is_perl = words.next().is_some_and(|program| program.ends_with("perl"));
        let mut called = Self {
            scripts: vec![],
            files: vec![],
            dialect: if is_perl { Dialect::Extended } else { Dialect::Basic },
        };
        let mut plain = vec![];
        while let Some(word) = words.next() {
            let flags = word.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
            // A suffix for the old file may have any letters.
            let flags = flags.map(|flags| flags.split('i').next_back().unwrap_or_default());
            match word {
                "--expression" => called.scripts.extend(words.next()),
                "--regexp-extended" => called.dialect = Dialect::Extended,
                ">" | ">>" | "2>" => drop(words.next()),
                _ if word.starts_with("--expression=") => {
                    called.scripts.push(&word["--expression=".len()..]);
                }
                _ if word.starts_with('-') => {
                    if word.contains(['E', 'r']) {
                        called.dialect = Dialect::Extended;
                    }
                    if flags.is_some_and(|flags| flags.ends_with('e')) {
                        called.scripts.extend(words.next());
                    }
                }
                word => plain.push(word),
            }
        }
        let mut plain = plain.into_iter();
        if called.scripts.is_empty() {
            called.scripts.extend(plain.next());
        }
        called.files.extend(plain);
        called
    }
}

/// The texts of `s/a/b/; 12s|c|d|g`.
fn substitutions(script: &str, dialect: Dialect) -> Option<Vec<(&str, String, String)>> {
    let mut found = vec![];
    let mut rest = script.trim();
    while !rest.is_empty() {
        let all = rest;
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ",$".contains(c));
        let lines = &all[..all.len() - rest.len()];
        rest = rest.strip_prefix('s')?;
        let delimiter = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\')?;
        rest = &rest[delimiter.len_utf8()..];
        let (pattern, after) = until(rest, delimiter)?;
        let (put, after) = until(after, delimiter)?;
        let flags = after.find([';', '\n']).unwrap_or(after.len());
        if !after[..flags].trim().chars().all(|flag| flag == 'g' || flag.is_ascii_digit()) {
            return None;
        }
        found.push((lines, literal(pattern, delimiter, dialect)?, replacement(put, delimiter)?));
        rest = after[flags..].trim_start_matches([';', '\n']).trim();
    }
    Some(found)
}

/// What stands before a delimiter, and what behind it.
fn until(text: &str, delimiter: char) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == delimiter && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.map(|(at, c)| (&text[..at], &text[at + c.len_utf8()..]))
}

/// The text that a pattern stands for, if it is one. A bare dot is taken for a dot.
fn literal(pattern: &str, delimiter: char, dialect: Dialect) -> Option<String> {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let ends = pattern.ends_with('$') && !pattern.ends_with("\\$");
    let pattern = if ends { &pattern[..pattern.len() - 1] } else { pattern };
    let mut text = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                c @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')
                    if c != delimiter && dialect == Dialect::Basic =>
                {
                    return None;
                }
                c => text.push(escaped(c, delimiter)?),
            },
            '*' | '[' => return None,
            '(' | ')' | '{' | '|' | '+' | '?' if dialect == Dialect::Extended => return None,
            c => text.push(c),
        }
    }
    Some(text).filter(|text| !text.is_empty())
}

/// The character that stands behind a backslash, if it is one: `\1` and `\w` are none.
fn escaped(c: char, delimiter: char) -> Option<char> {
    match c {
        c if c == delimiter => Some(c),
        'n' => Some('\n'),
        't' => Some('\t'),
        c if c.is_alphanumeric() => None,
        c => Some(c),
    }
}

fn replacement(put: &str, delimiter: char) -> Option<String> {
    let mut text = String::with_capacity(put.len());
    let mut chars = put.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(escaped(chars.next()?, delimiter)?),
            '&' => return None,
            c => text.push(c),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, what they exchange, and in which files.
    type Case = (&'static [&'static str], &'static [(&'static str, &'static str)], &'static str);

    #[test]
    fn texts_are_read_out_of_a_script_where_they_are_texts() {
        let cases: [Case; 15] = [
            (&["sed", "-i", "s/a b/c/", "x.rs"], &[("a b", "c")], "x.rs"),
            (&["sed", "-i.bak", "-e", "s|a/b|c|g", "x.rs"], &[("a/b", "c")], "x.rs"),
            (&["sed", "-ie", "s/a/b/", "x.rs"], &[("a", "b")], "x.rs"),
            (
                &["sed", "-i", "-e", "s/a/b/", "-e", "s/c/d/", "x.rs", "y.rs"],
                &[("a", "b"), ("c", "d")],
                "x.rs y.rs",
            ),
            (&["sed", "-i", "-n", "s/a/b/", "x"], &[], "x"),
            (&["sed", "-i", r"s/f();/g(1.5);/", "x"], &[("f();", "g(1.5);")], "x"),
            (&["sed", "-i", r"s/^a\.b \/ c$/d\/\&/", "x"], &[("a.b / c", "d/&")], "x"),
            (&["sed", "-i", "-E", r"s/f\(\);/g/", "x"], &[("f();", "g")], "x"),
            (&["perl", "-pi", "-e", r"s/f\(\);/g/", "x"], &[("f();", "g")], "x"),
            (&["sed", "-i", "-E", "s/f()/g/", "x"], &[], "x"),
            (&["sed", "-i", "s/a.*b/c/", "x"], &[], "x"),
            (&["sed", "-i", r"s/\(a\)/\1b/", "x"], &[], "x"),
            (&["sed", "-i", "s/a/b/; 3d", "x"], &[], "x"),
            (&["sed", "-i", "/a/d", "x"], &[], "x"),
            (&["sed", "-i", "s/a"], &[], ""),
        ];
        for (words, expected, named) in cases {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let expected: Vec<Exchange> =
                expected.iter().map(|(taken, put)| Exchange::of_texts(taken, put)).collect();
            assert_eq!(exchanges(&words), expected, "{words:?}");
            assert_eq!(files(&words).join(" "), named, "{words:?}");
        }
    }

    #[test]
    fn what_is_exchanged_in_some_lines_is_told_from_the_rest() {
        let of = |script: &str| exchanges(&["sed", "-i", script, "x"].map(str::to_owned));
        let here = |taken: &str, put: &str, lines: &str| Exchange::of_texts(taken, put).at(lines);
        assert_eq!(of("12s/a/b/; 3,4s/c/d/"), [here("a", "b", "12"), here("c", "d", "3,4")]);
    }
}
