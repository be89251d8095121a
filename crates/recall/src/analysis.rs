//! Converts a document into terms, each with its impact in the document.

use std::collections::HashMap;

use verger_text::words;

use crate::closeness::Footprint;
use crate::document::Document;
use crate::impact::{
    AUTHOR, BEFORE, BEHIND, BODY, DATE, FILES, Field, PATH, Share, TAGS, TITLE, TURN, quantise,
};
use crate::term::{Space, Term};
use crate::vocabulary::{TermNumber, Vocabulary, place};

/// The analysis of documents that are indexed together. The words of a conversation's turn also
/// count for the turns next to it, with a lower weight.
pub(crate) struct Analysis<'a> {
    documents: &'a [&'a Document],
    conversations: Conversations,
    shares: Vec<(TermNumber, Share)>,
    tally: Tally,
    analysed: Analysed,
}

/// The indexed form of a document's words.
#[derive(Debug, Default)]
pub(crate) struct Analysed {
    /// The terms of the document, each once, with their impacts.
    pub(crate) impacts: Vec<(TermNumber, u8)>,
    /// The footprints of the words in the title and body, in order. Empty for a turn of a
    /// conversation.
    pub(crate) sequence: Vec<u8>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(documents: &'a [&'a Document], vocabulary: &mut Vocabulary) -> Self {
        let conversations = Conversations::new(documents, vocabulary);
        let (tally, analysed) = (Tally::default(), Analysed::default());
        Self { documents, conversations, shares: vec![], tally, analysed }
    }

    pub(crate) fn analyse(&mut self, number: usize, vocabulary: &mut Vocabulary) -> &Analysed {
        let document = self.documents[number];
        self.shares.clear();
        self.analysed.sequence.clear();
        let title = self.words(&TITLE, [document.title.as_str()], vocabulary);
        if document.place.is_some() {
            self.turn(number);
        } else {
            self.words(&BODY, [document.body.as_str()], vocabulary);
            let footprint = |share: &(TermNumber, Share)| Footprint::of(vocabulary.term(share.0));
            let (title, body) = self.shares.split_at(title);
            let sequence = title.iter().map(footprint).chain([Footprint::GAP]);
            let sequence = sequence.chain(body.iter().map(footprint));
            self.analysed.sequence.extend(sequence.flat_map(Footprint::encode));
        }
        self.metadata(document, vocabulary);
        let sums = self.tally.sums(&self.shares, vocabulary.len());
        self.analysed.impacts.clear();
        self.analysed.impacts.extend(sums.iter().map(|(term, sum)| (*term, quantise(*sum))));
        &self.analysed
    }

    fn metadata(&mut self, document: &Document, vocabulary: &mut Vocabulary) {
        self.words(&TAGS, document.tags.iter().map(String::as_str), vocabulary);
        self.words(&FILES, document.files.iter().map(String::as_str), vocabulary);
        self.words(&DATE, [document.date.as_str()], vocabulary);
        let share = PATH.share(document.files.len());
        for path in &document.files {
            let term = Term::new(Space::Path, path.as_bytes());
            self.shares.push((vocabulary.number(term), share));
        }
        for word in words(&document.author) {
            let term = Term::new(Space::Author, word.stem.as_bytes());
            self.shares.push((vocabulary.number(term), AUTHOR.share(1)));
        }
    }

    /// Adds the shares of the words in the texts of a field. Returns the number of words.
    fn words<'t>(
        &mut self,
        field: &Field,
        texts: impl IntoIterator<Item = &'t str>,
        vocabulary: &mut Vocabulary,
    ) -> usize {
        let start = self.shares.len();
        for text in texts {
            vocabulary.words(text, &mut |word| self.shares.push((word, Share::NONE)));
        }
        let length = self.shares.len() - start;
        let share = field.share(length);
        self.shares[start..].iter_mut().for_each(|entry| entry.1 = share);
        length
    }

    fn turn(&mut self, number: usize) {
        let mut lend = |other: usize, factor: f32| {
            let words = &self.conversations.words[other];
            let share = TURN.lent(words.len(), factor);
            self.shares.extend(words.iter().map(|word| (*word, share)));
        };
        lend(number, 1.0);
        let Some((conversation, place)) = self.conversations.places[number] else { return };
        let turns = &self.conversations.turns[conversation];
        for (other, factor) in turns[..place].iter().rev().zip(BEFORE) {
            lend(*other, *factor);
        }
        for (other, factor) in turns[place + 1..].iter().zip(BEHIND) {
            lend(*other, *factor);
        }
    }
}

/// For each term of a document, the sum of its shares from all fields.
#[derive(Debug, Default)]
struct Tally {
    sums: Vec<(TermNumber, Share)>,
    /// For each term, the index of its sum in `sums`. The index may be from an earlier document, so
    /// the term at that index is compared.
    places: Vec<u32>,
}

impl Tally {
    /// Sums the shares of each term. Returns each term once, in the order of first occurrence.
    /// `terms` is the number of terms in the vocabulary.
    fn sums(&mut self, shares: &[(TermNumber, Share)], terms: usize) -> &[(TermNumber, Share)] {
        self.sums.clear();
        self.places.resize(terms, 0);
        for (term, share) in shares {
            let known = &mut self.places[term.index()];
            match self.sums.get_mut(*known as usize) {
                Some((same, sum)) if same == term => *sum = sum.plus(*share),
                _ => {
                    *known = place(self.sums.len());
                    self.sums.push((*term, *share));
                }
            }
        }
        &self.sums
    }
}

/// The words of the turns of conversations, and the order of these turns.
struct Conversations {
    words: Vec<Vec<TermNumber>>,
    /// For each document that is a turn: the number of its conversation, and its position there.
    places: Vec<Option<(usize, usize)>>,
    turns: Vec<Vec<usize>>,
}

impl Conversations {
    fn new(documents: &[&Document], vocabulary: &mut Vocabulary) -> Self {
        let mut numbers = HashMap::new();
        let mut turns: Vec<Vec<usize>> = vec![];
        let mut words = vec![vec![]; documents.len()];
        let mut places = vec![None; documents.len()];
        for (number, document) in documents.iter().enumerate() {
            let Some(place) = &document.place else { continue };
            let conversation = *numbers.entry(place.session.as_str()).or_insert_with(|| {
                turns.push(vec![]);
                turns.len() - 1
            });
            turns[conversation].push(number);
            vocabulary.words(&document.body, &mut |word| words[number].push(word));
        }
        let sequence = |number: &usize| documents[*number].place.as_ref().map(|at| at.sequence);
        for (conversation, turns) in turns.iter_mut().enumerate() {
            turns.sort_by_key(sequence);
            for (place, number) in turns.iter().enumerate() {
                places[*number] = Some((conversation, place));
            }
        }
        Self { words, places, turns }
    }
}
