//! Finds the password in the user information of a URL: `scheme://user:password@host`.

use std::ops::Range;

use crate::finding::SecretKind;
use crate::marker;
use crate::randomness::is_word_like;
use crate::scan::Findings;
use crate::symbol::{Spelling, Symbol, symbols};
use crate::value::is_reference;

/// The maximum number of bytes of user information that is searched.
const LONGEST: usize = 1024;
const SHORTEST_BARE_TOKEN: usize = 20;

/// Adds the secret of the URL whose scheme ends with the colon at `colon`: a password, or a token
/// in place of the user's name. Returns the position where the scan continues.
pub(crate) fn user_information(findings: &mut Findings<'_>, colon: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let UserInformation { user, password } = UserInformation::after(bytes, colon)?;
    let mut end = None;
    if is_token(bytes, &user) {
        end = Some(findings.push(user, SecretKind::UrlPassword));
    }
    let text = &bytes[password.clone()];
    if !text.is_empty() && !is_reference(text) && !is_stand_in(text) {
        end = Some(findings.push(password, SecretKind::UrlPassword));
    }
    end
}

struct UserInformation {
    user: Range<usize>,
    /// The range of the password. Empty if the URL has none.
    password: Range<usize>,
}

impl UserInformation {
    fn after(bytes: &[u8], colon: usize) -> Option<Self> {
        let scheme_end = colon.checked_sub(1)?;
        if !bytes[scheme_end].is_ascii_alphanumeric() {
            return None;
        }
        let opening = Symbol::at(bytes, colon)?;
        let is_encoded = opening.spelling == Spelling::Encoded;
        let first = Symbol::at(bytes, opening.end).filter(|symbol| symbol.byte == b'/')?;
        let second = Symbol::at(bytes, first.end).filter(|symbol| symbol.byte == b'/')?;
        let start = second.end;
        let mut separator = None;
        let mut host = None;
        for (at, symbol) in symbols(bytes, start) {
            // In an unencoded URL, an encoded sign such as `%40` is part of the user's name or the
            // password.
            let is_sign = is_encoded || symbol.spelling != Spelling::Encoded;
            match symbol.byte {
                _ if at > start + LONGEST => break,
                b'[' if marker::end(bytes, at).is_some() => return None,
                b'@' if is_sign => host = Some(at),
                b':' if is_sign && separator.is_none() => separator = Some(at..symbol.end),
                byte if is_sign && ends_user_information(byte) => break,
                _ => {}
            }
        }
        let host = host?;
        Some(match separator {
            Some(separator) if separator.end <= host => {
                Self { user: start..separator.start, password: separator.end..host }
            }
            _ => Self { user: start..host, password: host..host },
        })
    }
}

fn ends_user_information(byte: u8) -> bool {
    b"/?#\"'`<>\\|".contains(&byte) || byte.is_ascii_whitespace() || byte.is_ascii_control()
}

fn is_token(bytes: &[u8], user: &Range<usize>) -> bool {
    let text = &bytes[user.clone()];
    text.len() >= SHORTEST_BARE_TOKEN && !is_reference(text) && !is_word_like(text)
}

/// Whether the value is a word such as `password`, which documentation writes instead of a real
/// one.
fn is_stand_in(value: &[u8]) -> bool {
    [&b"password"[..], b"pass", b"passwd", b"pwd", b"secret", b"token"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}
