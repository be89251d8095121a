//! Gives numbers to the terms of a segment that is being written, and splits texts into these
//! numbers.
//!
//! Texts repeat their words. So the words of each run of letters (parts, stems and stop words) are
//! computed once and cached.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use verger_text::{Run, runs};

use crate::term::{Space, Term};

/// The number of a term in this vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TermNumber(u32);

impl TermNumber {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    terms: Vec<Term>,
    numbers: HashMap<Term, TermNumber, BuildHasherDefault<TermHasher>>,
    /// For each run of letters, the range of its words in `words`.
    runs: HashMap<Term, (u32, u32), BuildHasherDefault<TermHasher>>,
    words: Vec<TermNumber>,
}

impl Vocabulary {
    pub(crate) fn number(&mut self, term: Term) -> TermNumber {
        number(&mut self.numbers, &mut self.terms, term)
    }

    pub(crate) fn term(&self, number: TermNumber) -> Term {
        self.terms[number.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// All terms with their numbers, sorted by term.
    pub(crate) fn sorted(&self) -> Vec<(Term, TermNumber)> {
        let numbers = (0..).map(TermNumber);
        let mut terms: Vec<_> = self.terms.iter().copied().zip(numbers).collect();
        terms.sort_unstable();
        terms
    }

    /// Calls `found` with the number of every word in the text.
    pub(crate) fn words(&mut self, text: &str, found: &mut impl FnMut(TermNumber)) {
        for run in runs(text) {
            let key = Term::new(Space::Word, run.letters.as_bytes());
            let (from, to) = match self.runs.get(&key) {
                Some(known) => *known,
                None => self.learn(key, &run),
            };
            self.words[from as usize..to as usize].iter().copied().for_each(&mut *found);
        }
    }

    fn learn(&mut self, key: Term, run: &Run<'_>) -> (u32, u32) {
        let Self { terms, numbers, runs, words, .. } = self;
        let start = place(words.len());
        for word in run.words() {
            words.push(number(numbers, terms, Term::new(Space::Word, word.stem.as_bytes())));
        }
        let places = (start, place(words.len()));
        runs.insert(key, places);
        places
    }
}

fn number(
    numbers: &mut HashMap<Term, TermNumber, BuildHasherDefault<TermHasher>>,
    terms: &mut Vec<Term>,
    term: Term,
) -> TermNumber {
    *numbers.entry(term).or_insert_with(|| {
        terms.push(term);
        TermNumber(place(terms.len() - 1))
    })
}

/// Converts an index to 32 bits. It saturates, but more than 2³² words don't fit into memory.
pub(crate) fn place(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// A hasher that returns a term unchanged, because a term is already a hash.
#[derive(Debug, Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, term: u64) {
        self.0 = term;
    }
}
