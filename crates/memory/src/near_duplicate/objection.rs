//! What speaks against two sentences with the same words saying the same.

use super::lexicon::Lexicon;
use super::pairing::{Pairing, are_alike};
use super::said::{Kind, ORDINARY, Said, Word};

/// Whether anything does.
pub(super) fn stands(pairing: &Pairing<'_>, lexicon: &Lexicon) -> bool {
    let (a, b) = (pairing.a, pairing.b);
    let (only_a, only_b) = (pairing.only_in_a(), pairing.only_in_b());
    let exact = [Kind::Number, Kind::Unit, Kind::Name];
    exact.iter().any(|kind| has(&only_a, *kind) && has(&only_b, *kind))
        || are_opposed(&only_a, &only_b, lexicon)
        || is_one_negated(a, b)
        || a.has_contrast != b.has_contrast
        || is_restricted(a, &only_a, b, &only_b)
        || has_two_versions(&only_a)
        || has_two_versions(&only_b)
        || is_reversed(a, b, lexicon)
        || is_exchanged(pairing)
}

fn has(words: &[&Word], kind: Kind) -> bool {
    words.iter().any(|word| word.kind == kind)
}

fn are_opposed(only_a: &[&Word], only_b: &[&Word], lexicon: &Lexicon) -> bool {
    let mut pairs = only_a.iter().flat_map(|one| only_b.iter().map(move |other| (one, other)));
    pairs.any(|(one, other)| lexicon.are_opposite(&one.group, &other.group))
}

/// A negation may be said by naming the harm; in Japanese it hardly ever is.
fn is_one_negated(a: &Said, b: &Said) -> bool {
    let is_only_in = |a: &Said, b: &Said| a.negations > 0 && b.negations == 0 && !b.has_harm;
    let is_japanese = |said: &Said| {
        said.words.first().is_some_and(|word| matches!(word.kind, Kind::Kanji | Kind::Katakana))
    };
    is_only_in(a, b) || is_only_in(b, a) || (is_japanese(a) && a.negations != b.negations)
}

/// `Clear the cache` and `Clear the cache only as a last resort`.
fn is_restricted(a: &Said, only_a: &[&Word], b: &Said, only_b: &[&Word]) -> bool {
    let adds = |more: &[&Word], less: &[&Word]| !more.is_empty() && less.is_empty();
    (a.has_only && !b.has_only && adds(only_a, only_b))
        || (b.has_only && !a.has_only && adds(only_b, only_a))
}

/// Whoever tells two versions apart corrects one who speaks of none.
fn has_two_versions(words: &[&Word]) -> bool {
    let mut versions = words.iter().filter(|word| word.is_version()).map(|word| &word.group);
    let first = versions.next();
    first.is_some_and(|first| versions.any(|version| version != first))
}

/// `a before b` and `b before a`.
fn is_reversed(a: &Said, b: &Said, lexicon: &Lexicon) -> bool {
    let stands_before =
        |word: &Word, words: &[Word]| words.iter().any(|earlier| are_alike(word, earlier, lexicon));
    a.connectors.iter().any(|(connector, i)| {
        b.connectors.iter().filter(|(other, _)| other == connector).any(|(_, j)| {
            let (Some(behind_a), Some(behind_b)) = (a.words.get(*i), b.words.get(*j)) else {
                return false;
            };
            !are_alike(behind_a, behind_b, lexicon)
                && stands_before(behind_a, &b.words[..*j])
                && stands_before(behind_b, &a.words[..*i])
        })
    })
}

/// Another word in the same place.
fn is_exchanged(pairing: &Pairing<'_>) -> bool {
    let counts = |words: &[&Word]| words.iter().any(|word| word.weight >= ORDINARY);
    pairing.gaps().iter().any(|(in_a, in_b)| counts(in_a) && counts(in_b))
}
