//! Adds up the scores of the documents of a chunk while it reads the lists of the terms.
//!
//! All lists are read chunk by chunk, so that the scores stay in the processor's nearest cache
//! whatever the size of the index.

use std::ops::Range;

use crate::postings::Postings;
use crate::segment::CHUNK;

/// A read position in a term's list.
pub(crate) struct Cursor<'a> {
    /// The bit of the term.
    bit: u32,
    /// The term's weight, before it is multiplied by the impact in a document.
    weight: u32,
    postings: Postings<'a>,
    next: Option<(u32, u8)>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(number: usize, weight: u32, list: &'a [u8]) -> Self {
        let mut postings = Postings::new(list);
        let next = postings.next();
        Self { bit: 1 << number, weight, postings, next }
    }
}

/// A document with at least one term of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    /// The document's position in the chunk.
    pub(crate) place: u32,
    pub(crate) score: u32,
    pub(crate) matched: Matched,
}

/// The set of the query's terms that a document has: one bit for each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matched(u32);

impl Matched {
    pub(crate) fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    score: u32,
    matched: u32,
}

pub(crate) struct Accumulator {
    slots: Vec<Slot>,
}

impl Accumulator {
    pub(crate) fn new() -> Self {
        Self { slots: vec![Slot::default(); CHUNK as usize] }
    }

    /// Adds the scores from the lists for the documents in `docs`, which are at most a chunk.
    pub(crate) fn add(&mut self, cursors: &mut [Cursor<'_>], docs: Range<u32>) {
        for cursor in cursors {
            let Cursor { bit, weight, .. } = *cursor;
            let mut next = cursor.next;
            while let Some((doc, impact)) = next
                && doc < docs.end
            {
                let slot = &mut self.slots[(doc - docs.start) as usize];
                slot.score += weight * u32::from(impact);
                slot.matched |= bit;
                next = cursor.postings.next();
            }
            cursor.next = next;
        }
    }

    /// Moves the documents with a term and at least this score to `found`. Empties the accumulator.
    pub(crate) fn take(&mut self, needed: u32, found: &mut Vec<Scored>) {
        let needed = needed.max(1);
        for (place, slot) in (0..).zip(&mut self.slots) {
            if slot.score >= needed {
                let Slot { score, matched } = *slot;
                found.push(Scored { place, score, matched: Matched(matched) });
            }
            *slot = Slot::default();
        }
    }
}
