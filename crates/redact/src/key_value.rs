//! Values that are secret because of the name of their key.
//!
//! A name is not enough: `password: String` and `token = parse_token()` are code. How much the
//! value must look like a secret depends on the name and on how the two are tied together.

use std::ops::Range;

use crate::header;
use crate::key_name::{self, KeyClass};
use crate::link::{self, KeyQuoting, Link, Style};
use crate::randomness::{has_digit, is_word_like};
use crate::scan::Findings;
use crate::symbol::{Symbol, Word};
use crate::value::{PROBE, Quoting, Value, is_literal_word, is_number, is_reference, is_structure};

const SHORTEST_PASSWORD: usize = 4;
const SHORTEST_BARE_PASSWORD: usize = 6;
const SHORTEST_GENERATED: usize = 8;
const SHORTEST_DOUBTFUL: usize = 16;
const LONGEST_DOTTED_NAME: usize = 48;
const LONGEST_TYPE: usize = 48;
const LONGEST_CALL: usize = 40;

/// How plainly the text says that the value is a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rigour {
    /// Quoted, or in a place where nothing but a literal stands.
    Literal,
    /// May be an expression.
    Loose,
    /// May be anything.
    Strict,
}

/// Records the secret that the key `word` leads to, and returns where to go on.
pub(crate) fn value(
    findings: &mut Findings<'_>,
    extra_names: &[String],
    word: &Word,
) -> Option<usize> {
    let bytes = findings.bytes;
    if !link::may_follow(bytes, word.range.end)
        || (extra_names.is_empty() && !key_name::is_worth_reading(bytes, word))
    {
        return None;
    }
    let word = &word.range;
    let name = dotted_name(bytes, word);
    let text = &bytes[name.clone()];
    let class = if !extra_names.is_empty() && key_name::is_named(&bytes[word.clone()], extra_names)
    {
        KeyClass::Named
    } else if let Some(class) = key_name::classify(text) {
        class
    } else {
        return header::scheme_or_flag(findings, word);
    };
    let link = link::after(bytes, word)?;
    match class {
        KeyClass::Authorization => return header::authorization(findings, link.value),
        KeyClass::Cookie => return header::cookies(findings, link.value),
        _ => {}
    }
    let (at, rigour) = literal(bytes, word, link);
    let value = Value::probe(bytes, at);
    if !is_secret(bytes, &value, class, rigour, link) {
        return None;
    }
    let range = value.complete(bytes);
    Some(findings.push(range, class.kind()))
}

/// The key with the names before its dots: `service.api.key`.
fn dotted_name(bytes: &[u8], word: &Range<usize>) -> Range<usize> {
    if word.start == 0 || bytes[word.start - 1] != b'.' {
        return word.clone();
    }
    let before = bytes[..word.start]
        .iter()
        .rev()
        .take(LONGEST_DOTTED_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        .count();
    word.start - before..word.end
}

/// Where the literal starts, past a type, a prefix of the string or the call that wraps it.
fn literal(bytes: &[u8], word: &Range<usize>, link: Link) -> (usize, Rigour) {
    let at = link.value;
    let is_quote = |at| Symbol::at(bytes, at).is_some_and(Symbol::is_quote);
    let is_flag = bytes[..word.start].ends_with(b"--");
    let bare = match link.style {
        Style::Element | Style::Argument | Style::Pair => Rigour::Literal,
        Style::Adjacent if is_flag => Rigour::Literal,
        Style::Adjacent => return (at, Rigour::Strict),
        Style::Assigned | Style::Spaced if is_flag || is_literal_place(bytes, word) => {
            Rigour::Literal
        }
        Style::Assigned | Style::Spaced => Rigour::Loose,
    };
    if is_quote(at) {
        return (at, Rigour::Literal);
    }
    let is_prefix =
        matches!(bytes.get(at), Some(b'b' | b'f' | b'r' | b'u' | b'B' | b'R' | b'&' | b'@' | b'['));
    if is_prefix && is_quote(at + 1) {
        return (at + 1, Rigour::Literal);
    }
    match after_type(bytes, at).or_else(|| after_call(bytes, at)) {
        Some(quote) if is_quote(quote) => (quote, Rigour::Literal),
        _ => (at, bare),
    }
}

/// A name in capitals, or a parameter of a query, is followed by a literal.
fn is_literal_place(bytes: &[u8], word: &Range<usize>) -> bool {
    let before = &bytes[..word.start];
    let is_parameter =
        [&b"?"[..], b"&", b"%26", b"%3F", b"u0026"].iter().any(|sign| before.ends_with(sign));
    is_parameter || !bytes[word.clone()].iter().any(u8::is_ascii_lowercase)
}

/// In `key: &str = "…"`: past the sign after the type.
fn after_type(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_TYPE)];
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_&<>'| ?.:[]".contains(byte))
        .count();
    (length > 0 && rest.get(length) == Some(&b'='))
        .then(|| link::skip_blanks(bytes, at + length + 1))
}

