//! Looks up the terms of a query in the dictionaries of the segments: which terms the index has,
//! and the weights of these terms.

use crate::error::RecallError;
use crate::query::{Asked, Query};
use crate::segment::{Entry, Page, Segment};
use crate::term::{Space, Term};

/// The maximum number of terms of a query that are looked up. Terms after that are ignored.
pub(crate) const MOST_ASKED: usize = 256;
/// The maximum number of terms whose posting lists are read, those with the greatest weights first.
/// The set of a document's terms has one bit for each of them.
const MOST_WALKED: usize = 32;
/// The factor by which weights are scaled to integers. Adding integers gives the same sum in any
/// order.
pub(crate) const WORTH_SCALE: f64 = 1024.0;

/// The result of looking up a query in this index.
pub(crate) struct Lookup {
    /// The terms whose posting lists are read, the one with the greatest weight first.
    pub(crate) terms: Vec<Found>,
    /// The total weight of the query's words, including those that the index doesn't have. Counts
    /// at most as many words as the number of lists that may be read.
    pub(crate) mass: f64,
    /// The number of documents in the index.
    pub(crate) documents: u32,
    /// The weight of a term that no document in the index has.
    pub(crate) unknown: f64,
}

/// A term of the query, with the term's entries in the segments.
pub(crate) struct Found {
    pub(crate) space: Space,
    /// The term's weight in the query, multiplied by its rarity in the index.
    pub(crate) worth: f64,
    pub(crate) entries: Vec<Option<Entry>>,
    pub(crate) term: Term,
    name: Option<Term>,
}

impl Lookup {
    pub(crate) fn new(segments: &[Segment], query: &Query<'_>) -> Result<Self, RecallError> {
        let mut dictionaries = Dictionaries::new(segments);
        let asked = query.terms(MOST_ASKED);
        let mut terms =
            asked.iter().map(|one| dictionaries.find(one)).collect::<Result<Vec<_>, _>>()?;
        for name in dictionaries.names(&asked)? {
            terms.retain(|word| word.name != Some(name.term));
            terms.push(name);
        }
        terms.sort_by(|one, other| {
            other.worth.total_cmp(&one.worth).then_with(|| one.term.cmp(&other.term))
        });
        let words = terms.iter().filter(|one| one.space == Space::Word);
        let mass = words.take(MOST_WALKED).map(|word| word.worth).sum();
        terms.retain(Found::is_there);
        terms.truncate(MOST_WALKED);
        let documents = dictionaries.docs;
        Ok(Self { terms, mass, documents, unknown: rarity(documents, 0) })
    }
}

impl Found {
    fn is_there(&self) -> bool {
        self.entries.iter().any(Option::is_some)
    }

    /// The weight for one unit of impact, as a scaled integer.
    pub(crate) fn weight(&self) -> u32 {
        let scaled = (self.worth * WORTH_SCALE).round().clamp(1.0, f64::from(u16::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let weight = scaled as u32;
        weight
    }
}

/// The dictionaries of all segments. Terms must be looked up in sorted order.
struct Dictionaries<'a> {
    segments: &'a [Segment],
    pages: Vec<Page>,
    docs: u32,
}

impl<'a> Dictionaries<'a> {
    fn new(segments: &'a [Segment]) -> Self {
        let pages = segments.iter().map(|_| Page::default()).collect();
        Self { segments, pages, docs: segments.iter().map(Segment::docs).sum() }
    }

    fn find(&mut self, asked: &Asked) -> Result<Found, RecallError> {
        let segments = self.segments.iter().zip(&mut self.pages);
        let entries = segments.map(|(segment, page)| segment.entry(asked.term, page));
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        let having = entries.iter().flatten().map(|entry| entry.count).sum();
        let worth = f64::from(asked.weight) * rarity(self.docs, having);
        let Asked { term, space, name, .. } = *asked;
        Ok(Found { space, worth, entries, term, name })
    }

    /// The words of the query that are names of authors in the index.
    fn names(&mut self, asked: &[Asked]) -> Result<Vec<Found>, RecallError> {
        let mut names: Vec<_> = asked.iter().filter_map(Asked::as_name).collect();
        Asked::sort(&mut names);
        let names = names.iter().map(|name| self.find(name));
        names.filter(|found| found.as_ref().map_or(true, Found::is_there)).collect()
    }
}

/// The rarity of a term, which is BM25's inverse document frequency. `having` of `docs` documents
/// have the term.
fn rarity(docs: u32, having: u32) -> f64 {
    let (docs, having) = (f64::from(docs), f64::from(having));
    (1.0 + (docs - having + 0.5) / (having + 0.5)).ln()
}
