//! Adds up the scores of documents while a search reads the posting lists of its terms.
//!
//! All lists are read chunk by chunk. So the scores of a chunk stay in the processor's fastest
//! cache, whatever the size of the index.

use std::ops::Range;

use crate::postings::Postings;
use crate::segment::CHUNK;

/// A read position in the posting list of a term.
pub(crate) struct Cursor<'a> {
    /// The bit that stands for the term in a [`Matched`] set.
    bit: u32,
    /// The weight of the term. The impact of the term in a document multiplies it.
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

/// The score of a document that has at least one term of the query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    /// The position of the document in the chunk.
    pub(crate) place: u32,
    pub(crate) score: u32,
    pub(crate) matched: Matched,
}

/// The set of the query's terms that a document has, with one bit for each term.
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

    /// Adds the scores of the documents in `docs` from the posting lists. `docs` must not be longer
    /// than a chunk.
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

    /// Moves the documents with at least the score `needed` to `found`. A document needs at least
    /// one term too. Empties the accumulator.
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
