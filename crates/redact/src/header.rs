//! The values of the headers that carry secrets: `Authorization` and the cookies.

use std::ops::Range;

use crate::finding::SecretKind;
use crate::link::skip_blanks;
use crate::randomness::is_word_like;
use crate::scan::{Findings, token};
use crate::symbol::{Spelling, Symbol, symbols, word_end};
use crate::value::{PROBE, Value, is_number, is_reference, is_structure};

const SCHEMES: &[&[u8]] =
    &[b"bearer", b"basic", b"token", b"apikey", b"api-key", b"key", b"digest"];
const SHORTEST_CREDENTIAL: usize = 8;
/// Without a scheme before it, or without the header before the scheme.
const SHORTEST_LONE_CREDENTIAL: usize = 16;
const LONGEST_CREDENTIAL: usize = 16 * 1024;
const LONGEST_COOKIE_NAME: usize = 64;
const SHORTEST_COOKIE: usize = 4;
/// A cookie of plain words up to this length is a preference, not a session.
const LONGEST_PREFERENCE: usize = 15;
/// What `Set-Cookie` says about the cookie.
const ATTRIBUTES: &[&[u8]] =
    &[b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"];

/// Records the credential of an `Authorization` value that starts at `at`.
pub(crate) fn authorization(findings: &mut Findings<'_>, at: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let at = after_quote(bytes, at);
    let scheme = at..word_end(bytes, at.min(bytes.len()));
    let start = skip_blanks(bytes, scheme.end);
    let is_scheme = start > scheme.end && is_scheme(&bytes[scheme]);
    let (start, least) =
        if is_scheme { (start, SHORTEST_CREDENTIAL) } else { (at, SHORTEST_LONE_CREDENTIAL) };
    credential(findings, start, least)
}

/// `Bearer` without the header before it.
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

/// Records the values of a list of cookies that starts at `at`.
pub(crate) fn cookies(findings: &mut Findings<'_>, at: usize) -> Option<usize> {
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
        // A name that is a token by itself is left to be found as such.
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
        let is_secret = !value.is_quoted()
            && text.len() >= SHORTEST_COOKIE
            && !is_attribute
            && !is_reference(text)
            && (text.len() > LONGEST_PREFERENCE || !is_word_like(text))
            && bytes.get(value.range.end) != Some(&b'(');
        at = value.range.end;
        if is_secret {
            let range = value.complete(bytes);
            at = findings.push(range, SecretKind::Cookie);
            done = Some(at);
        }
        if bytes.get(at) != Some(&b';') {
            return done;
        }
        at += 1;
    }
}

fn after_quote(bytes: &[u8], at: usize) -> usize {
    Symbol::at(bytes, at).filter(|symbol| symbol.is_quote()).map_or(at, |quote| quote.end)
}
