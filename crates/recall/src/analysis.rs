//! A document as terms with what they are worth in it.

use std::collections::HashMap;

use crate::closeness::Footprint;
use crate::document::Document;
use crate::impact::{
    AUTHOR, BEFORE, BEHIND, BODY, DATE, FILES, Field, PATH, TAGS, TITLE, TURN, quantise,
};
use crate::term::{Space, Term};
use crate::words::Cutter;

/// The terms of documents that are indexed together. Those of one conversation lend each other words.
pub(crate) struct Analysis<'a> {
    documents: &'a [&'a Document],
    conversations: Conversations,
    cutter: Cutter,
    shares: Vec<(Term, f32)>,
    analysed: Analysed,
}

/// What the index keeps of a document's words.
#[derive(Debug, Default)]
pub(crate) struct Analysed {
    /// The document's terms, each once, in order, with what they are worth.
    pub(crate) impacts: Vec<(Term, u8)>,
    /// The words of title and body one after the other, if it stands for itself.
    pub(crate) sequence: Vec<Footprint>,
}

/// The words of turns, and which turns follow each other.
struct Conversations {
    words: Vec<Vec<Term>>,
    /// For every document the conversation and the place in it, if it has one.
    places: Vec<Option<(usize, usize)>>,
    turns: Vec<Vec<usize>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(documents: &'a [&'a Document]) -> Self {
        let mut cutter = Cutter::default();
        let conversations = Conversations::new(documents, &mut cutter);
        Self { documents, conversations, cutter, shares: vec![], analysed: Analysed::default() }
    }

    pub(crate) fn analyse(&mut self, number: usize) -> &Analysed {
        let document = self.documents[number];
        self.shares.clear();
        self.analysed.sequence.clear();
        if document.place.is_some() {
            self.turn(number, document);
        } else {
            self.words(&TITLE, [document.title.as_str()]);
            let title = self.shares.len();
            self.words(&BODY, [document.body.as_str()]);
            let footprint = |(term, _): &(Term, f32)| Footprint::of(*term);
            let sequence = &mut self.analysed.sequence;
            sequence.extend(self.shares[..title].iter().map(footprint));
            sequence.push(Footprint::GAP);
            sequence.extend(self.shares[title..].iter().map(footprint));
        }
        self.metadata(document);
        self.shares.sort_unstable_by_key(|(term, _)| *term);
        self.analysed.impacts.clear();
        for same in self.shares.chunk_by(|one, other| one.0 == other.0) {
            let sum = same.iter().map(|(_, share)| share).sum();
            self.analysed.impacts.push((same[0].0, quantise(sum)));
        }
        &self.analysed
    }

    fn metadata(&mut self, document: &Document) {
        self.words(&TAGS, document.tags.iter().map(String::as_str));
        self.words(&FILES, document.files.iter().map(String::as_str));
        self.words(&DATE, [document.date.as_str()]);
        let paths = document.files.iter().map(|path| Term::new(Space::Path, path.as_bytes()));
        let share = PATH.share(document.files.len());
        self.shares.extend(paths.map(|path| (path, share)));
        let shares = &mut self.shares;
        self.cutter.cut(&document.author, &mut |word| {
            shares.push((Term::new(Space::Author, word.letters), AUTHOR.share(1)));
        });
    }

    fn words<'t>(&mut self, field: &Field, texts: impl IntoIterator<Item = &'t str>) {
        let start = self.shares.len();
        for text in texts {
            let shares = &mut self.shares;
            self.cutter.cut(text, &mut |word| {
                shares.push((Term::new(Space::Word, word.letters), 0.0));
            });
        }
        let share = field.share(self.shares.len() - start);
        self.shares[start..].iter_mut().for_each(|entry| entry.1 = share);
    }

    fn turn(&mut self, number: usize, document: &Document) {
        self.words(&TITLE, [document.title.as_str()]);
        let mut lend = |other: usize, factor: f32| {
            let words = &self.conversations.words[other];
            let share = TURN.share(words.len()) * factor;
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

impl Conversations {
    fn new(documents: &[&Document], cutter: &mut Cutter) -> Self {
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
            cutter.cut(&document.body, &mut |word| {
                words[number].push(Term::new(Space::Word, word.letters));
            });
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
