//! Queries: the texts and files that a search looks for.

use std::collections::HashMap;

use verger_event::Timestamp;
use verger_text::{Word, words};

use crate::term::{Space, Term};

/// A query. Texts and files are combined. A later text with the same words adds nothing.
#[derive(Debug, Clone, Default)]
pub struct Query<'a> {
    /// The texts to search for, each with the weight of its words.
    pub texts: Vec<(&'a str, f32)>,
    /// The files that the person or agent works on, as paths below the project.
    pub files: Vec<&'a str>,
    /// The time from which ages are measured. Without a time, ages don't count.
    pub now: Option<Timestamp>,
    /// The time before which found documents must have been written, if there is such a limit.
    pub before: Option<Timestamp>,
}

/// A term of the query, with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Asked {
    pub(crate) term: Term,
    pub(crate) space: Space,
    pub(crate) weight: f32,
    /// The term of the same word as the name of an author. If the index has an author with this
    /// name, the word isn't searched in texts.
    pub(crate) name: Option<Term>,
}

impl Asked {
    /// Sorts terms of a query.
    pub(crate) fn sort(asked: &mut [Self]) {
        asked.sort_by_key(|asked| asked.term);
    }

    /// The same word of the query, searched as the name of an author. `None` if it can't be one.
    pub(crate) fn as_name(&self) -> Option<Self> {
        self.name.map(|term| Self { term, space: Space::Author, weight: self.weight, name: None })
    }
}

impl Query<'_> {
    /// The words of each text of the query, in order. At most `limit` words of a text.
    pub(crate) fn sequences(&self, limit: usize) -> Vec<Vec<Term>> {
        let term = |word: Word| Term::new(Space::Word, word.stem.as_bytes());
        let sequence = |text| words(text).map(term).take(limit).collect();
        self.texts.iter().map(|(text, _)| sequence(text)).collect()
    }

    /// The terms of the query, sorted and without duplicates. Returns at most `limit` terms.
    pub(crate) fn terms(&self, limit: usize) -> Vec<Asked> {
        let mut asked: HashMap<Term, Asked> = HashMap::new();
        let mut ask = |new: Asked| {
            if asked.len() < limit || asked.contains_key(&new.term) {
                let old = asked.entry(new.term).or_insert(new);
                old.weight = old.weight.max(new.weight);
                old.name = old.name.or(new.name);
            }
        };
        for file in &self.files {
            let term = Term::new(Space::Path, file.as_bytes());
            ask(Asked { term, space: Space::Path, weight: 1.0, name: None });
        }
        for (text, weight) in &self.texts {
            for word in words(text) {
                let letters = word.stem.as_bytes();
                let term = Term::new(Space::Word, letters);
                let name = word.is_capitalised.then(|| Term::new(Space::Author, letters));
                ask(Asked { term, space: Space::Word, weight: *weight, name });
            }
        }
        let mut asked: Vec<_> = asked.into_values().collect();
        Asked::sort(&mut asked);
        asked
    }
}
