//! Which words of one sentence are in another.

use super::lexicon::Lexicon;
use super::likeness::{are_alike, is_repeated};
use super::said::{Said, Word};
use super::stem::stem;

/// What became of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// The other sentence does not have it.
    None,
    /// With that word of the other sentence, which has no other partner.
    With(usize),
    /// The other sentence has it, but not as one word of its own.
    Loosely,
}

/// A sentence and what became of its words.
pub(super) struct Side<'a> {
    pub(super) said: &'a Said,
    pub(super) matches: Vec<Match>,
}

/// Two sentences and how their words go together.
pub(super) struct Pairing<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
}

impl<'a> Side<'a> {
    fn new(said: &'a Said) -> Self {
        Self { said, matches: vec![Match::None; said.words.len()] }
    }

    /// The words that the other side does not have.
    pub(super) fn alone(&self) -> Vec<&'a Word> {
        self.alone_between(0, self.said.words.len())
    }

    fn alone_between(&self, from: usize, to: usize) -> Vec<&'a Word> {
        let inside = from..to.max(from);
        let pairs = self.said.words[inside.clone()].iter().zip(&self.matches[inside]);
        pairs.filter(|(_, found)| **found == Match::None).map(|(word, _)| word).collect()
    }

    fn has_partner_between(&self, from: usize, to: usize) -> bool {
        self.matches[from..to.max(from)].iter().any(|found| matches!(found, Match::With(_)))
    }

    /// The weight of what both have.
    pub(super) fn shared(&self) -> u32 {
        let pairs = self.said.words.iter().zip(&self.matches);
        pairs.filter(|(_, found)| **found != Match::None).map(|(word, _)| word.weight).sum()
    }

    fn covered_percent(&self) -> u32 {
        let whole: u32 = self.said.words.iter().map(|word| word.weight).sum();
        (100 * self.shared()).checked_div(whole).unwrap_or_default()
    }

    /// Behind its last word with a partner there is nothing but additions.
    pub(super) fn last_partner(&self) -> usize {
        let is_paired = |found: &Match| matches!(found, Match::With(_));
        self.matches.iter().rposition(is_paired).unwrap_or_default()
    }
}

impl<'a> Pairing<'a> {
    pub(super) fn of(a: &'a Said, b: &'a Said, lexicon: &Lexicon) -> Self {
        let mut pairing = Self { a: Side::new(a), b: Side::new(b) };
        pairing.pair(&|one, other| one.written == other.written);
        pairing.pair(&|one, other| are_alike(one, other, lexicon));
        let Self { a, b } = &mut pairing;
        match_repeated(a, b.said, lexicon);
        match_repeated(b, a.said, lexicon);
        match_joined(a, b);
        match_joined(b, a);
        pairing
    }

    /// Every word with the nearest that fits and is free.
    fn pair(&mut self, fits: &dyn Fn(&Word, &Word) -> bool) {
        for (i, word) in self.a.said.words.iter().enumerate() {
            if self.a.matches[i] != Match::None {
                continue;
            }
            let others = self.b.said.words.iter().enumerate();
            let free =
                others.filter(|(j, other)| self.b.matches[*j] == Match::None && fits(word, other));
            if let Some((j, _)) = free.min_by_key(|(j, _)| j.abs_diff(i)) {
                self.a.matches[i] = Match::With(j);
                self.b.matches[j] = Match::With(i);
            }
        }
    }

    /// How much of the sentence that is covered better.
    pub(super) fn covered_percent(&self) -> u32 {
        self.a.covered_percent().max(self.b.covered_percent())
    }

    /// The words with partners, by their places.
    pub(super) fn partners(&self) -> Vec<(usize, usize)> {
        let found = self.a.matches.iter().enumerate();
        let pair = |(i, found): (usize, &Match)| match found {
            Match::With(j) => Some((i, *j)),
            Match::None | Match::Loosely => None,
        };
        found.filter_map(pair).collect()
    }

    /// For every place between words that both have in the same order, unless words stand there that
    /// the other has elsewhere: what only `a` has there, and what only `b` has there.
    pub(super) fn gaps(&self) -> Vec<(Vec<&'a Word>, Vec<&'a Word>)> {
        let mut gaps = Vec::new();
        let (mut i, mut j) = (0, 0);
        let end = (self.a.matches.len(), self.b.matches.len());
        for (k, l) in in_order(&self.partners()).into_iter().chain([end]) {
            if !self.a.has_partner_between(i, k) && !self.b.has_partner_between(j, l) {
                gaps.push((self.a.alone_between(i, k), self.b.alone_between(j, l)));
            }
            (i, j) = (k + 1, l + 1);
        }
        gaps
    }

    /// Whether all words with partners stand in the same order.
    pub(super) fn is_in_order(&self) -> bool {
        self.partners().is_sorted_by_key(|(_, j)| *j)
    }
}

/// The longest list of pairs that stand in the same order on both sides.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
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

/// One that stands twice here and once there is no new word.
fn match_repeated(side: &mut Side<'_>, others: &Said, lexicon: &Lexicon) {
    for (word, found) in side.said.words.iter().zip(&mut side.matches) {
        let is_there = || others.words.iter().any(|other| is_repeated(word, other, lexicon));
        if *found == Match::None && is_there() {
            *found = Match::Loosely;
        }
    }
}

/// `local storage` and `localStorage`.
fn match_joined(side: &mut Side<'_>, others: &mut Side<'_>) {
    let words = &side.said.words;
    for at in 1..words.len() {
        if side.matches[at - 1] != Match::None && side.matches[at] != Match::None {
            continue;
        }
        let joined = stem(&format!("{}{}", words[at - 1].written, words[at].written));
        let places = others.said.words.iter().enumerate();
        let mut joined_there = places.filter(|(place, other)| {
            others.matches[*place] == Match::None && stem(&other.written) == joined
        });
        if let Some((place, _)) = joined_there.next() {
            others.matches[place] = Match::Loosely;
            side.matches[at - 1] = Match::Loosely;
            side.matches[at] = Match::Loosely;
        }
    }
}
