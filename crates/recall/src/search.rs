//! Finds the documents that fit a query best.

use crate::accumulator::{Accumulator, Cursor, Scored};
use crate::best::{Best, Candidate};
use crate::closeness::{LOOKED_AT, Neighbours};
use crate::document::Attributes;
use crate::error::RecallError;
use crate::fit::Grounds;
use crate::lookup::{Lookup, MOST_ASKED, WORTH_SCALE};
use crate::manifest::Listed;
use crate::query::Query;
use crate::recency::{most_recency, recency};
use crate::segment::{AttributesBlock, BLOCK, CHUNK, Segment};
use crate::term::Space;

/// The score for a term of weight 1 with the maximal impact, in the scale of integers.
const UNITS: f64 = WORTH_SCALE * 255.0;

/// A document that a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub(crate) segment: usize,
    pub(crate) doc: u32,
    /// The document's score for the query. It is comparable only with the scores of hits of the
    /// same search.
    pub score: f64,
    /// The document's score as a share of the best document's score.
    pub relevance: f64,
    /// The share of the query's words that the document has, from 0 to 1. Words count by their
    /// weight.
    pub coverage: f64,
    /// The number of different words of the query that the document has.
    pub words: u32,
    /// Whether the document is about one of the query's files.
    pub has_file: bool,
    /// The strength of the evidence that the document fits the query, independent of other hits.
    /// The document fits if the strength is at least 1.
    pub strength: f64,
    /// The document's time, kind and mark.
    pub attributes: Attributes,
}

impl Hit {
    /// Whether the document fits the query. Even the best hit may not fit.
    pub fn fits(&self) -> bool {
        self.strength >= 1.0
    }
}

/// A search: the query, the limit and the filter.
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
        let best = self.looked_at_again(segments, &lookup, best.into_sorted())?;
        let top = best.first().map_or(0.0, |one| one.score);
        Ok(best.iter().take(self.limit).map(|one| hit(one, top, &lookup)).collect())
    }

    /// Scores the candidates again, with the gain for adjacent words. Returns them best first.
    fn looked_at_again(
        &self,
        segments: &[Segment],
        lookup: &Lookup,
        mut candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, RecallError> {
        let neighbours = Neighbours::new(self.query, MOST_ASKED, &lookup.terms);
        if neighbours.is_empty() {
            return Ok(candidates);
        }
        for candidate in candidates.iter_mut().take(LOOKED_AT) {
            let record = segments[candidate.segment].record(candidate.doc)?;
            let gain = neighbours.gain(&record.sequence);
            candidate.score += gain * recency(self.query.now, &candidate.attributes);
        }
        candidates.sort_unstable_by(|one, other| other.cmp(one));
        Ok(candidates)
    }
}

/// The part of a search in one segment.
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
        let mut found = vec![];
        for start in (0..docs).step_by(CHUNK as usize) {
            accumulator.add(&mut cursors, start..docs.min(start + CHUNK));
            found.clear();
            accumulator.take(self.needed(start / CHUNK, best), &mut found);
            for block in found.chunk_by(|one, other| one.place / BLOCK == other.place / BLOCK) {
                let needed = self.needed(start / CHUNK, best);
                let mut good = block.iter().filter(|one| one.score >= needed).peekable();
                if let Some(first) = good.peek() {
                    let attributes = self.segment.attributes((start + first.place) / BLOCK)?;
                    self.judge(start, &attributes, good, best)?;
                }
            }
        }
        Ok(())
    }

    /// The minimum score of documents of this chunk that can be among the best. It does not include
    /// the factor for the age.
    fn needed(&self, chunk: u32, best: &Best) -> u32 {
        let newest = self.segment.newest(chunk);
        let needed = best.needed() / most_recency(self.search.query.now, newest) * UNITS;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let needed = needed.floor() as u32;
        // Subtracts one, because the division may round up.
        needed.saturating_sub(1)
    }

    /// Scores those found documents whose attributes are in one block.
    fn judge<'s>(
        &self,
        start: u32,
        block: &AttributesBlock,
        good: impl Iterator<Item = &'s Scored>,
        best: &mut Best,
    ) -> Result<(), RecallError> {
        for scored in good {
            let doc = start + scored.place;
            let attributes = block.get(doc % BLOCK);
            let mut attributes =
                attributes.ok_or_else(|| self.segment.damaged("the attributes"))?;
            attributes.mark = self.listed.marks.get(doc).unwrap_or(attributes.mark);
            let is_too_new = self.search.query.before.is_some_and(|end| attributes.at >= end);
            if !is_too_new && (self.search.accept)(&attributes) {
                let recency = recency(self.search.query.now, &attributes);
                best.offer(Candidate {
                    score: f64::from(scored.score) / UNITS * recency,
                    segment: self.number,
                    doc,
                    matched: scored.matched,
                    attributes,
                });
            }
        }
        Ok(())
    }
}

fn hit(candidate: &Candidate, top: f64, lookup: &Lookup) -> Hit {
    let terms = lookup.terms.iter().enumerate();
    let matched = terms.filter(|(number, _)| candidate.matched.has(*number)).map(|(_, term)| term);
    let words = matched.clone().filter(|term| term.space == Space::Word);
    let files = matched.filter(|term| term.space == Space::Path);
    let covered: f64 = words.clone().map(|word| word.worth).sum();
    let grounds = Grounds {
        score: candidate.score,
        mass: lookup.mass,
        documents: lookup.documents,
        words: u32::try_from(words.count()).unwrap_or(u32::MAX),
        file: files.map(|file| file.worth / lookup.unknown).reduce(f64::max),
    };
    Hit {
        segment: candidate.segment,
        doc: candidate.doc,
        score: candidate.score,
        relevance: candidate.score / top,
        coverage: if lookup.mass > 0.0 { (covered / lookup.mass).min(1.0) } else { 0.0 },
        words: grounds.words,
        has_file: grounds.file.is_some(),
        strength: grounds.strength(),
        attributes: candidate.attributes,
    }
}
