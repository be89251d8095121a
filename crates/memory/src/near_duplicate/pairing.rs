//! Which words of one sentence are in another.

use super::lexicon::Lexicon;
use super::said::{Kind, Said, Word};
use super::stem::stem;

/// What became of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    None,
    /// With that word of the other sentence, which has no other partner.
    With(usize),
    /// The other sentence has it, but not as one word of its own.
    Loosely,
}

/// Two sentences and how their words go together.
pub(super) struct Pairing<'a> {
    pub(super) a: &'a Said,
    pub(super) b: &'a Said,
    of_a: Vec<Match>,
    of_b: Vec<Match>,
}

impl<'a> Pairing<'a> {
    pub(super) fn of(a: &'a Said, b: &'a Said, lexicon: &Lexicon) -> Self {
        let mut of_a = vec![Match::None; a.words.len()];
        let mut of_b = vec![Match::None; b.words.len()];
        for (i, word) in a.words.iter().enumerate() {
            let partners =
                b.words.iter().enumerate().filter(|(j, other)| {
                    of_b[*j] == Match::None && are_alike(word, other, lexicon)
                });
            if let Some((j, _)) = partners.min_by_key(|(j, _)| j.abs_diff(i)) {
                of_a[i] = Match::With(j);
                of_b[j] = Match::With(i);
            }
        }
        match_repeated(&a.words, &mut of_a, &b.words, lexicon);
        match_repeated(&b.words, &mut of_b, &a.words, lexicon);
        match_joined(&a.words, &mut of_a, &b.words, &mut of_b);
        match_joined(&b.words, &mut of_b, &a.words, &mut of_a);
        Self { a, b, of_a, of_b }
    }

    /// How much of the sentence that is covered better.
    pub(super) fn covered_percent(&self) -> u32 {
        let covered = |words: &[Word], matches: &[Match]| {
            let whole: u32 = words.iter().map(|word| word.weight).sum();
            let pairs = words.iter().zip(matches);
            let found: u32 = pairs.filter(|(_, m)| **m != Match::None).map(|(w, _)| w.weight).sum();
            (100 * found).checked_div(whole).unwrap_or_default()
        };
        covered(&self.a.words, &self.of_a).max(covered(&self.b.words, &self.of_b))
    }

    /// The words of `a` that `b` does not have.
    pub(super) fn only_in_a(&self) -> Vec<&'a Word> {
        unmatched(&self.a.words, &self.of_a, 0, self.a.words.len()).collect()
    }

    /// The words of `b` that `a` does not have.
    pub(super) fn only_in_b(&self) -> Vec<&'a Word> {
        unmatched(&self.b.words, &self.of_b, 0, self.b.words.len()).collect()
    }

    /// For every place between words that both have in the same order: what only `a` has there,
    /// and what only `b` has there.
    pub(super) fn gaps(&self) -> Vec<(Vec<&'a Word>, Vec<&'a Word>)> {
        let mut gaps = Vec::new();
        let (mut i, mut j) = (0, 0);
        let end = (self.a.words.len(), self.b.words.len());
        for (k, l) in self.in_order().into_iter().chain([end]) {
            let in_a = unmatched(&self.a.words, &self.of_a, i, k);
            let in_b = unmatched(&self.b.words, &self.of_b, j, l);
            gaps.push((in_a.collect(), in_b.collect()));
            (i, j) = (k + 1, l + 1);
        }
        gaps
    }

    /// The longest list of pairs that stand in the same order on both sides.
    fn in_order(&self) -> Vec<(usize, usize)> {
        let pairs: Vec<(usize, usize)> = self
            .of_a
            .iter()
            .enumerate()
            .filter_map(|(i, found)| match found {
                Match::With(j) => Some((i, *j)),
                Match::None | Match::Loosely => None,
            })
            .collect();
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
}

