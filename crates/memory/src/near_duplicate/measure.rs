//! How likely two sentences say the same, and what speaks against it however likely it is.
//!
//! The weights are those of a logistic regression over the pairs of `tests/data` that may be looked at
//! and over pairs of summaries that have nothing to do with each other but some words.

use std::sync::Arc;

use super::alignment::{Alignment, Side};
use super::alike::{are_opposite, is_denial};
use super::lexicon::{COMMON, Kind, ORDINARY, Stance, Timing, Word};
use super::sentence::Sentence;

/// Two sentences that share less than this say too little to be compared...
const LITTLE: u32 = ORDINARY + COMMON - 1;
/// ...and those that share no more than two words must have hardly anything else.
const FEW: u32 = 2 * ORDINARY;
/// A word that carries little.
const HARDLY: u32 = COMMON;
/// Who says no more than this says something else when words come in between, or when one of the two
/// gives an order or a restriction.
const SHORT: u32 = 3 * ORDINARY;

/// What speaks for it.
const COVERED_LESS: f64 = 5.8;
const COVERED_MORE: f64 = 6.3;
const SHARED: f64 = 3.9;
/// What speaks against it: the same sentence with another word in it is another sentence.
const IN_ORDER: f64 = -2.3;
const EXCHANGED: f64 = -0.9;
const SAME_FRAME: f64 = -3.1;
/// So much it takes. The regression says 10.3, where both faults weigh the same; a learning that is
/// wrongly taken for another is lost, so that it takes more.
const ENOUGH: f64 = 11.6;

/// Whether two sentences say the same.
pub(super) fn is_same(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    is_enough((a.shared(), a.sentence.weight), (b.shared(), b.sentence.weight))
        && (is_contained(alignment) || score(alignment) > ENOUGH)
        && !is_opposed(alignment)
}

/// Whether they may, judged by how their words begin. If not, [`is_same`] does not hold for them.
pub(super) fn may_be_same(a: &Sentence, b: &Sentence) -> bool {
    let (in_a, in_b) = (at_most_shared(a, b), at_most_shared(b, a));
    let (one, other) = ((in_a, a.weight), (in_b, b.weight));
    let is_in_other = in_a == a.weight || in_b == b.weight;
    let frame = || SAME_FRAME * common_part(&a.frame, &b.frame);
    is_enough(one, other) && (is_in_other || evidence(one, other) + frame() > ENOUGH)
}

/// Whether they share enough to be compared. It does not get less when they share more.
fn is_enough((shared_a, a): (u32, u32), (shared_b, b): (u32, u32)) -> bool {
    let shared = shared_a.min(shared_b);
    match (a - shared_a).max(b - shared_b) {
        0 => true,
        1..=HARDLY => shared > LITTLE,
        _ => shared > FEW,
    }
}

fn at_most_shared(sentence: &Sentence, other: &Sentence) -> u32 {
    let words = sentence.words.iter().filter(|word| other.beginnings & word.beginning != 0);
    words.map(|word| word.weight).sum()
}

fn score(alignment: &Alignment<'_>) -> f64 {
    let (a, b) = (&alignment.a, &alignment.b);
    let (partners, in_order) = alignment.order();
    let exchanged = if alignment.is_in_order() { alignment.exchanged() } else { 0 };
    evidence((a.shared(), a.sentence.weight), (b.shared(), b.sentence.weight))
        + IN_ORDER * ratio(in_order, partners)
        + EXCHANGED * f64::from(exchanged) / f64::from(ORDINARY)
        + SAME_FRAME * common_part(&a.sentence.frame, &b.sentence.frame)
}

/// What speaks for it, from the weight of what each sentence shares and has. It grows with both shares.
fn evidence((shared_a, a): (u32, u32), (shared_b, b): (u32, u32)) -> f64 {
    let covered = |shared: u32, whole: u32| f64::from(shared) / f64::from(whole.max(1));
    let (one, other) = (covered(shared_a, a), covered(shared_b, b));
    let shared = f64::from(shared_a.min(shared_b)) / f64::from(ORDINARY);
    COVERED_LESS * one.min(other) + COVERED_MORE * one.max(other) + SHARED * shared.ln_1p()
}

/// The part of the larger of two sorted lists that is in the other.
fn common_part(a: &[Arc<str>], b: &[Arc<str>]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(one), Some(other)) = (a.get(i), b.get(j)) {
        let order = one.cmp(other);
        common += usize::from(order.is_eq());
        (i, j) = (i + usize::from(order.is_le()), j + usize::from(order.is_ge()));
    }
    ratio(common, a.len().max(b.len()))
}

#[expect(clippy::cast_precision_loss, reason = "a sentence has few words")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// One says all that the other says, in its order, and a short one without much in between.
fn is_contained(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let (only_a, only_b) = (a.alone_weight(), b.alone_weight());
    let shared = a.shared().min(b.shared());
    let is_equal = only_a + only_b == 0 && shared > 0;
    let has_all = only_a.min(only_b) == 0 && shared >= FEW;
    let is_together = || shared > SHORT || alignment.inserted() <= ORDINARY;
    alignment.is_in_order() && (is_equal || has_all && is_together())
}

/// Something speaks against it that no likeness outweighs.
fn is_opposed(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let (only_a, only_b) = (a.alone_weight(), b.alone_weight());
    let is_negated = a.sentence.is_negated != b.sentence.is_negated;
    let is_limited = a.sentence.is_limited != b.sentence.is_limited;
    let has_all = alignment.is_in_order() && only_a.min(only_b) <= HARDLY;
    let has = |side: &Side<'_>, kind: Kind| side.alone().any(|word| word.kind == kind);
    let mut exact = [Kind::Number, Kind::Unit, Kind::Name].into_iter();
    let has_opposites = || a.alone().any(|one| b.alone().any(|other| are_opposite(one, other)));
    exact.any(|kind| has(a, kind) && has(b, kind))
        || (has_all && (is_negated || is_limited))
        || is_turned_round(a, b)
        || is_turned_round(b, a)
        || (is_limited && a.shared().min(b.shared()) <= SHORT)
        || is_denied(alignment)
        || is_other_order(alignment)
        || (has_opposites() && (!is_negated || alignment.is_in_order()))
        || alignment.is_reversed()
}

/// One is negated, and the other has no word of its own that could say so, such as `ignored`.
fn is_turned_round(negated: &Side<'_>, other: &Side<'_>) -> bool {
    let is_only_here = negated.sentence.is_negated && !other.sentence.is_negated;
    is_only_here && !other.sentence.is_limited && other.alone_weight() == 0
}

/// One is negated, and the negation bears on a word that the other affirms: `must not be rebased` and
/// `rebase`. `Never save without a lock` does not deny `take a lock to save`.
fn is_denied(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let affirms = |side: &Side<'_>| !side.sentence.is_limited && !side.alone().any(is_denial);
    let denies = |word: &Word| word.stance == Stance::Denied;
    let turns = |(one, other): (&Word, &Word)| match (denies(one), denies(other)) {
        (true, false) => affirms(b),
        (false, true) => affirms(a),
        _ => false,
    };
    a.sentence.is_negated != b.sentence.is_negated
        && !(a.lacks_shared() || b.lacks_shared())
        && alignment.partners().any(turns)
}

/// One says what has to come first, in few words, and the other knows of no order.
fn is_other_order(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let timings = [a.sentence.timing, b.sentence.timing];
    a.shared().min(b.shared()) <= SHORT
        && !alignment.is_in_order()
        && timings.contains(&Timing::First)
        && timings.contains(&Timing::Any)
}
