//! The words that two sentences share, and their order.

use std::sync::Arc;

use super::alike::are_alike;
use super::lexicon::{Stance, Word};
use super::sentence::Sentence;

/// The counterpart of a word in the other one of two compared sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// The other sentence doesn't have the word.
    None,
    /// The word at this index of the other sentence is the partner of this word only.
    With(usize),
    /// The other sentence has the word, but this occurrence of the word has no partner there.
    Loosely,
}

/// A sentence, with the counterpart of each of its words in the other sentence.
pub(super) struct Side<'a> {
    pub(super) sentence: &'a Sentence,
    matches: Vec<Match>,
}

/// Two sentences and their common words.
pub(super) struct Alignment<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    /// The pairs of words that are partners, each as the positions in `a` and `b`.
    partners: Vec<(usize, usize)>,
    /// The longest list of partner pairs that have the same order in both sentences.
    in_order: Vec<(usize, usize)>,
}

impl<'a> Side<'a> {
    fn new(sentence: &'a Sentence) -> Self {
        let matches = vec![Match::None; sentence.words.len()];
        Self { sentence, matches }
    }

    /// The words of this sentence that the other sentence doesn't have.
    pub(super) fn alone(&self) -> impl Iterator<Item = &'a Word> {
        let pairs = self.sentence.words.iter().zip(&self.matches);
        pairs.filter(|(_, found)| **found == Match::None).map(|(word, _)| word)
    }

    /// The words of this sentence that are the partner of no word in the other sentence.
    pub(super) fn unpaired(&self) -> impl Iterator<Item = &'a Word> {
        let pairs = self.sentence.words.iter().zip(&self.matches);
        pairs.filter(|(_, found)| !matches!(found, Match::With(_))).map(|(word, _)| word)
    }

    fn alone_between(&self, from: usize, to: usize) -> u32 {
        let inside = from..to.max(from);
        let pairs = self.sentence.words[inside.clone()].iter().zip(&self.matches[inside]);
        pairs.filter(|(_, found)| **found == Match::None).map(|(word, _)| word.weight).sum()
    }

    pub(super) fn alone_weight(&self) -> u32 {
        self.alone_between(0, self.matches.len())
    }

    /// Whether this sentence is about the absence of a word that the other sentence has, as in
    /// `without a lock`.
    pub(super) fn lacks_shared(&self) -> bool {
        let mut pairs = self.sentence.words.iter().zip(&self.matches);
        pairs.any(|(word, found)| word.stance == Stance::Lacking && *found != Match::None)
    }

    /// The total weight of this sentence's words that the other sentence has too.
    pub(super) fn shared(&self) -> u32 {
        self.sentence.weight - self.alone_weight()
    }

    /// The shared weight as a percentage of this sentence's total weight.
    pub(super) fn shared_percent(&self) -> u32 {
        100 * self.shared() / self.sentence.weight.max(1)
    }
}

impl<'a> Alignment<'a> {
    pub(super) fn of(a: &'a Sentence, b: &'a Sentence) -> Self {
        let (mut a, mut b) = (Side::new(a), Side::new(b));
        pair(&mut a, &mut b, &|one, other| {
            one.beginning == other.beginning && one.text == other.text
        });
        pair(&mut a, &mut b, &are_alike);
        match_repeated(&mut a, b.sentence);
        match_repeated(&mut b, a.sentence);
        let partner = |(i, found): (usize, &Match)| match found {
            Match::With(j) => Some((i, *j)),
            Match::None | Match::Loosely => None,
        };
        let partners: Vec<_> = a.matches.iter().enumerate().filter_map(partner).collect();
        let in_order = longest_in_order(&partners);
        Self { a, b, partners, in_order }
    }

    /// The number of partner pairs, and the number of pairs in the same order.
    pub(super) fn order(&self) -> (usize, usize) {
        (self.partners.len(), self.in_order.len())
    }

    /// The pairs of words that are partners.
    pub(super) fn partners(&self) -> impl Iterator<Item = (&'a Word, &'a Word)> {
        let (a, b) = (&self.a.sentence.words, &self.b.sentence.words);
        self.partners.iter().map(|(i, j)| (&a[*i], &b[*j]))
    }