/// In `Some("…")`, `String::from("…")`: past the bracket.
fn after_call(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_CALL)];
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_.: []&*".contains(byte))
        .count();
    (length > 0 && rest.get(length) == Some(&b'(')).then_some(at + length + 1)
}

fn is_secret(bytes: &[u8], value: &Value, class: KeyClass, rigour: Rigour, link: Link) -> bool {
    let text = &bytes[value.range.clone()];
    let is_refused = match value.quoting {
        Quoting::Quoted(_) => is_structure(text),
        Quoting::Bare => is_code(bytes, value, class, link),
    };
    if is_refused || is_reference(text) {
        return false;
    }
    if text.len() >= PROBE {
        return !text.contains(&b' ') && has_digit(text);
    }
    match (class, rigour) {
        (KeyClass::Named, _) => true,
        (KeyClass::Password, Rigour::Literal) => {
            is_chosen(text) || (value.is_quoted() && is_plain_password(text))
        }
        (KeyClass::Password, Rigour::Loose) => {
            text.len() >= SHORTEST_BARE_PASSWORD && is_chosen(text) && has_letter(text)
        }
        (KeyClass::Password, Rigour::Strict) => {
            is_generated(text, SHORTEST_GENERATED) && has_digit(text)
        }
        (KeyClass::Generated(_), Rigour::Literal | Rigour::Loose) => {
            is_generated(text, SHORTEST_GENERATED)
        }
        _ => is_generated(text, SHORTEST_DOUBTFUL) && has_digit(text),
    }
}

/// Text that cannot be the literal itself, though nothing quotes it.
fn is_code(bytes: &[u8], value: &Value, class: KeyClass, link: Link) -> bool {
    let text = &bytes[value.range.clone()];
    let is_called = matches!(bytes.get(value.range.end), Some(b'(' | b'[' | b'{'));
    let starts_expression = matches!(text.first(), Some(b'&' | b'*' | b'!' | b'@' | b'>' | b'.'));
    let may_be_outside_strings = link.key == KeyQuoting::Quoted || link.style == Style::Pair;
    let is_plain_number = link.style == Style::Spaced && class != KeyClass::Named;
    is_literal_word(text)
        || is_called
        || text.starts_with(b"0x")
        || (is_number(text) && (may_be_outside_strings || is_plain_number))
        || (starts_expression && link.style == Style::Spaced)
}

/// A password as people choose them: not plain words, or words with a digit or a sign.
fn is_chosen(text: &[u8]) -> bool {
    if text.contains(&b' ') {
        return text.split(|byte| *byte == b' ').any(|word| is_generated(word, SHORTEST_GENERATED));
    }
    let inside = text.get(1..text.len() - 1).unwrap_or_default();
    let has_sign = inside.iter().any(|byte| b"!@#$%^&*+=~".contains(byte));
    text.len() >= SHORTEST_PASSWORD && (has_digit(text) || has_sign || !is_word_like(text))
}

/// One word of small letters in quotes, unless it says what a password is or that there is none.
fn is_plain_password(text: &[u8]) -> bool {
    const DESCRIPTIONS: &[&[u8]] = &[
        b"password",
        b"passwd",
        b"passphrase",
        b"string",
        b"secret",
        b"required",
        b"optional",
        b"hidden",
        b"invalid",
        b"missing",
        b"strict",
        b"redacted",
        b"changeme",
        b"plain",
        b"token",
        b"private",
        b"number",
        b"object",
        b"boolean",
        b"varchar",
        b"include",
        b"passcode",
    ];
    text.len() >= SHORTEST_BARE_PASSWORD
        && text.iter().all(u8::is_ascii_lowercase)
        && !DESCRIPTIONS.iter().any(|word| text.starts_with(word) || text.ends_with(word))
}

fn has_letter(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphabetic)
}

fn is_generated(text: &[u8], least: usize) -> bool {
    text.len() >= least && !text.contains(&b' ') && !is_word_like(text)
}
