//! What stands between two spaces: a word, a number, or a name from code.

use super::lexicon::Lexicon;
use super::said::{Kind, NAME, ORDINARY, Said};
use super::stem::stem;

/// Behind a hyphen they make one word of two.
const PARTICLES: &[&str] = &["up", "down", "out", "off", "in", "back", "over", "on"];

pub(super) fn read(raw: &str, lexicon: &Lexicon, said: &mut Said) {
    for (sign, direction) in [('<', "under"), ('>', "over")] {
        let behind = raw.strip_prefix(sign).map(|raw| raw.trim_start_matches('='));
        if behind.is_some_and(|raw| raw.starts_with(|c: char| c.is_ascii_digit())) {
            said.stems.insert(direction.to_owned());
        }
    }
    let is_letter = raw.len() == 1 && raw.bytes().all(|b| b.is_ascii_uppercase()) && raw != "I";
    let word = bare(raw);
    let lower = word.to_lowercase();
    if word.is_empty() {
    } else if is_letter && !said.stems.is_empty() {
        name(&lower, said);
    } else if word == "%" {
        unit("percent", said);
    } else if is_flag(word) {
        // `-x` and `-X` are two flags; long ones are never told apart by case.
        name(if word.len() == 2 { word } else { &lower }, said);
    } else if !read_number(&lower, lexicon, said) {
        read_word(word, &lower, lexicon, said);
    }
}

/// Without what stands around it. A dot in front belongs to a file or an ending.
fn bare(raw: &str) -> &str {
    let around: &[char] = &[',', ':', '!', '?', '[', ']', '{', '}', '<', '>', '\'', '…', '*', ';'];
    let mut word = raw.trim_matches(around);
    let behind_dot = word.strip_prefix('.');
    if behind_dot
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    {
        word = word.trim_start_matches('.');
    }
    let word = word.trim_end_matches('.').trim_matches(around);
    word.strip_suffix("'s").unwrap_or(word)
}

fn read_word(word: &str, lower: &str, lexicon: &Lexicon, said: &mut Said) {
    let is_known = lexicon.is_known(&stem(lower)) && !lower.starts_with('.');
    let is_capitals = (2..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
    if is_absolute_path(lower) {
        name(lower.trim_end_matches('/'), said);
    } else if let Some((first, second)) = short_path(lower) {
        read(first, lexicon, said);
        read(second, lexicon, said);
    } else if is_known {
        said.read_plain(lower, is_capitals, lexicon);
    } else if let Some((left, right)) = assignment(lower) {
        name(left, said);
        read(right, lexicon, said);
    } else if is_name(word) {
        name(lower, said);
    } else if lower.contains('-') {
        read_compound(lower, lexicon, said);
    } else {
        said.read_plain(lower, is_capitals, lexicon);
    }
}

/// `start-up` is one word, `half-even` are two.
fn read_compound(word: &str, lexicon: &Lexicon, said: &mut Said) {
    let parts: Vec<_> = word.split('-').collect();
    if parts.len() == 2 && parts.iter().any(|part| PARTICLES.contains(part)) {
        said.read_plain(&parts.concat(), false, lexicon);
    } else {
        for part in parts {
            read(part, lexicon, said);
        }
    }
}

/// Whether `long` is `short` with a particle, such as `timeout` and `time`.
pub(super) fn has_particle(long: &str, short: &str) -> bool {
    short.len() > 2 && long.strip_prefix(short).is_some_and(|rest| PARTICLES.contains(&rest))
}

/// `10mb`, `3.12`, `80%`, `-1`, `10k`.
fn read_number(word: &str, lexicon: &Lexicon, said: &mut Said) -> bool {
    let follows_number = said.words.last().is_some_and(|word| word.kind == Kind::Number);
    if follows_number && let Some(unit_word) = short_unit(word) {
        unit(unit_word, said);
        return true;
    }
    let digits = word.strip_prefix('-').unwrap_or(word);
    let end = digits.find(|c: char| c.is_alphabetic()).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || ".,:%+".contains(c));
    if !is_number {
        return false;
    }
    let sign = &word[..word.len() - digits.len()];
    let number = format!("{sign}{}", number.trim_end_matches(['.', ',', ':', '+', '%']));
    match suffix {
        "" => {
            push_number(&number, said);
            if word.contains('%') {
                unit("percent", said);
            }
        }
        "k" | "x" => push_number(&format!("{number}{suffix}"), said),
        _ => {
            let Some(unit_word) =
                short_unit(suffix).or_else(|| lexicon.is_unit(&stem(suffix)).then_some(suffix))
            else {
                return false;
            };
            push_number(&number, said);
            unit(unit_word, said);
        }
    }
    true
}

