//! Finds values that are secret because of the name of their key. Searches for the key, the link to
//! its value, and the start of the value's literal.

use std::ops::Range;

use crate::header;
use crate::key_name::{self, KeyClass};
use crate::link::{self, KeyQuoting, Link, Style};
use crate::marker;
use crate::pem;
use crate::plausibility::{Rigour, is_generated, is_secret};
use crate::program;
use crate::randomness::{has_digit, is_word_like};
use crate::scan::Findings;
use crate::symbol::{Symbol, Word, symbols};
use crate::value::{Value, is_reference};

const LONGEST_DOTTED_NAME: usize = 48;
const LONGEST_TYPE: usize = 48;
const LONGEST_CALL: usize = 40;
/// The maximum number of symbols between an opening bracket and the literal on the next line.
const WIDEST_INDENT: usize = 40;
/// The minimum length of a secret that is the argument of a call. The minimum is high, because only
/// the name of the function suggests that the argument is a secret.
const SHORTEST_ARGUMENT: usize = 12;
/// The minimum length of a number that counts as a password if the key's name marks a password.
const SHORTEST_NUMBER: usize = 4;
const LONGEST_NUMBER: usize = 64;
/// Words before `key` in a sentence that make the key a secret: `API key`, `secret access key`.
const SPOKEN_KEYS: &[&[u8]] = &[b"api", b"access", b"secret", b"private", b"signing"];

/// Adds the secret that belongs to the key `word`. Returns the position where the scan continues.
#[inline]
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
    tied_value(findings, extra_names, &word.range)
}

/// Cold path: few words are keys, so this isn't inlined into the loop over all words.
#[inline(never)]
fn tied_value(
    findings: &mut Findings<'_>,
    extra_names: &[String],
    word: &Range<usize>,
) -> Option<usize> {
    let bytes = findings.bytes;
    let name = whole_name(bytes, word);
    let text = &bytes[name.clone()];
    let class = if !extra_names.is_empty() && key_name::is_named(&bytes[word.clone()], extra_names)
    {
        KeyClass::Named
    } else if let Some(class) = key_name::classify(text) {
        class
    } else {
        return header::scheme(findings, word)
            .or_else(|| program::argument(findings, word))
            .or_else(|| pem::before_rule(bytes, word));
    };
    if bytes[word.end] == b'(' {
        return argument(findings, word.end + 1, class);
    }
    let link = link::after(bytes, word)?;
    match class {
        KeyClass::Authorization => return header::authorization(findings, word, link),
        KeyClass::Cookie => return header::cookies(findings, word, link),
        _ if link.style == Style::Argument && is_no_key(bytes, word, link) => return None,
        _ => {}
    }
    let (at, rigour) = literal(bytes, word, link);
    let value = Value::probe(bytes, at);
    let is_bare_number = || class == KeyClass::Password && is_numeric_field(bytes, &value, link);
    if !is_secret(bytes, &value, class, rigour, link) && !is_bare_number() {
        return program::directive(findings, word, class, link);
    }
    let range = value.complete(bytes);
    Some(findings.push(range, class.kind()))
}

/// Whether the value is a number in a field such as `"password": 83920174` of a document. Quotes
/// are added when such a number is replaced.
fn is_numeric_field(bytes: &[u8], value: &Value, link: Link) -> bool {
    let text = &bytes[value.range.clone()];
    let is_field = link.key == KeyQuoting::Quoted
        && matches!(link.style, Style::Assigned | Style::Spaced)
        && !matches!(bytes.get(value.range.end), Some(b'(' | b'[' | b'{'));
    is_field
        && (SHORTEST_NUMBER..LONGEST_NUMBER).contains(&text.len())
        && text.iter().all(u8::is_ascii_digit)
        && marker::number_quote(bytes, &value.range).is_some()
}

/// Whether the word only looks like a key. `(PASSWORD, "…")` may only name a constant, and
/// `"/etc/passwd", "…"` opens a file.
fn is_no_key(bytes: &[u8], word: &Range<usize>, link: Link) -> bool {
    link.key == KeyQuoting::Bare || bytes[..word.start].ends_with(b"/")
}

