//! The replacement of a secret: `[redacted:<kind>:<hash>]`, written and recognised.
//!
//! The hash is the first eight hexadecimal digits of the HMAC-SHA256 of the secret, so the same
//! secret can be followed through a history without being told.

use std::borrow::Cow;
use std::ops::Range;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{Finding, find};

const OPENING: &str = "[redacted:";
const HASH_DIGITS: usize = 8;
const LONGEST_SLUG: usize = 32;
const HMAC_BLOCK: usize = 64;

/// Finds and replaces in one step, for a caller that holds the key already.
pub fn redact<'a>(text: &'a str, extra_names: &[String], key: &[u8; 32]) -> Cow<'a, str> {
    let findings = find(text, extra_names);
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(replace(text, &findings, key))
}

/// Replaces each finding of `text`. The findings are those of [`find`] on the same text.
pub fn replace(text: &str, findings: &[Finding], key: &[u8; 32]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for Finding { range, kind } in findings {
        out.push_str(&text[copied..range.start]);
        // A bare number becomes a string, quoted as its key is.
        let quote = number_quote(text.as_bytes(), range).map_or("", |quote| &text[quote]);
        out.push_str(quote);
        out.push_str(OPENING);
        out.push_str(kind.slug());
        out.push(':');
        push_hash(&mut out, &text[range.clone()], key);
        out.push(']');
        out.push_str(quote);
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// The quote that closes the key of a number which stands outside the strings of its document, with
/// the backslashes before it.
pub(crate) fn number_quote(bytes: &[u8], number: &Range<usize>) -> Option<Range<usize>> {
    if !bytes[number.clone()].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let key = bytes[..number.start].trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let before = key.strip_suffix(b"\"").or_else(|| key.strip_suffix(b"'"))?;
    let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
    Some(before.len() - backslashes..key.len())
}

fn push_hash(out: &mut String, secret: &str, key: &[u8; 32]) {
    // A key shorter than the block is padded with zeros by definition; doing it here gives the
    // constructor that cannot fail.
    let mut block = [0; HMAC_BLOCK];
    block[..key.len()].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(secret.as_bytes());
    for byte in mac.finalize().into_bytes().iter().take(HASH_DIGITS / 2) {
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
}

/// The end of the replacement that starts at `at`, if one does.
pub(crate) fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes[at..].strip_prefix(OPENING.as_bytes())?;
    let slug = rest
        .iter()
        .take(LONGEST_SLUG)
        .take_while(|byte| byte.is_ascii_lowercase() || **byte == b'-')
        .count();
    let hash = rest.get(slug + 1..slug + 1 + HASH_DIGITS)?;
    let closed = rest[slug] == b':'
        && hash.iter().all(u8::is_ascii_hexdigit)
        && rest.get(slug + 1 + HASH_DIGITS) == Some(&b']');
    closed.then_some(at + OPENING.len() + slug + 1 + HASH_DIGITS + 1)
}

pub(crate) fn opens(bytes: &[u8]) -> bool {
    bytes.starts_with(OPENING.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SecretKind;

    #[test]
    fn the_hash_is_the_start_of_the_keyed_digest() {
        let findings = [Finding { range: 2..5, kind: SecretKind::Password }];
        assert_eq!(replace("a=key.", &findings, &[0; 32]), "a=[redacted:password:052b9167].");
    }

    #[test]
    fn a_replacement_is_recognised_and_nothing_else() {
        assert_eq!(end(b"[redacted:jwt:0123abcd]x", 0), Some(23));
        assert_eq!(end(b"[redacted:jwt:0123abcd", 0), None);
        assert_eq!(end(b"[redacted:jwt:0123abcg]", 0), None);
        assert_eq!(end(b"[redacted:", 0), None);
    }
}