fn short_unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "s" => "second",
        "m" => "minute",
        "h" => "hour",
        "d" => "day",
        _ => return None,
    })
}

fn push_number(number: &str, said: &mut Said) {
    said.push(Kind::Number, ORDINARY, number, number.to_owned());
}

fn unit(word: &str, said: &mut Said) {
    said.push(Kind::Unit, ORDINARY, word, stem(word));
}

fn name(word: &str, said: &mut Said) {
    said.push(Kind::Name, NAME, word, word.to_owned());
}

fn is_flag(word: &str) -> bool {
    let rest = word.trim_start_matches('-');
    let dashes = word.len() - rest.len();
    (1..=2).contains(&dashes) && rest.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn is_absolute_path(word: &str) -> bool {
    word.strip_prefix(['/', '~'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// `services/api` are two words.
fn short_path(word: &str) -> Option<(&str, &str)> {
    let inner = word.trim_matches('/');
    let is_plain = word.chars().all(|c| c.is_ascii_alphabetic() || c == '/');
    let (first, second) = inner.split_once('/').unwrap_or((inner, ""));
    (word.contains('/') && is_plain && !second.contains('/')).then_some((first, second))
}

fn assignment(word: &str) -> Option<(&str, &str)> {
    let (left, right) = word.split_once('=')?;
    let is_name = left.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_name && !right.is_empty()).then_some((left, right))
}

/// Whether it looks like something from code: a path, an identifier, anything with a digit.
fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let is_camel = letters.len() > 3
        && letters
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    is_camel
        || word.contains(['_', '=', '@', '$', '\\', '#', '.'])
        || word.contains("::")
        || word.trim_matches('/').contains('/')
        || word.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, Kind)> {
        let said = Said::read(text, &super::super::lexicon::LEXICON);
        said.words.into_iter().map(|word| (word.written, word.kind)).collect()
    }

    #[test]
    fn words_are_told_from_names_and_numbers() {
        use Kind::{Kanji, Katakana, Name, Number, Plain, Unit};
        let table: &[(&str, &[(&str, Kind)])] = &[
            ("The `users.email` column.", &[("users.email", Name), ("column", Plain)]),
            (
                "10MB, 3.12 or 120+",
                &[("10", Number), ("mb", Unit), ("3.12", Number), ("120", Number)],
            ),
            (
                "30 s, -1, 80 %, 10k",
                &[
                    ("30", Number),
                    ("second", Unit),
                    ("-1", Number),
                    ("80", Number),
                    ("percent", Unit),
                    ("10k", Number),
                ],
            ),
            ("--max-depth and -x, -X", &[("--max-depth", Name), ("-x", Name), ("-X", Name)]),
            (
                "services/api src/a.rs a/b/c /tmp",
                &[
                    ("services", Plain),
                    ("api", Plain),
                    ("src/a.rs", Name),
                    ("a/b/c", Name),
                    ("/tmp", Name),
                ],
            ),
            (
                "OrderService S3 .proto X=80",
                &[
                    ("orderservice", Name),
                    ("s3", Name),
                    (".proto", Name),
                    ("x", Name),
                    ("80", Number),
                ],
            ),
            (
                "Pull requests, start-up, case-sensitive",
                &[("prs", Plain), ("startup", Plain), ("case", Plain), ("sensitive", Plain)],
            ),
            ("Feature A", &[("feature", Plain), ("a", Name)]),
            ("本番のサーバーでflagを", &[("本番", Kanji), ("server", Plain), ("flag", Plain)]),
            ("シードの30秒", &[("シード", Katakana), ("30", Number), ("秒", Unit)]),
        ];
        for (text, expected) in table {
            let expected: Vec<_> =
                expected.iter().map(|(word, kind)| ((*word).to_owned(), *kind)).collect();
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn negations_are_counted() {
        let count = |text: &str| Said::read(text, &super::super::lexicon::LEXICON).negations;
        for (text, expected) in [
            ("Tests don't and cannot", 2),
            ("Never, without", 2),
            ("Prefer a over b", 1),
            ("It is unused", 1),
            ("not until it is there", 0),
            ("しなければならない", 0),
            ("使わないこと。してはいけない", 2),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }
}
