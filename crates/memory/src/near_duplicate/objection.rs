//! What speaks against two sentences with nearly the same words saying the same.

use std::collections::HashSet;

use super::lexicon::Lexicon;
use super::likeness::are_alike;
use super::pairing::{Match, Pairing, Side};
use super::said::{Connector, Kind, ORDINARY, Said, Turn, Word};

/// Two sentences that share less than this say too little to be compared...
const LITTLE: u32 = ORDINARY + ORDINARY / 2;
/// ...and with less than this, another verb in the same place is another fact.
const MUCH: u32 = 4 * ORDINARY + ORDINARY / 2;

/// Whether anything does.
pub(super) fn stands(pairing: &Pairing<'_>, lexicon: &Lexicon) -> bool {
    let (a, b) = (&pairing.a, &pairing.b);
    let (only_a, only_b) = (a.alone(), b.alone());
    let is_equal = only_a.is_empty() && only_b.is_empty();
    let exact = [Kind::Number, Kind::Unit, Kind::Name];
    (!is_equal && a.shared().min(b.shared()) < LITTLE)
        || exact.iter().any(|kind| has(&only_a, *kind) && has(&only_b, *kind))
        || are_counts_other(a.said, b.said)
        || are_numbers_exchanged(pairing)
        || lexicon.point_apart(&a.said.stems, &b.said.stems)
        || is_turned_round(a.said, b.said, are_opposed(&only_a, &only_b, lexicon))
        || a.said.has(Turn::Contrast) != b.said.has(Turn::Contrast)
        || is_restricted(a.said, &only_a, b.said, &only_b, lexicon)
        || is_restricted(b.said, &only_b, a.said, &only_a, lexicon)
        || fails_instead(a, b.said)
        || fails_instead(b, a.said)
        || tells_cases_apart(a.said, &only_a, &only_b, lexicon)
        || tells_cases_apart(b.said, &only_b, &only_a, lexicon)
        || is_reversed(a.said, b.said, lexicon)
        || is_exchanged(pairing, lexicon)
}

fn has(words: &[&Word], kind: Kind) -> bool {
    words.iter().any(|word| word.kind == kind)
}

/// `once` and `twice`, `an hour` and `2 hours`.
fn are_counts_other(a: &Said, b: &Said) -> bool {
    let counts = |said: &Said| -> HashSet<String> {
        let numbers = said.words.iter().filter(|word| word.kind == Kind::Number);
        let counts = said.counts.iter().map(|count| (*count).to_owned());
        numbers.map(|word| word.stem.clone()).chain(counts).collect()
    };
    let (a, b) = (counts(a), counts(b));
    !a.is_empty() && !b.is_empty() && a.is_disjoint(&b)
}

/// `3 attempts in 7 days` and `7 attempts in 3 days`.
fn are_numbers_exchanged(pairing: &Pairing<'_>) -> bool {
    let words = &pairing.a.said.words;
    let is_number = |(i, _): &(usize, usize)| words[*i].kind == Kind::Number;
    let (numbers, others): (Vec<_>, Vec<_>) = pairing.partners().into_iter().partition(is_number);
    let mut pairs = numbers.iter().flat_map(|one| numbers.iter().map(move |other| (one, other)));
    others.is_sorted_by_key(|(_, j)| *j)
        && pairs.any(|((i, j), (k, l))| i < k && j > l && words[*i].stem != words[*k].stem)
}

fn are_opposed(only_a: &[&Word], only_b: &[&Word], lexicon: &Lexicon) -> bool {
    let mut pairs = only_a.iter().flat_map(|one| only_b.iter().map(move |other| (one, other)));
    pairs.any(|(one, other)| lexicon.are_opposite(&one.stem, &other.stem))
}

/// One is negated, or has an opposite: both together cancel out. A negation may also be said by
/// naming the harm, or by a condition.
fn is_turned_round(a: &Said, b: &Said, is_opposed: bool) -> bool {
    let has_any = |said: &Said, stems: &[&str]| stems.iter().any(|stem| said.stems.contains(*stem));
    let is_condition = |negated: &Said, other: &Said| {
        (has_any(negated, &["befor", "until"])
            || negated.negations > 1 && has_any(negated, &["unless", "without"]))
            && has_any(other, &["onli", "must", "need", "first", "requir"])
            && !has_any(other, &["befor"])
    };
    let is_only_in = |a: &Said, b: &Said| {
        a.negations > 0 && b.negations == 0 && !b.has(Turn::Harm) && !is_condition(a, b)
    };
    let is_negated = is_only_in(a, b) || is_only_in(b, a);
    if is_opposed { (a.negations > 0) == (b.negations > 0) } else { is_negated }
}

