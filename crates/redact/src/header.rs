//! Finds the values of headers that carry secrets: `Authorization` and the cookies.

use std::ops::Range;

use crate::finding::SecretKind;
use crate::link::{Link, Style, skip_blanks};
use crate::randomness::{has_digit, is_word_like};
use crate::scan::{Findings, token};
use crate::symbol::{Spelling, Symbol, symbols, word_end};
use crate::value::{PROBE, Value, is_literal_word, is_number, is_reference, is_structure};
use crate::wording::is_description;

const SCHEMES: &[&[u8]] =
    &[b"bearer", b"basic", b"token", b"apikey", b"api-key", b"key", b"digest"];
/// Schemes of `Authorization` that may also be followed by a sentence: `Authorization: token
/// rejected`.
const WORD_SCHEMES: &[&[u8]] = &[b"token", b"key", b"apikey", b"api-key"];
/// Words that may follow a scheme in a sentence about it, as in `Basic authentication`.
const PROSE: &[&[u8]] = &[
    b"authentication",
    b"authorization",
    b"scheme",
    b"schemes",
    b"header",
    b"headers",
    b"jwt",
    b"realm",
    b"base64",
    b"oauth",
    b"oauth2",
    b"access",
    b"format",
    b"rejected",
    b"denied",
    b"failed",
    b"accepted",
    b"present",
    b"absent",
    b"valid",
    b"only",
];
const SHORTEST_CREDENTIAL: usize = 8;
/// The minimum length of a credential after a scheme in a certain header (`Form::Certain`).
const SHORTEST_CERTAIN: usize = 3;
/// The minimum length of a credential if its scheme or its header is missing.
const SHORTEST_LONE_CREDENTIAL: usize = 16;
const LONGEST_CREDENTIAL: usize = 16 * 1024;
const LONGEST_COOKIE_NAME: usize = 64;
const SHORTEST_COOKIE: usize = 4;
/// The maximum length of a cookie value of plain words that counts as a preference, not as a
/// session.
const LONGEST_PREFERENCE: usize = 15;
/// The attributes that may follow a cookie in `Set-Cookie`.
const ATTRIBUTES: &[&[u8]] =
    &[b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"];

/// The certainty that the text before a value is the name of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `Authorization: …`, `"cookie": "…"`. Any value counts as a credential.
    Certain,
    /// `Set-Cookie: …`. Only the first pair is a cookie. The later pairs are its attributes.
    CertainFirst,
    Doubtful,
}

impl Form {
    fn of(bytes: &[u8], word: &Range<usize>, link: Link, names: [&[u8]; 2]) -> Self {
        let is_header = names.iter().any(|name| bytes[word.clone()].eq_ignore_ascii_case(name));
        let is_tied = match link.style {
            Style::Argument | Style::Pair => true,
            Style::Assigned | Style::Spaced => {
                let signs = &bytes[word.end..link.value];
                signs.contains(&b':') || signs.ends_with(b"] = ")
            }
            _ => false,
        };
        if is_header && is_tied { Self::Certain } else { Self::Doubtful }
    }
}

/// Adds the credential of an `Authorization` value to the findings.
pub(crate) fn authorization(
    findings: &mut Findings<'_>,
    word: &Range<usize>,
    link: Link,
) -> Option<usize> {
    let bytes = findings.bytes;
    let form = Form::of(bytes, word, link, [b"authorization", b"proxy-authorization"]);
    let at = after_quote(bytes, link.value);
    let scheme = at..word_end(bytes, at.min(bytes.len()));
    let start = skip_blanks(bytes, scheme.end);
    if start == scheme.end || !is_scheme(&bytes[scheme.clone()]) {
        let least =
            if form == Form::Certain { SHORTEST_CREDENTIAL } else { SHORTEST_LONE_CREDENTIAL };
        return credential(findings, at, least);
    }
    let found = credential(findings, start, SHORTEST_CREDENTIAL);
    if found.is_none() && form == Form::Certain && is_any_credential(bytes, &scheme, start) {
        let end = credential_end(bytes, start, LONGEST_CREDENTIAL);
        return Some(findings.push(start..end, SecretKind::Authorization));
    }
    found
}

/// Whether the text after the scheme of a certain header is a credential. Simple texts count too,
/// but sentences, names and placeholders don't.
fn is_any_credential(bytes: &[u8], scheme: &Range<usize>, start: usize) -> bool {
    let end = credential_end(bytes, start, PROBE);
    let text = &bytes[start..end];
    let rest = skip_blanks(bytes, end);
    let is_last =
        Symbol::at(bytes, rest).is_none_or(|next| next.is_quote() || next.is_line_break());
    let scheme = &bytes[scheme.clone()];
    let is_technical = !WORD_SCHEMES.iter().any(|word| scheme.eq_ignore_ascii_case(word));
    let has_hump =
        text.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let is_telling = has_digit(text) || has_hump;
    let is_plain = if is_last {
        is_telling || is_technical
    } else {
        is_telling && text.len() >= SHORTEST_CREDENTIAL
    };
    is_plain
        && text.len() >= SHORTEST_CERTAIN
        && text[0].is_ascii_alphanumeric()
        && !scheme.eq_ignore_ascii_case(b"digest")
        && !is_reference(text)
        && !is_number(text)
        && !is_literal_word(text)
        && !is_description(text)
        && !PROSE.iter().any(|word| text.eq_ignore_ascii_case(word))
        // A name in capitals is a constant or a placeholder.
        && (has_digit(text) || text.iter().any(u8::is_ascii_lowercase))
        && bytes.get(end).is_none_or(|byte| !matches!(byte, b'(' | b'{' | b'[' | b'<'))
}

