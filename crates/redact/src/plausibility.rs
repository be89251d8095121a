//! Decides whether a value may be the secret that its key's name suggests.
//!
//! The name alone isn't enough: `password: String` and `token = parse_token()` are code. The name,
//! and its link to the value, decide how much the value must look like a secret.

use crate::key_name::KeyClass;
use crate::link::{KeyQuoting, Link, Style};
use crate::randomness::{has_digit, is_word_like};
use crate::value::{PROBE, Quoting, Value, is_literal_word, is_number, is_reference, is_structure};
use crate::wording::{is_description, is_passphrase, is_plain_word};

const SHORTEST_PASSWORD: usize = 4;
const SHORTEST_BARE_PASSWORD: usize = 6;
const SHORTEST_GENERATED: usize = 8;
const SHORTEST_DOUBTFUL: usize = 16;
/// The minimum numbers of words of a passphrase: the smaller one if the value must be a literal,
/// the larger one if the value may be anything.
const FEW_WORDS: usize = 2;
const MANY_WORDS: usize = 3;

/// The certainty that a value is a literal, from the most certain to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rigour {
    /// The value of an environment variable, or of an option for passwords.
    Setting,
    /// The value is quoted, or its place allows only a literal.
    Literal,
    /// The value may be an expression.
    Loose,
    /// The value may be anything.
    Strict,
}

pub(crate) fn is_secret(
    bytes: &[u8],
    value: &Value,
    class: KeyClass,
    rigour: Rigour,
    link: Link,
) -> bool {
    let text = &bytes[value.range.clone()];
    let is_refused = match value.quoting {
        Quoting::Quoted(_) => is_structure(text),
        Quoting::Bare => is_code(bytes, value, class, link),
    };
    if is_refused || is_reference(text) || is_dotted_number(text) {
        return false;
    }
    if text.len() >= PROBE {
        return !text.contains(&b' ') && has_digit(text);
    }
    match (class, rigour) {
        (KeyClass::Named, _) => true,
        (KeyClass::Password, Rigour::Setting) => {
            is_chosen(text) || is_plain_word(text) || is_passphrase(text, FEW_WORDS)
        }
        (KeyClass::Password, Rigour::Literal) => {
            is_chosen(text)
                || is_passphrase(text, MANY_WORDS)
                // In a list of names, the next quoted word is another name.
                || (value.is_quoted() && link.style != Style::Argument && is_plain_word(text))
        }
        (KeyClass::Password, Rigour::Loose) => {
            let is_name = !text.iter().any(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            text.len() >= SHORTEST_BARE_PASSWORD
                && has_letter(text)
                && (is_chosen(text) || (!is_name && is_passphrase(text, MANY_WORDS)))
        }
        (KeyClass::Password, Rigour::Strict) => {
            is_generated(text, SHORTEST_GENERATED) && has_digit(text)
        }
        (KeyClass::Generated(_), Rigour::Setting) => {
            is_generated(text, SHORTEST_GENERATED) || is_passphrase(text, MANY_WORDS)
        }
        (KeyClass::Generated(_), Rigour::Literal | Rigour::Loose) => {
            is_generated(text, SHORTEST_GENERATED)
        }
        _ => is_generated(text, SHORTEST_DOUBTFUL) && has_digit(text),
    }
}

/// Whether the argument of an option that only takes passwords is a password.
pub(crate) fn is_argument(text: &[u8]) -> bool {
    text.len() >= SHORTEST_PASSWORD
        && !text.starts_with(b"-")
        && !text.contains(&b' ')
        && !is_structure(text)
        && !is_reference(text)
        && !is_number(text)
        && !is_literal_word(text)
        && !is_description(text)
}

/// Whether an unquoted text must be code, such as a call, and not a literal.
fn is_code(bytes: &[u8], value: &Value, class: KeyClass, link: Link) -> bool {
    let text = &bytes[value.range.clone()];
    let is_called = matches!(bytes.get(value.range.end), Some(b'(' | b'[' | b'{'));
    let starts_expression = matches!(text.first(), Some(b'&' | b'*' | b'!' | b'@' | b'>' | b'.'))
        && !text.iter().skip(1).any(|byte| b"!#%^~@".contains(byte));
    let may_be_outside_strings = link.key == KeyQuoting::Quoted || link.style == Style::Pair;
    let is_plain_number = link.style == Style::Spaced && class != KeyClass::Named;
    is_literal_word(text)
        || is_called
        || text.starts_with(b"0x")
        || is_named_for_secret(text)
        || (is_number(text) && (may_be_outside_strings || is_plain_number))
        || (starts_expression && link.style == Style::Spaced)
}

/// Whether the text consists of numbers and dots: a version, an IP address or an object identifier.
fn is_dotted_number(text: &[u8]) -> bool {
    is_number(text) && memchr::memchr_iter(b'.', text).count() > 1
}

/// Whether the text is a name that ends with a word for a secret. Such a text is a type or another
/// variable.
fn is_named_for_secret(text: &[u8]) -> bool {
    const ENDS: [&[u8]; 5] = [b"key", b"token", b"secret", b"password", b"psk"];
    ENDS.iter().any(|end| {
        text.len().checked_sub(end.len()).is_some_and(|at| text[at..].eq_ignore_ascii_case(end))
    })
}

/// Whether the text looks like a password that a person chose: no plain words, or words with a
/// digit or a sign.
fn is_chosen(text: &[u8]) -> bool {
    if text.contains(&b' ') {
        return text.split(|byte| *byte == b' ').any(|word| is_generated(word, SHORTEST_GENERATED));
    }
    let inside = text.get(1..text.len() - 1).unwrap_or_default();
    let has_sign = inside.iter().any(|byte| b"!@#$%^&*+=~".contains(byte));
    text.len() >= SHORTEST_PASSWORD && (has_digit(text) || has_sign || !is_word_like(text))
}

fn has_letter(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphabetic)
}

pub(crate) fn is_generated(text: &[u8], least: usize) -> bool {
    text.len() >= least && !text.contains(&b' ') && !is_word_like(text)
}
