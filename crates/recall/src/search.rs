//! Finding the documents that fit a query best.

use std::time::Duration;

use verger_event::Timestamp;

use crate::accumulator::{Accumulator, Cursor, Scored};
use crate::best::Best;
use crate::closeness::{LOOKED_AT, Neighbours};
use crate::document::Attributes;
use crate::error::RecallError;
use crate::lookup::{Found, Lookup, MOST_ASKED, WORTH_SCALE};
use crate::manifest::Listed;
use crate::query::Query;
use crate::segment::{CHUNK, Segment};
use crate::term::Space;

/// What a document that was written just now gains over one that is old, and how fast that goes.
const RECENCY_GAIN: f64 = 0.5;
const RECENCY_DAYS: f64 = 90.0;
const SECONDS_A_DAY: f64 = 86_400.0;
/// What a score counts for a term that says 1 and is worth as much as a term can be.
const UNITS: f64 = WORTH_SCALE * 255.0;

/// A document that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub(crate) segment: usize,
    pub(crate) doc: u32,
    /// What it is worth for the query: comparable within one answer only.
    pub score: f64,
    /// The share of the query's words that it has, each counted as much as it says (from 0 to 1).
    pub coverage: f64,
    /// How many different words of the query it has.
    pub words: u32,
    /// It is about one of the query's files.
    pub has_file: bool,
    /// When it was written, its kind and its mark.
    pub attributes: Attributes,
}

/// A search: what is asked, and what may be answered.
pub(crate) struct Search<'a> {
    pub(crate) query: &'a Query<'a>,
    pub(crate) limit: usize,
    pub(crate) accept: &'a dyn Fn(&Attributes) -> bool,
}

impl Search<'_> {
    pub(crate) fn run(
        &self,
        segments: &[Segment],
        listed: &[Listed],
    ) -> Result<Vec<Hit>, RecallError> {
        let lookup = Lookup::new(segments, self.query)?;
        let mut best = Best::new(self.limit.max(LOOKED_AT));
        let mut accumulator = Accumulator::new();
        for (number, (segment, listed)) in segments.iter().zip(listed).enumerate() {
            let walk = Walk { search: self, lookup: &lookup, number, segment, listed };
            walk.run(&mut accumulator, &mut best)?;
        }
        let mut hits = self.looked_at_again(segments, &lookup, best)?;
        hits.truncate(self.limit);
        Ok(hits)
    }

    fn looked_at_again(
        &self,
        segments: &[Segment],
        lookup: &Lookup,
        best: Best,
    ) -> Result<Vec<Hit>, RecallError> {
        let neighbours = Neighbours::new(self.query, MOST_ASKED, &lookup.terms);
        let hits = best.into_sorted();
        if neighbours.is_empty() {
            return Ok(hits);
        }
        let mut again = Best::new(hits.len());
        for (place, mut hit) in hits.into_iter().enumerate() {
            if place < LOOKED_AT {
                let record = segments[hit.segment].record(hit.doc)?;
                let gain = neighbours.gain(&record.sequence);
                hit.score += gain * recency(self.query.now, &hit.attributes);
            }
            again.offer(hit);
        }
        Ok(again.into_sorted())
    }
}

/// A search in one segment.
struct Walk<'a> {
    search: &'a Search<'a>,
    lookup: &'a Lookup,
    number: usize,
    segment: &'a Segment,
    listed: &'a Listed,
}

impl Walk<'_> {
    fn run(&self, accumulator: &mut Accumulator, best: &mut Best) -> Result<(), RecallError> {
        let mut lists = vec![];
        for (number, term) in self.lookup.terms.iter().enumerate() {
            if let Some(entry) = &term.entries[self.number] {
                lists.push((number, term.weight(), self.segment.postings(entry)?));
            }
        }
        let cursors =
            lists.iter().map(|(number, weight, list)| Cursor::new(*number, *weight, list));
        let mut cursors: Vec<_> = cursors.collect();
        let docs = self.segment.docs();
        for start in (0..docs).step_by(CHUNK as usize) {
            accumulator.add(&mut cursors, start..docs.min(start + CHUNK));
            let needed = (best.needed() / (1.0 + RECENCY_GAIN) * UNITS).floor();
            let candidates = accumulator.take(needed);
            if !candidates.is_empty() {
                self.judge(start, &candidates, best)?;
            }
        }
        Ok(())
    }

    fn judge(&self, start: u32, found: &[Scored], best: &mut Best) -> Result<(), RecallError> {
        let attributes = self.segment.attributes(start / CHUNK)?;
        for scored in found {
            let doc = start + scored.place;
            let mut attributes = attributes[scored.place as usize];
            attributes.mark = self.listed.mark(doc).unwrap_or(attributes.mark);
            let is_too_new = self.search.query.before.is_some_and(|end| attributes.at >= end);
            if !is_too_new && (self.search.accept)(&attributes) {
                best.offer(self.hit(doc, scored, attributes));
            }
        }
        Ok(())
    }

    fn hit(&self, doc: u32, scored: &Scored, attributes: Attributes) -> Hit {
        let terms = self.lookup.terms.iter().enumerate();
        let matched: Vec<&Found> =
            terms.filter(|(number, _)| scored.has(*number)).map(|(_, term)| term).collect();
        let words = matched.iter().filter(|term| term.space == Space::Word);
        let matched_mass: f64 = words.clone().map(|word| word.worth).sum();
        Hit {
            segment: self.number,
            doc,
            score: f64::from(scored.score) / UNITS * recency(self.search.query.now, &attributes),
            coverage: if self.lookup.mass > 0.0 { matched_mass / self.lookup.mass } else { 0.0 },
            words: u32::try_from(words.count()).unwrap_or(u32::MAX),
            has_file: matched.iter().any(|term| term.space == Space::Path),
            attributes,
        }
    }
}

fn recency(now: Option<Timestamp>, attributes: &Attributes) -> f64 {
    match now {
        Some(now) if attributes.ages => {
            let age = Duration::from_millis(now.millis_since(attributes.at)).as_secs_f64();
            1.0 + RECENCY_GAIN * (-age / SECONDS_A_DAY / RECENCY_DAYS).exp()
        }
        _ => 1.0,
    }
}
