//! The token by which verger's own reviewer proves that a decision is its own.
//!
//! Its shape is unmistakable, so it is a secret wherever it stands: also inside a longer word, where
//! no other secret is looked for.

use std::ops::Range;

use memchr::memmem;

use crate::{Finding, SecretKind};

const PREFIX: &[u8] = b"vrt_";
const BODY: usize = 32;

/// Adds the tokens of `bytes` to what else was found, in order and without overlap.
pub(crate) fn add(bytes: &[u8], mut found: Vec<Finding>) -> Vec<Finding> {
    let others = found.len();
    found.extend(tokens(bytes).map(|range| Finding { range, kind: SecretKind::ReviewerToken }));
    if found.len() == others {
        return found;
    }
    // Two runs that are in order already: the sort merges them.
    found.sort_by_key(|finding| finding.range.start);
    let mut merged: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        match merged.last_mut() {
            // Of two findings that overlap one is a token: it has no sign that must stay.
            Some(last) if finding.range.start < last.range.end => {
                last.range.end = last.range.end.max(finding.range.end);
                last.kind = SecretKind::ReviewerToken;
            }
            _ => merged.push(finding),
        }
    }
    merged
}

fn tokens(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(bytes, PREFIX).filter_map(|start| {
        let body = start + PREFIX.len();
        let range = start..body + BODY;
        let is_token = bytes.get(body..range.end)?.iter().copied().all(is_of_body);
        is_token.then_some(range)
    })
}

/// The letters and digits of base 32.
fn is_of_body(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'2'..=b'7')
}
