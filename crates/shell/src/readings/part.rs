//! Splits the text of a word into plain text and expansions.

/// A part of a word: plain text or one expansion.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Text(&'a str),
    /// A variable: `$x`, `${x}`, `${x:-default}`, `${x[@]}`.
    Variable {
        name: &'a str,
        source: &'a str,
        default: Option<&'a str>,
    },
    /// A positional parameter: `$1`, `$@`.
    Positional(&'a str),
    /// `$IFS`, if the command line does not set this variable to anything else.
    Blank,
    /// A substitution whose output is known: `$(echo a)`.
    Known(String),
    Unknown(&'a str),
}

/// The parts of a text in which expansions are kept as written.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '`']) {
        if at > 0 {
            parts.push(Part::Text(&rest[..at]));
        }
        rest = &rest[at..];
        let (part, length) = expansion(rest);
        parts.push(part);
        rest = &rest[length..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

/// The expansion at the beginning of the text, and its length.
fn expansion(text: &str) -> (Part<'_>, usize) {
    let sized = |length: usize, part: Part<'static>| (part, length);
    if let Some(inner) = text.strip_prefix('`') {
        return match inner.find('`') {
            Some(end) => (substituted(&inner[..end], &text[..end + 2]), end + 2),
            None => (Part::Unknown(text), text.len()),
        };
    }
    let after = &text[1..];
    match after.bytes().next() {
        Some(b'{') => match after.find('}') {
            Some(end) if !after[1..end].contains(['$', '{', '`']) => {
                (parameter(&after[1..end], &text[..end + 2]), end + 2)
            }
            _ => (Part::Unknown(text), text.len()),
        },
        Some(b'(') => match after.find(')') {
            Some(end) if !after[1..end].contains('(') => {
                (substituted(&after[1..end], &text[..end + 2]), end + 2)
            }
            _ => (Part::Unknown(text), text.len()),
        },
        Some(b'0'..=b'9' | b'@' | b'*') => (Part::Positional(&text[..2]), 2),
        Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
            let length = name_length(after);
            match &after[..length] {
                "IFS" => sized(4, Part::Blank),
                name => {
                    let source = &text[..=length];
                    (Part::Variable { name, source, default: None }, length + 1)
                }
            }
        }
        Some(byte) if byte.is_ascii_punctuation() => (Part::Unknown(&text[..2]), 2),
        _ => (Part::Text("$"), 1),
    }
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Parses the text between `${` and `}`. `source` is the whole expansion.
fn parameter<'a>(inner: &'a str, source: &'a str) -> Part<'a> {
    let (name, rest) = inner.split_at(name_length(inner));
    let defaults = [":-", ":=", "-", "="];
    let default = defaults.into_iter().find_map(|sign| rest.strip_prefix(sign));
    let is_plain = |text: &&str| !text.contains(['\'', '"', '\\']);
    match (name, rest) {
        ("", "@" | "*") => Part::Positional(source),
        ("IFS", _) => Part::Blank,
        (name, "") if name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => {
            Part::Positional(source)
        }
        ("", _) => Part::Unknown(source),
        (_, "" | "[@]" | "[*]") => Part::Variable { name, source, default: None },
        _ => match default.filter(is_plain) {
            Some(_) => Part::Variable { name, source, default },
            None => Part::Unknown(source),
        },
    }
}

/// The output of a substitution that is a plain `echo`, `printf` or program lookup.
fn substituted<'a>(inner: &str, source: &'a str) -> Part<'a> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _./-'\"".contains(c);
    if !inner.chars().all(is_plain) {
        return Part::Unknown(source);
    }
    let inner = inner.replace(['\'', '"'], "");
    let mut words = inner.split_whitespace().peekable();
    let writes = match words.next() {
        Some("echo" | "printf" | "which") => true,
        Some("command") => words.next_if(|word| *word == "-v").is_some(),
        Some("type") => words.next_if(|word| *word == "-p").is_some(),
        _ => false,
    };
    while words.next_if(|word| matches!(*word, "-n" | "-e" | "--")).is_some() {}
    if writes { Part::Known(words.collect::<Vec<_>>().join(" ")) } else { Part::Unknown(source) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_parted() {
        let variable = |name, source, default| Part::Variable { name, source, default };
        let cases: Vec<(&str, Vec<Part<'_>>)> = vec![
            ("a", vec![Part::Text("a")]),
            ("a$x", vec![Part::Text("a"), variable("x", "$x", None)]),
            ("${x}/b", vec![variable("x", "${x}", None), Part::Text("/b")]),
            ("${x:-rm}", vec![variable("x", "${x:-rm}", Some("rm"))]),
            ("${x[@]}", vec![variable("x", "${x[@]}", None)]),
            ("rm$IFS-r", vec![Part::Text("rm"), Part::Blank, Part::Text("-r")]),
            ("${IFS%?}", vec![Part::Blank]),
            ("$1${10}$@", vec!["$1", "${10}", "$@"].into_iter().map(Part::Positional).collect()),
            ("$(echo 'r'm)", vec![Part::Known("rm".to_owned())]),
            ("`which rm`", vec![Part::Known("rm".to_owned())]),
            ("$(a)b", vec![Part::Unknown("$(a)"), Part::Text("b")]),
            ("${x%a}", vec![Part::Unknown("${x%a}")]),
            ("$(a $(b))", vec![Part::Unknown("$(a $(b))")]),
            ("$?x", vec![Part::Unknown("$?"), Part::Text("x")]),
            ("a$", vec![Part::Text("a"), Part::Text("$")]),
        ];
        for (text, expected) in cases {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