/// `Clear the cache` and `Clear the cache only as a last resort`.
fn is_restricted(
    more: &Said,
    only_more: &[&Word],
    less: &Said,
    only_less: &[&Word],
    lexicon: &Lexicon,
) -> bool {
    more.has(Turn::Only)
        && !less.has(Turn::Only)
        && only_less.is_empty()
        && only_more.iter().any(|word| !lexicon.is_light(&word.stem))
}

/// `The server starts` and `The server fails to start`.
fn fails_instead(side: &Side<'_>, other: &Said) -> bool {
    let before = &side.said.words[..side.last_partner()];
    let fails = |(word, found): (&Word, &Match)| {
        *found == Match::None && ["fail", "unabl", "refus"].contains(&word.stem.as_str())
    };
    side.said.negations == other.negations
        && !other.has(Turn::Harm)
        && before.iter().zip(&side.matches).any(fails)
}

/// Whoever tells two versions or two opposites apart corrects one who speaks of none.
fn tells_cases_apart(
    more: &Said,
    only_more: &[&Word],
    only_less: &[&Word],
    lexicon: &Lexicon,
) -> bool {
    let mut versions = only_more.iter().filter(|word| word.is_version()).map(|word| &word.written);
    let first = versions.next();
    let has_versions = first.is_some_and(|first| versions.any(|version| version != first));
    let adds = only_less.iter().all(|word| lexicon.is_light(&word.stem))
        && only_more.iter().any(|word| word.is_ordinary());
    let has_opposite = |word: &&&Word| {
        more.words.iter().any(|other| lexicon.are_listed_opposites(&word.stem, &other.stem))
    };
    has_versions || (adds && only_more.iter().any(|word| has_opposite(&word)))
}

/// `a before b` and `b before a`, or `a after b`.
fn is_reversed(a: &Said, b: &Said, lexicon: &Lexicon) -> bool {
    let pairs =
        a.connectors.iter().flat_map(|one| b.connectors.iter().map(move |other| (one, other)));
    let mut found = pairs.filter_map(|((one, i), (other, j))| {
        Some(((one, a.words.get(*i)?, *i), (other, b.words.get(*j)?, *j)))
    });
    let stands_in =
        |word: &Word, words: &[Word]| words.iter().any(|other| are_alike(word, other, lexicon));
    found.any(|((one, word_a, i), (other, word_b, j))| {
        let is_same = are_alike(word_a, word_b, lexicon);
        match (one, other) {
            (Connector::English("before"), Connector::English("after"))
            | (Connector::English("after"), Connector::English("before"))
            | (Connector::JapaneseAfter, Connector::JapaneseBefore)
            | (Connector::JapaneseBefore, Connector::JapaneseAfter) => is_same,
            _ if one != other || is_same => false,
            (Connector::English(_), _) => {
                stands_in(word_a, &b.words[..j]) && stands_in(word_b, &a.words[..i])
            }
            _ => stands_in(word_a, &b.words[j + 1..]) && stands_in(word_b, &a.words[i + 1..]),
        }
    })
}

/// Another word in the same place.
fn is_exchanged(pairing: &Pairing<'_>, lexicon: &Lexicon) -> bool {
    let shared = pairing.a.shared().min(pairing.b.shared());
    let is_short = shared < MUCH && pairing.is_in_order();
    let heavy = |words: &[&Word]| -> Vec<bool> {
        let words = words.iter().filter(|word| !lexicon.is_light(&word.stem));
        words.map(|word| word.is_ordinary()).collect()
    };
    pairing.gaps().iter().any(|(in_a, in_b)| {
        let (in_a, in_b) = (heavy(in_a), heavy(in_b));
        !in_a.is_empty()
            && !in_b.is_empty()
            && (is_short || in_a.contains(&true) || in_b.contains(&true))
    })
}
