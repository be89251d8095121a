//! Posting lists: for each term, the documents that have it. Each entry has the distance from the
//! previous document in two bytes and the impact in one byte. With fixed widths, a list is a third
//! longer, but reading it takes half the time.

use crate::term::Term;
use crate::vocabulary::TermNumber;

/// A distance of this value means that the real distance follows in four bytes.
const FAR: u16 = u16::MAX;

/// The impacts of terms in documents, gathered in the order in which they were computed.
#[derive(Debug, Default)]
pub(crate) struct Gathered(Vec<(TermNumber, u32, u8)>);

impl Gathered {
    /// Adds the impact of a term in a document. For each term, the documents must come in order,
    /// each once.
    pub(crate) fn add(&mut self, term: TermNumber, doc: u32, impact: u8) {
        self.0.push((term, doc, impact));
    }

    /// Groups the impacts by term into posting lists. The lists get the order of `terms`.
    pub(crate) fn into_lists(self, terms: &[(Term, TermNumber)]) -> Lists {
        let mut counts = vec![0; terms.len()];
        for (term, ..) in &self.0 {
            counts[term.index()] += 1;
        }
        let mut places = vec![0; terms.len()];
        let mut place = 0;
        for (_, number) in terms {
            places[number.index()] = place;
            place += counts[number.index()];
        }
        let mut postings = vec![(0, 0); self.0.len()];
        for (term, doc, impact) in self.0 {
            let place = &mut places[term.index()];
            postings[*place] = (doc, impact);
            *place += 1;
        }
        let ends = terms.iter().map(|(term, number)| (*term, places[number.index()])).collect();
        Lists { ends, postings }
    }
}

/// The posting lists of many terms, one after the other.
#[derive(Debug)]
pub(crate) struct Lists {
    /// For each term, the position in `postings` at which its list ends.
    ends: Vec<(Term, usize)>,
    postings: Vec<(u32, u8)>,
}

impl Lists {
    /// The terms that occur in any document, each with its posting list.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Term, &[(u32, u8)])> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|(_, end)| *end));
        let lists = self.ends.iter().zip(starts);
        let lists = lists.map(|((term, end), start)| (*term, &self.postings[start..*end]));
        lists.filter(|(_, list)| !list.is_empty())
    }
}

/// Appends a posting list to `target`, in the stored form.
pub(crate) fn encode(list: &[(u32, u8)], target: &mut Vec<u8>) {
    let mut next = 0;
    for (doc, impact) in list {
        let distance = doc - next;
        match u16::try_from(distance) {
            Ok(near) if near != FAR => {
                let [low, high] = near.to_le_bytes();
                target.extend_from_slice(&[low, high, *impact]);
            }
            _ => {
                target.extend_from_slice(&FAR.to_le_bytes());
                target.extend_from_slice(&distance.to_le_bytes());
                target.push(*impact);
            }
        }
        next = doc + 1;
    }
}

/// An iterator over a stored posting list.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    rest: &'a [u8],
    next: u32,
}

impl<'a> Postings<'a> {
    pub(crate) fn new(list: &'a [u8]) -> Self {
        Self { rest: list, next: 0 }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, u8);

    #[inline]
    fn next(&mut self) -> Option<(u32, u8)> {
        let (distance, impact) = match *self.rest {
            [0xff, 0xff, a, b, c, d, impact, ref rest @ ..] => {
                self.rest = rest;
                (u32::from_le_bytes([a, b, c, d]), impact)
            }
            [low, high, impact, ref rest @ ..] => {
                self.rest = rest;
                (u32::from(u16::from_le_bytes([low, high])), impact)
            }
            _ => return None,
        };
        let doc = self.next.checked_add(distance)?;
        self.next = doc.checked_add(1)?;
        Some((doc, impact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Vocabulary;

    #[test]
    fn a_list_is_read_as_it_was_written_however_far_apart_its_documents_are() {
        let docs = [0, 1, 3, 65_537, 65_538, 131_073, 196_609, 5_000_000, u32::MAX - 1];
        let postings: Vec<_> = docs.into_iter().zip(1..).collect();
        let mut list = vec![];
        encode(&postings, &mut list);
        assert_eq!(Postings::new(&list).collect::<Vec<_>>(), postings);
    }

    #[test]
    fn gathered_impacts_become_a_list_for_each_term_that_occurs() {
        let mut vocabulary = Vocabulary::default();
        let [last, unused, first] = [9, 5, 1].map(|term| vocabulary.number(Term(term)));
        let mut gathered = Gathered::default();
        for (term, doc, impact) in [(last, 0, 10), (first, 0, 11), (first, 2, 12), (last, 3, 13)] {
            gathered.add(term, doc, impact);
        }
        assert_eq!(vocabulary.sorted()[1], (Term(5), unused));
        let lists = gathered.into_lists(&vocabulary.sorted());
        let expected: [(Term, &[(u32, u8)]); 2] =
            [(Term(1), &[(0, 11), (2, 12)]), (Term(9), &[(0, 10), (3, 13)])];
        assert_eq!(lists.iter().collect::<Vec<_>>(), expected);
    }
}
