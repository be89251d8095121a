//! Measures how likely it is that two sentences have the same meaning.
//!
//! The weights come from a logistic regression. Its data are the pairs of `tests/data` for tuning,
//! and further pairs of summaries that share only some words, which count as a fifth of a pair
//! each. The data has no pairs for which an objection or containment decides. The features were
//! chosen by cross-validation in which no learning is in two folds, and the threshold by the rates
//! on the same pairs.

use std::sync::Arc;

use super::alignment::{Alignment, Side};
use super::lexicon::{COMMON, Kind, ORDINARY};
use super::objection::is_opposed;
use super::sentence::Sentence;

/// The minimum of the shared weight, exclusive. Two sentences that share less aren't compared.
const LITTLE: u32 = ORDINARY + COMMON - 1;
/// The shared weight (of two words) up to which two sentences have the same meaning only if each
/// has hardly any other words.
const FEW: u32 = 2 * ORDINARY;
/// The weight of a word that says little, such as a common verb.
pub(super) const HARDLY: u32 = COMMON;
/// The weight up to which a sentence is short. A short sentence is different if the other sentence
/// has words in between, or if only one of them has an order or a restriction.
pub(super) const SHORT: u32 = 3 * ORDINARY;

/// Kinds of words that must be equal in both sentences. A different one means a different fact.
pub(super) const EXACT: [Kind; 3] = [Kind::Number, Kind::Unit, Kind::Name];

/// Weights of the features for which a large value means that two sentences have the same meaning.
const COVERED_LESS: f64 = 3.0;
const COVERED_MORE: f64 = 7.6;
const SHARED: f64 = 4.3;
const BOTH_NEGATED: f64 = 1.3;
/// Weights of the features for which a large value means that two sentences have different
/// meanings. Two sentences that are equal but for one word usually have different meanings.
const IN_ORDER: f64 = -4.1;
const EXCHANGED: f64 = -1.3;
const SAME_FRAME: f64 = -3.9;
const OWN_EXACT: f64 = -1.4;
/// The minimum evidence for the same meaning. The regression gives 8.1 if both kinds of errors
/// weigh the same. The threshold is higher, because a learning that is wrongly found to be a
/// duplicate is lost.
const ENOUGH: f64 = 8.6;

/// The weight of the words that a sentence shares with another, and the weight of all its words.
struct Overlap {
    shared: u32,
    whole: u32,
}

impl Overlap {
    fn of(side: &Side<'_>) -> Self {
        Self { shared: side.shared(), whole: side.sentence.weight }
    }

    fn share(&self) -> f64 {
        f64::from(self.shared) / f64::from(self.whole.max(1))
    }
}

/// Whether two sentences have the same meaning.
pub(super) fn is_same(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    is_enough(&Overlap::of(a), &Overlap::of(b))
        && (is_contained(alignment) || score(alignment) > ENOUGH)
        && !is_opposed(alignment)
}

/// A quick check by the beginnings of words. If it returns `false`, [`is_same`] does too.
pub(super) fn may_be_same(a: &Sentence, b: &Sentence) -> bool {
    let (in_a, in_b) = (at_most_shared(a, b), at_most_shared(b, a));
    let one = Overlap { shared: in_a, whole: a.weight };
    let other = Overlap { shared: in_b, whole: b.weight };
    let is_in_other = in_a == a.weight || in_b == b.weight;
    is_enough(&one, &other)
        && (is_in_other || evidence(&one, &other) + sentence_evidence(a, b) > ENOUGH)
}

/// Whether the sentences share enough to be compared. Sharing more never makes this false.
fn is_enough(a: &Overlap, b: &Overlap) -> bool {
    let shared = a.shared.min(b.shared);
    match (a.whole - a.shared).max(b.whole - b.shared) {
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
    evidence(&Overlap::of(a), &Overlap::of(b))
        + IN_ORDER * ratio(in_order, partners)
        + EXCHANGED * f64::from(exchanged) / f64::from(ORDINARY)
        + sentence_evidence(a.sentence, b.sentence)
        + OWN_EXACT * f64::from(own_exact(a) + own_exact(b))
}

/// The part of the evidence that comes from negations and the frame, not from shared words.
fn sentence_evidence(a: &Sentence, b: &Sentence) -> f64 {
    let negated = if a.is_negated && b.is_negated { BOTH_NEGATED } else { 0.0 };
    negated + SAME_FRAME * common_part(&a.frame, &b.frame)
}

/// The number of numbers, units and names that this sentence has and the other sentence doesn't.
fn own_exact(side: &Side<'_>) -> u32 {
    side.alone().map(|word| u32::from(EXACT.contains(&word.kind))).sum()
}

/// The evidence from the shared weight and the total weight of each sentence. Grows with both
/// shares.
fn evidence(a: &Overlap, b: &Overlap) -> f64 {
    let (one, other) = (a.share(), b.share());
    let shared = f64::from(a.shared.min(b.shared)) / f64::from(ORDINARY);
    COVERED_LESS * one.min(other) + COVERED_MORE * one.max(other) + SHARED * shared.ln_1p()
}

/// The number of items that two sorted lists share, as a share of the longer list.
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

/// Whether one sentence has all words of the other sentence, in the same order.
fn is_contained(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let (only_a, only_b) = (a.alone_weight(), b.alone_weight());
    let shared = a.shared().min(b.shared());
    let is_equal = only_a + only_b == 0 && shared > 0;
    alignment.is_in_order() && (is_equal || only_a.min(only_b) == 0 && shared >= FEW)
}
