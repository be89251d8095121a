//! Finds JSON web tokens: base64url parts joined by dots. The first part starts with `{"`.

use std::ops::Range;

use crate::symbol::word_end;

const SHORTEST_HEADER: usize = 15;
const SHORTEST_CLAIMS: usize = 10;
const MOST_PARTS: usize = 5;

/// The end of the token whose first part is the word `header`. `None` if it isn't a token.
pub(crate) fn token(bytes: &[u8], header: Range<usize>) -> Option<usize> {
    if header.len() < SHORTEST_HEADER || !bytes[header.clone()].starts_with(b"eyJ") {
        return None;
    }
    let claims = next_part(bytes, header.end)?;
    if claims.len() < SHORTEST_CLAIMS {
        return None;
    }
    let mut end = claims.end;
    for _ in 2..MOST_PARTS {
        match next_part(bytes, end) {
            Some(part) => end = part.end,
            None => break,
        }
    }
    Some(end)
}

fn next_part(bytes: &[u8], dot: usize) -> Option<Range<usize>> {
    if bytes.get(dot) != Some(&b'.') {
        return None;
    }
    let end = word_end(bytes, dot + 1);
    (end > dot + 1).then_some(dot + 1..end)
}