/// Adds the only literal of a call such as `.setClientSecret("…")`. Functions with such names often
/// look up a value by its name, so the literal must be random.
fn argument(findings: &mut Findings<'_>, at: usize, class: KeyClass) -> Option<usize> {
    let bytes = findings.bytes;
    let value = Value::probe(bytes, at);
    let text = &bytes[value.range.clone()];
    let is_only_argument = Symbol::at(bytes, value.range.end)
        .is_some_and(|quote| quote.is_quote() && bytes.get(quote.end) == Some(&b')'));
    let is_secret = is_only_argument
        && !matches!(class, KeyClass::Authorization | KeyClass::Cookie)
        && !is_reference(text)
        && is_generated(text, SHORTEST_ARGUMENT)
        && has_digit(text);
    is_secret.then(|| {
        let range = value.complete(bytes);
        findings.push(range, class.kind())
    })
}

/// The whole name of the key: with the names before its dots, as in `service.api.key`, or with the
/// word before it in a sentence, as in `API key`.
fn whole_name(bytes: &[u8], word: &Range<usize>) -> Range<usize> {
    let before = &bytes[..word.start];
    let length = match before.last() {
        Some(b'.') => {
            let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
            before.iter().rev().take(LONGEST_DOTTED_NAME).take_while(is_part).count()
        }
        Some(b' ') if bytes[word.clone()].eq_ignore_ascii_case(b"key") => {
            let spoken = &before[..before.len() - 1];
            let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
            let length =
                spoken.iter().rev().take(LONGEST_DOTTED_NAME).take_while(is_letter).count();
            let last = &spoken[spoken.len() - length..];
            let tells = SPOKEN_KEYS.iter().any(|word| last.eq_ignore_ascii_case(word));
            if tells { length + 1 } else { 0 }
        }
        _ => 0,
    };
    word.start - length..word.end
}

/// The position where the literal of the value starts. A type, a prefix of the string, or a call
/// around the literal is skipped.
fn literal(bytes: &[u8], word: &Range<usize>, link: Link) -> (usize, Rigour) {
    let at = link.value;
    let bare = match link.style {
        Style::Argument if is_variable(bytes, word) => Rigour::Setting,
        Style::Element | Style::Argument | Style::Pair => Rigour::Literal,
        Style::Adjacent if is_option(bytes, word) => Rigour::Literal,
        Style::Adjacent if is_exported(bytes, word) => Rigour::Setting,
        Style::Adjacent if is_quote(bytes, at) && is_statement(bytes, word) => Rigour::Loose,
        Style::Cell if is_in_capitals(bytes, word) => Rigour::Loose,
        Style::Adjacent | Style::Cell => return (at, Rigour::Strict),
        Style::Assigned if is_in_capitals(bytes, word) || is_option(bytes, word) => Rigour::Setting,
        Style::Spaced if is_variable(bytes, word) && bytes[..at].ends_with(b": ") => {
            Rigour::Setting
        }
        Style::Assigned | Style::Spaced
            if is_option(bytes, word)
                || is_parameter(bytes, word)
                || is_in_capitals(bytes, word) =>
        {
            Rigour::Literal
        }
        Style::Assigned | Style::Spaced => Rigour::Loose,
    };
    if is_quote(bytes, at) {
        let is_setting = bare == Rigour::Setting || link.style == Style::Adjacent;
        return (at, if is_setting { bare } else { Rigour::Literal });
    }
    let start = after_type(bytes, at).unwrap_or(at);
    let quote = after_prefix(bytes, start).or_else(|| after_call(bytes, start));
    match quote.or(Some(start)) {
        Some(quote) if is_quote(bytes, quote) => (quote, Rigour::Literal),
        _ => (at, bare),
    }
}

fn is_quote(bytes: &[u8], at: usize) -> bool {
    Symbol::at(bytes, at).is_some_and(Symbol::is_quote)
}

/// Whether the word is an option: `--password`, or `-storepass` as some programs write it.
fn is_option(bytes: &[u8], word: &Range<usize>) -> bool {
    let before = &bytes[..word.start];
    before.ends_with(b"--") || (before.ends_with(b" -") && word.len() > 1)
}

