//! Writes and recognizes the text that replaces a secret: `[redacted:<kind>:<hash>]`.
//!
//! The hash is the first eight hexadecimal digits of the HMAC-SHA256 of the secret. So a reader can
//! see that two secrets in a history are equal, without knowing them.

use std::borrow::Cow;
use std::ops::Range;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::{Finding, find};

const OPENING: &str = "[redacted:";
const HASH_DIGITS: usize = 8;
const LONGEST_SLUG: usize = 32;
const HMAC_BLOCK: usize = 64;

/// Finds the secrets of a text and replaces them, for a caller that already has the key of the
/// hashes.
pub fn redact<'a>(text: &'a str, extra_names: &[String], key: &[u8; 32]) -> Cow<'a, str> {
    let findings = find(text, extra_names);
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(replace(text, &findings, key))
}

/// Replaces each finding in `text`. The findings must be those of [`find`] for the same text.
pub fn replace(text: &str, findings: &[Finding], key: &[u8; 32]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for Finding { range, kind } in findings {
        out.push_str(&text[copied..range.start]);
        // A number outside of strings becomes a string, with the same quotes as its key.
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

/// The range of the closing quote of the number's key, with the backslashes before it. `None`
/// unless the number is a bare value in a document, outside of all strings.
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
    // HMAC pads a key that is shorter than the block with zeros. The padding is done here, because
    // the constructor for a whole block can't fail.
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

/// The end of the replacement that starts at `at`. `None` if no replacement starts there.
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