fn unmatched<'a>(
    words: &'a [Word],
    matches: &[Match],
    from: usize,
    to: usize,
) -> impl Iterator<Item = &'a Word> {
    let inside = from..to.max(from);
    words[inside.clone()]
        .iter()
        .zip(&matches[inside])
        .filter(|(_, found)| **found == Match::None)
        .map(|(word, _)| word)
}

/// One that stands twice here and once there is no new word.
fn match_repeated(words: &[Word], matches: &mut [Match], others: &[Word], lexicon: &Lexicon) {
    for (word, found) in words.iter().zip(matches) {
        if *found == Match::None && others.iter().any(|other| are_alike(word, other, lexicon)) {
            *found = Match::Loosely;
        }
    }
}

/// `local storage` and `localStorage`.
fn match_joined(words: &[Word], matches: &mut [Match], others: &[Word], of_others: &mut [Match]) {
    for at in 1..words.len() {
        if matches[at - 1] != Match::None && matches[at] != Match::None {
            continue;
        }
        let joined = stem(&format!("{}{}", words[at - 1].written, words[at].written));
        let is_it = |other: &Word| stem(&other.written) == joined;
        let place = others.iter().position(is_it).filter(|place| of_others[*place] == Match::None);
        if let Some(place) = place {
            of_others[place] = Match::Loosely;
            matches[at - 1] = Match::Loosely;
            matches[at] = Match::Loosely;
        }
    }
}

/// Whether two words stand for the same.
pub(super) fn are_alike(one: &Word, other: &Word, lexicon: &Lexicon) -> bool {
    if one.group == other.group {
        return true;
    }
    match (one.kind, other.kind) {
        (Kind::Name, Kind::Name) => {
            let is_below = |short: &str, long: &str| {
                long.strip_suffix(short).is_some_and(|folder| folder.ends_with('/'))
            };
            is_below(&one.group, &other.group) || is_below(&other.group, &one.group)
        }
        (Kind::Katakana, Kind::Katakana) => {
            is_long(&one.group, 4)
                && is_long(&other.group, 4)
                && differ_by_a_slip(&one.group, &other.group)
        }
        (Kind::Kanji, Kind::Kanji) => {
            one.group.len() != other.group.len()
                && one.group.chars().next() == other.group.chars().next()
        }
        (Kind::Plain, Kind::Plain) => {
            !lexicon.are_opposite(&one.group, &other.group) && are_forms_of_one(one, other)
        }
        _ => false,
    }
}

/// A slip of the pen, an agent's `-er`, or endings that differ.
fn are_forms_of_one(one: &Word, other: &Word) -> bool {
    let is_slip = is_long(&one.stem, 6)
        && is_long(&other.stem, 6)
        && one.stem.chars().take(2).eq(other.stem.chars().take(2))
        && differ_by_a_slip(&one.stem, &other.stem);
    let (short, long) = if one.group.len() < other.group.len() {
        (&one.group, &other.group)
    } else {
        (&other.group, &one.group)
    };
    let ending = long.strip_prefix(short.as_str());
    let is_agent = is_long(short, 4) && matches!(ending, Some("er" | "or" | "r"));
    let common = short.chars().zip(long.chars()).take_while(|(a, b)| a == b).count();
    is_slip || is_agent || (common >= 5 && 10 * common >= 6 * long.chars().count())
}

fn is_long(text: &str, characters: usize) -> bool {
    text.chars().nth(characters - 1).is_some()
}

/// One character more, less, other, or two exchanged.
fn differ_by_a_slip(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let at = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let behind =
        |text: &[char], from: usize| text.get(from..).map(<[char]>::to_vec).unwrap_or_default();
    let is_other = behind(&a, at + 1) == behind(&b, at + 1);
    let is_added = behind(&a, at) == behind(&b, at + 1) || behind(&a, at + 1) == behind(&b, at);
    let is_exchanged = a.len() == b.len()
        && a.get(at) == b.get(at + 1)
        && a.get(at + 1) == b.get(at)
        && behind(&a, at + 2) == behind(&b, at + 2);
    is_other || is_added || is_exchanged
}
