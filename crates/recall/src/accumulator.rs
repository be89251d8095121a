//! The scores of a chunk of documents while the lists of the terms are walked.
//!
//! All lists are walked chunk by chunk, so that the scores stay in the processor's nearest cache
//! whatever the size of the index.

use std::ops::Range;

use crate::postings::Postings;
use crate::segment::CHUNK;

/// A list that is being walked.
pub(crate) struct Cursor<'a> {
    /// The bit of the term.
    bit: u64,
    /// What the term is worth, before the document is known.
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
    /// Its place in the chunk.
    pub(crate) place: u32,
    pub(crate) score: u32,
    /// One bit for each of the query's terms.
    matched: u64,
}

impl Scored {
    /// Whether the document has the query's term of this number.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.matched >> number & 1 == 1
    }
}

pub(crate) struct Accumulator {
    scores: Vec<u32>,
    matched: Vec<u64>,
}

impl Accumulator {
    pub(crate) fn new() -> Self {
        Self { scores: vec![0; CHUNK as usize], matched: vec![0; CHUNK as usize] }
    }

    /// Adds what the lists have of these documents, which are not more than a chunk.
    pub(crate) fn add(&mut self, cursors: &mut [Cursor<'_>], docs: Range<u32>) {
        for cursor in cursors {
            while let Some((doc, impact)) = cursor.next.filter(|(doc, _)| *doc < docs.end) {
                let place = (doc - docs.start) as usize;
                self.scores[place] += cursor.weight * u32::from(impact);
                self.matched[place] |= cursor.bit;
                cursor.next = cursor.postings.next();
            }
        }
    }

    /// The documents that have a term and at least this score; empties the accumulator.
    pub(crate) fn take(&mut self, needed: f64) -> Vec<Scored> {
        let all = (0..).zip(self.scores.iter().zip(&self.matched));
        let good = all.filter(|(_, (score, _))| **score > 0 && f64::from(**score) >= needed);
        let good = good.map(|(place, (score, matched))| Scored {
            place,
            score: *score,
            matched: *matched,
        });
        let good = good.collect();
        self.scores.fill(0);
        self.matched.fill(0);
        good
    }
}
