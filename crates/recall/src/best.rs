//! Collects the best documents of a search.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::accumulator::Matched;
use crate::document::Attributes;

/// A document that may be among the best of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) score: f64,
    pub(crate) segment: usize,
    pub(crate) doc: u32,
    pub(crate) matched: Matched,
    pub(crate) attributes: Attributes,
}

pub(crate) struct Best {
    limit: usize,
    candidates: BinaryHeap<Reverse<Candidate>>,
}

impl Best {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, candidates: BinaryHeap::with_capacity(limit + 1) }
    }

    /// The minimum score that a document needs to be among the best. Zero while there are fewer
    /// documents than the limit.
    pub(crate) fn needed(&self) -> f64 {
        let worst = self.candidates.peek().filter(|_| self.candidates.len() >= self.limit);
        worst.map_or(0.0, |Reverse(candidate)| candidate.score)
    }

    pub(crate) fn offer(&mut self, candidate: Candidate) {
        if candidate.score >= self.needed() {
            self.candidates.push(Reverse(candidate));
        }
        if self.candidates.len() > self.limit {
            self.candidates.pop();
        }
    }

    pub(crate) fn into_sorted(self) -> Vec<Candidate> {
        self.candidates.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}

/// Orders candidates by score. Of two candidates with the same score, the newer one is better, and
/// then the one that comes later in the index.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |one: &Self| (one.attributes.at, one.segment, one.doc);
        self.score.total_cmp(&other.score).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