/// Adds the credential after the scheme `Bearer` where no header name comes before it.
pub(crate) fn scheme(findings: &mut Findings<'_>, word: &Range<usize>) -> Option<usize> {
    let bytes = findings.bytes;
    if !bytes[word.clone()].eq_ignore_ascii_case(b"bearer") {
        return None;
    }
    let start = skip_blanks(bytes, word.end);
    if start == word.end {
        return None;
    }
    credential(findings, start, SHORTEST_LONE_CREDENTIAL)
}

fn is_scheme(word: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

fn credential(findings: &mut Findings<'_>, start: usize, least: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let probe = credential_end(bytes, start, PROBE);
    let text = &bytes[start..probe];
    let is_mixed = text.iter().any(u8::is_ascii_uppercase)
        && text.iter().any(u8::is_ascii_lowercase)
        && text.last().is_some_and(|byte| *byte == b'=');
    let is_secret = text.len() >= least
        && !is_reference(text)
        && !is_number(text)
        && !is_structure(text)
        && bytes.get(probe).is_none_or(|byte| !matches!(byte, b'(' | b'{' | b'['))
        && (is_mixed || text.len() >= PROBE || !is_word_like(text));
    is_secret.then(|| {
        let end = credential_end(bytes, start, LONGEST_CREDENTIAL);
        findings.push(start..end, SecretKind::Authorization)
    })
}

fn credential_end(bytes: &[u8], start: usize, limit: usize) -> usize {
    let mut end = start;
    for (_, symbol) in symbols(bytes, start) {
        let is_part = match symbol.spelling {
            Spelling::Plain => {
                symbol.byte.is_ascii_alphanumeric() || b"-._~+/=:$".contains(&symbol.byte)
            }
            Spelling::Encoded => symbol.byte.is_ascii_graphic() && !symbol.is_quote(),
            Spelling::Escaped { .. } => symbol.byte == b'/',
        };
        if !is_part || end - start >= limit {
            break;
        }
        end = symbol.end;
    }
    end
}

/// Adds the values of the cookies in a `Cookie` or `Set-Cookie` header.
pub(crate) fn cookies(
    findings: &mut Findings<'_>,
    word: &Range<usize>,
    link: Link,
) -> Option<usize> {
    let bytes = findings.bytes;
    let form = Form::of(bytes, word, link, [b"cookie", b"set-cookie"]);
    let form = match form {
        Form::Certain if word.len() > b"cookie".len() => Form::CertainFirst,
        form => form,
    };
    cookie_list(findings, link.value, form)
}

/// Adds the values of a list of cookies that starts at `at`.
pub(crate) fn cookie_list(findings: &mut Findings<'_>, at: usize, mut form: Form) -> Option<usize> {
    let bytes = findings.bytes;
    let mut at = if bytes.get(at) == Some(&b'[') { at + 1 } else { at };
    at = after_quote(bytes, at);
    let mut done = None;
    loop {
        at = skip_blanks(bytes, at);
        let name = bytes.get(at..)?;
        let length = name
            .iter()
            .take(LONGEST_COOKIE_NAME)
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.:$!%|~".contains(byte))
            .count();
        let name = &name[..length];
        let sign = Symbol::at(bytes, at + length);
        // A cookie name that is a token itself is found later, as a token.
        if token(bytes, at..at + length).is_some() {
            return done;
        }
        if length == 0 || sign.is_none_or(|sign| sign.byte != b'=') {
            let is_attribute = sign.is_some_and(|sign| sign.byte == b';') && length > 0;
            if !is_attribute {
                return done;
            }
            at += length + 1;
            continue;
        }
        let start = sign?.end;
        let value = Value::probe(bytes, start);
        let text = &bytes[value.range.clone()];
        let is_attribute = ATTRIBUTES.iter().any(|other| name.eq_ignore_ascii_case(other));
        let is_session = text.len() >= SHORTEST_COOKIE
            && (text.len() > LONGEST_PREFERENCE || !is_word_like(text));
        let is_any = form != Form::Doubtful && !is_literal_word(text) && !is_description(text);
        let is_secret = !value.is_quoted()
            && (is_session || is_any)
            && !is_attribute
            && !is_reference(text)
            && bytes.get(value.range.end) != Some(&b'(');
        at = value.range.end;
        if is_secret {
            let mut range = value.complete(bytes);
            if form != Form::Doubtful {
                range.end = joined_end(bytes, range.end);
            }
            at = findings.push(range, SecretKind::Cookie);
            done = Some(at);
        }
        if form == Form::CertainFirst {
            form = Form::Doubtful;
        }
        if bytes.get(at) != Some(&b';') {
            return done;
        }
        at += 1;
    }
}

/// The end of a cookie. A cookie may continue after `|` or `&`, which end other values.
fn joined_end(bytes: &[u8], end: usize) -> usize {
    let mut end = end;
    while matches!(bytes.get(end), Some(b'|' | b'&'))
        && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
        && Symbol::at(bytes, end).is_some_and(|joint| joint.spelling == Spelling::Plain)
    {
        end = Value::probe(bytes, end + 1).complete(bytes).end;
    }
    end
}

fn after_quote(bytes: &[u8], at: usize) -> usize {
    Symbol::at(bytes, at).filter(|symbol| symbol.is_quote()).map_or(at, |quote| quote.end)
}