/// Whether the name is in capitals.
fn is_in_capitals(bytes: &[u8], word: &Range<usize>) -> bool {
    !bytes[word.clone()].iter().any(u8::is_ascii_lowercase)
}

/// Whether the name is that of an environment variable such as `DB_PASSWORD`. Without `_`, as in
/// `PASSWORD`, it may be a member of an enumeration.
fn is_variable(bytes: &[u8], word: &Range<usize>) -> bool {
    is_in_capitals(bytes, word) && bytes[word.clone()].contains(&b'_')
}

/// Whether the word is the name of a query parameter in a URL.
fn is_parameter(bytes: &[u8], word: &Range<usize>) -> bool {
    let before = &bytes[..word.start];
    [&b"?"[..], b"&", b"%26", b"%3F", b"u0026"].iter().any(|sign| before.ends_with(sign))
}

/// Whether the word is the name of an exported variable: `set -x NAME value` of fish or `setx NAME
/// value` of Windows.
fn is_exported(bytes: &[u8], word: &Range<usize>) -> bool {
    const COMMANDS: [&[u8]; 6] =
        [b"setx ", b"set -x ", b"set -gx ", b"set -Ux ", b"set -lx ", b"set -xg "];
    let before = &bytes[..word.start];
    is_in_capitals(bytes, word) && COMMANDS.iter().any(|command| before.ends_with(command))
}

/// Whether the word begins a statement such as `storePassword "…"` of Gradle. In sentences, no such
/// name comes before a quote.
fn is_statement(bytes: &[u8], word: &Range<usize>) -> bool {
    let name = &bytes[word.clone()];
    name.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// The position after the type and the sign in `key: &str = "…"`. Base64 may end with a sign as
/// padding, so text before a sign without a space must look like a type.
fn after_type(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + LONGEST_TYPE)];
    let length = rest
        .iter()
        .take_while(|byte| {
            let is_sign = matches!(
                byte,
                b'_' | b'&'
                    | b'<'
                    | b'>'
                    | b'\''
                    | b'|'
                    | b' '
                    | b'?'
                    | b'.'
                    | b':'
                    | b'['
                    | b']'
                    | b'*'
            );
            byte.is_ascii_alphanumeric() || is_sign
        })
        .count();
    if length == 0 || rest.get(length) != Some(&b'=') {
        return None;
    }
    let end = link::skip_blanks(bytes, at + length + 1);
    let is_type =
        rest[length - 1] == b' ' || (is_quote(bytes, end) && is_word_like(&rest[..length]));
    is_type.then_some(end)
}

/// The position after the letter or sign before a string, as in `b"…"`.
fn after_prefix(bytes: &[u8], at: usize) -> Option<usize> {
    let is_prefix = match bytes.get(at)? {
        b'b' | b'f' | b'r' | b'u' | b'B' | b'R' | b'@' | b'[' => true,
        // `&'static str` isn't the start of a string.
        b'&' => bytes.get(at + 1) != Some(&b'\''),
        _ => false,
    };
    (is_prefix && is_quote(bytes, at + 1)).then_some(at + 1)
}

/// The position after the opening bracket of a call such as `Some("…")` or `String::from("…")`, and
/// after a line break that follows the bracket.
fn after_call(bytes: &[u8], at: usize) -> Option<usize> {
    // Methods that convert the value before the dot. Their argument isn't the secret.
    const CONVERSIONS: [&[u8]; 4] = [b".encode", b".decode", b".split", b".strip"];
    let rest = &bytes[at..bytes.len().min(at + LONGEST_CALL)];
    let length = rest
        .iter()
        .take_while(|byte| {
            let is_sign = matches!(byte, b'_' | b'.' | b':' | b' ' | b'[' | b']' | b'&' | b'*');
            byte.is_ascii_alphanumeric() || is_sign
        })
        .count();
    let converts = CONVERSIONS.iter().any(|name| rest[..length].ends_with(name));
    if length == 0 || rest.get(length) != Some(&b'(') || converts {
        return None;
    }
    let inside = at + length + 1;
    let gap = symbols(bytes, inside)
        .take(WIDEST_INDENT)
        .find(|(_, symbol)| !symbol.is_space() && !symbol.is_line_break());
    gap.map(|(start, _)| start)
}
