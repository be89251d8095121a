//! Decides whether two words have the same meaning, or opposite meanings.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::lexicon::{Kind, Stance, Word, stem};
use super::vocabulary::{DENIALS, OPPOSITES, REVERSING};

/// A table of word stems, each with the stems of its opposites.
static OPPOSITE_STEMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut opposites = HashMap::<_, Vec<_>>::new();
    for (one, other) in OPPOSITES.split(", ").filter_map(|pair| pair.split_once(' ')) {
        let (one, other) = (stem(one), stem(other));
        opposites.entry(one.clone()).or_default().push(other.clone());
        opposites.entry(other).or_default().push(one);
    }
    opposites
});
static DENIAL_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| DENIALS.split(' ').map(stem).collect());

pub(super) fn are_alike(one: &Word, other: &Word) -> bool {
    if one.kind != other.kind || one.beginning != other.beginning {
        return false;
    }
    let (a, b) = (&*one.text, &*other.text);
    if a == b {
        return true;
    }
    match one.kind {
        Kind::Stem => {
            if are_opposite(one, other) {
                return is_turned(one, other);
            }
            differ_by_a_slip(a, b) || is_short_for(a, b) || are_of_one_family(a, b)
        }
        Kind::Kanji => a.len() != b.len() && a.chars().next() == b.chars().next(),
        Kind::Katakana => differ_by_a_slip(a, b),
        Kind::Name | Kind::Number | Kind::Unit => false,
    }
}

/// Whether two words are opposites, which can't both be true of one thing.
pub(super) fn are_opposite(one: &Word, other: &Word) -> bool {
    let is_reversed = |word: &str, rest: &str| {
        let (word, rest) = (word.trim_end_matches('e'), rest.trim_end_matches('e'));
        word.strip_suffix(rest).is_some_and(|prefix| REVERSING.contains(&prefix))
    };
    let (a, b) = (&*one.text, &*other.text);
    one.kind == other.kind
        && matches!(one.kind, Kind::Stem | Kind::Kanji)
        && (is_reversed(a, b)
            || is_reversed(b, a)
            || a.strip_suffix("less") == Some(b)
            || b.strip_suffix("less") == Some(a)
            || OPPOSITE_STEMS.get(a).is_some_and(|list| list.iter().any(|word| word == b)))
}

/// Whether exactly one of two opposite words is negated, as in `not inside` and `outside`.
pub(super) fn is_turned(one: &Word, other: &Word) -> bool {
    (one.stance == Stance::Denied) != (other.stance == Stance::Denied)
}

/// Whether the word negates the words around it.
pub(super) fn is_denial(word: &Word) -> bool {
    word.kind == Kind::Stem && DENIAL_STEMS.contains(&*word.text)
}

/// Whether one word is short for the other, such as `env` and `environ`.
fn is_short_for(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= 3 && long.len() >= 6 && long.starts_with(short)
}

/// Whether two stems have the same beginning and different short endings, such as `valid` and
/// `validit`.
fn are_of_one_family(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let common = short.chars().zip(long.chars()).take_while(|(a, b)| a == b).count();
    let (short, long) = (short.chars().count(), long.chars().count());
    common >= 4 && 10 * common >= 6 * long && short.saturating_sub(common) <= 2
}

/// Whether two words differ by a typing error: one character is added, removed or replaced, or two
/// are exchanged.
fn differ_by_a_slip(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().min(b.len()) < 5 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let at = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let is_other = a.get(at + 1..) == b.get(at + 1..);
    let is_added = a.get(at..) == b.get(at + 1..) || a.get(at + 1..) == b.get(at..);
    let is_exchanged = a.get(at + 2..) == b.get(at + 2..)
        && a.get(at) == b.get(at + 1)
        && a.get(at + 1) == b.get(at);
    at >= 2 && (is_other || is_added || is_exchanged)
}