    /// The weight of the words between shared words, in the sentence that has more of them.
    pub(super) fn inserted(&self) -> u32 {
        let (Some(first), Some(last)) = (self.in_order.first(), self.in_order.last()) else {
            return 0;
        };
        self.a.alone_between(first.0, last.0).max(self.b.alone_between(first.1, last.1))
    }

    pub(super) fn is_in_order(&self) -> bool {
        self.in_order.len() == self.partners.len()
    }

    /// The weight of the words between shared words that the other sentence replaces by different
    /// words.
    pub(super) fn exchanged(&self) -> u32 {
        let end = (self.a.matches.len(), self.b.matches.len());
        let (mut i, mut j, mut weight) = (0, 0, 0);
        for (k, l) in self.in_order.iter().copied().chain([end]) {
            weight += self.a.alone_between(i, k).min(self.b.alone_between(j, l));
            (i, j) = (k + 1, l + 1);
        }
        weight
    }

    /// Whether the order is reversed as in `a before b` and `b before a`. The words must be the
    /// same, and two of them must have exchanged their sides of a third word.
    pub(super) fn is_reversed(&self) -> bool {
        let (a, b) = (by_text(&self.a.sentence.tokens), by_text(&self.b.sentence.tokens));
        if !a.iter().map(|(text, _)| text).eq(b.iter().map(|(text, _)| text)) {
            return false;
        }
        let is_once = |at: usize| {
            let is_other = |next: Option<&(&str, usize)>| next.is_none_or(|next| next.0 != a[at].0);
            is_other(a.get(at + 1)) && is_other(at.checked_sub(1).and_then(|at| a.get(at)))
        };
        let places = (0..a.len()).filter(|at| is_once(*at)).map(|at| (a[at].1, b[at].1));
        let places: Vec<_> = places.collect();
        let is_crossed = |third: &(usize, usize)| {
            places.iter().any(|(a, b)| *a < third.0 && *b > third.1)
                && places.iter().any(|(a, b)| *a > third.0 && *b < third.1)
        };
        places.iter().any(is_crossed)
    }
}

/// The tokens of a sentence sorted by their text, each with its position.
fn by_text(tokens: &[Arc<str>]) -> Vec<(&str, usize)> {
    let mut placed: Vec<_> = tokens.iter().enumerate().map(|(at, text)| (&**text, at)).collect();
    placed.sort_unstable();
    placed
}

/// Pairs every unpaired word of `a` with the nearest unpaired word of `b` that fits.
fn pair(a: &mut Side<'_>, b: &mut Side<'_>, fits: &dyn Fn(&Word, &Word) -> bool) {
    for (i, word) in a.sentence.words.iter().enumerate() {
        if a.matches[i] != Match::None {
            continue;
        }
        let others = b.sentence.words.iter().enumerate();
        let free = others.filter(|(j, other)| b.matches[*j] == Match::None && fits(word, other));
        if let Some((j, _)) = free.min_by_key(|(j, _)| j.abs_diff(i)) {
            a.matches[i] = Match::With(j);
            b.matches[j] = Match::With(i);
        }
    }
}

fn longest_in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(pairs.len());
    for (at, (_, j)) in pairs.iter().enumerate() {
        let before = (0..at).filter(|earlier| pairs[*earlier].1 < *j);
        let longest = before.max_by_key(|earlier| (best[*earlier].0, usize::MAX - earlier));
        best.push((longest.map_or(1, |earlier| best[earlier].0 + 1), longest));
    }
    let mut last = (0..pairs.len()).max_by_key(|at| (best[*at].0, usize::MAX - at));
    let mut chosen = Vec::new();
    while let Some(at) = last {
        chosen.push(pairs[at]);
        last = best[at].1;
    }
    chosen.reverse();
    chosen
}

/// Marks repeated words as found: a word that occurs twice in one sentence and once in the other
/// isn't a new word.
fn match_repeated(side: &mut Side<'_>, others: &Sentence) {
    for (word, found) in side.sentence.words.iter().zip(&mut side.matches) {
        if *found == Match::None && others.words.iter().any(|other| other.text == word.text) {
            *found = Match::Loosely;
        }
    }
}
