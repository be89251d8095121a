//! Finds tokens with which verger's reviewer proves its identity.
//!
//! The form of these tokens is unambiguous. So they are secrets everywhere, even inside of a longer
//! word, in which no other secrets are searched.

use std::ops::Range;

use memchr::memmem;

use crate::{Finding, SecretKind};

const PREFIX: &[u8] = b"vrt_";
const BODY: usize = 32;

/// Adds the reviewer tokens in `bytes` to the other findings. The result is sorted, and its ranges
/// don't overlap.
pub(crate) fn add(bytes: &[u8], mut found: Vec<Finding>) -> Vec<Finding> {
    let others = found.len();
    found.extend(tokens(bytes).map(|range| Finding { range, kind: SecretKind::ReviewerToken }));
    if found.len() == others {
        return found;
    }
    // The findings before and after `others` are each sorted already, so this sort only merges
    // them.
    found.sort_by_key(|finding| finding.range.start);
    let mut merged: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        match merged.last_mut() {
            // One of two overlapping findings is a reviewer token. A token contains no quote or
            // escape sequence that must stay, so the two findings can be joined.
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

/// Whether the byte may be in the body of a reviewer token: a letter or digit of base 32.
fn is_of_body(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'2'..=b'7')
}
