//! The best hits of a search so far.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::search::Hit;

pub(crate) struct Best {
    limit: usize,
    hits: BinaryHeap<Reverse<Ranked>>,
}

/// Ordered by score; of two with the same score the newer one is better, then the later one.
struct Ranked(Hit);

impl Best {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, hits: BinaryHeap::new() }
    }

    /// A lower score is of no use.
    pub(crate) fn needed(&self) -> f64 {
        let worst = self.hits.peek().filter(|_| self.hits.len() >= self.limit);
        worst.map_or(0.0, |Reverse(Ranked(hit))| hit.score)
    }

    pub(crate) fn offer(&mut self, hit: Hit) {
        self.hits.push(Reverse(Ranked(hit)));
        if self.hits.len() > self.limit {
            self.hits.pop();
        }
    }

    pub(crate) fn into_sorted(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|Reverse(Ranked(hit))| hit).collect()
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |hit: &Hit| (hit.attributes.at, hit.segment, hit.doc);
        self.0.score.total_cmp(&other.0.score).then_with(|| key(&self.0).cmp(&key(&other.0)))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
