//! Objections: differences that prove that two sentences have different meanings, however similar
//! they are.

use super::alignment::{Alignment, Side};
use super::alike::{are_opposite, is_denial, is_turned};
use super::lexicon::{Kind, ORDINARY, Stance, Timing, Word};
use super::measure::{EXACT, HARDLY, SHORT};

/// Whether a difference proves that two sentences have different meanings.
pub(super) fn is_opposed(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let is_limited = a.sentence.is_limited != b.sentence.is_limited;
    let is_short = a.shared().min(b.shared()) <= SHORT;
    let has = |side: &Side<'_>, kind: Kind| side.alone().any(|word| word.kind == kind);
    EXACT.iter().any(|kind| has(a, *kind) && has(b, *kind))
        || (is_limited && (is_short || has_all(alignment)))
        || is_negation_opposed(alignment)
        || is_other_order(alignment)
        || is_other_side(alignment)
        || is_torn(alignment)
        || alignment.is_reversed()
}

/// Whether one sentence has all words of the other, in the same order.
fn has_all(alignment: &Alignment<'_>) -> bool {
    let (only_a, only_b) = (alignment.a.alone_weight(), alignment.b.alone_weight());
    alignment.is_in_order() && only_a.min(only_b) <= HARDLY
}

/// Whether two sentences differ as in `a before b` and `a after b`.
fn is_other_side(alignment: &Alignment<'_>) -> bool {
    let says = |side: &Side<'_>, when: &str| side.sentence.frame.iter().any(|word| **word == *when);
    let is_only = |side: &Side<'_>, one: &str, other: &str| says(side, one) && !says(side, other);
    let (a, b) = (&alignment.a, &alignment.b);
    alignment.is_in_order()
        && ((is_only(a, "before", "after") && is_only(b, "after", "before"))
            || (is_only(a, "after", "before") && is_only(b, "before", "after")))
}

/// Whether one sentence is short, and the other sentence has all of its words but with many words
/// in between.
fn is_torn(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    a.shared().min(b.shared()) <= SHORT
        && a.alone_weight().min(b.alone_weight()) == 0
        && alignment.is_in_order()
        && alignment.inserted() > ORDINARY
}

/// Whether a negation or an opposite in only one of the sentences inverts the statement that they
/// share.
fn is_negation_opposed(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let is_negated = a.sentence.is_negated != b.sentence.is_negated && !is_agreed(alignment);
    let opposes = |one: &Word, other: &Word| are_opposite(one, other) && !is_turned(one, other);
    let has_opposites = || a.unpaired().any(|one| b.unpaired().any(|other| opposes(one, other)));
    (is_negated
        && (is_turned_round(a, b)
            || is_turned_round(b, a)
            || is_denied(alignment)
            || has_all(alignment)))
        || ((!is_negated || alignment.is_in_order()) && has_opposites())
}

/// Whether two sentences agree although only one of them has a negation. They agree if both negate
/// the same word, or if they use opposites of which one is negated.
fn is_agreed(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let denies = |word: &Word| word.stance == Stance::Denied;
    let turns = |one: &Word, other: &Word| are_opposite(one, other) && is_turned(one, other);
    let agrees = |(one, other): (&Word, &Word)| turns(one, other) || (denies(one) && denies(other));
    alignment.partners().any(agrees)
        || a.alone().any(|one| b.alone().any(|other| turns(one, other)))
}

/// Whether `negated` is negated and `other` is not. `other` must have no word of its own, such as
/// `ignored`, that could have the same meaning as the negation.
fn is_turned_round(negated: &Side<'_>, other: &Side<'_>) -> bool {
    let is_only_here = negated.sentence.is_negated && !other.sentence.is_negated;
    is_only_here && !other.sentence.is_limited && other.alone_weight() == 0
}

/// Whether one sentence negates a word that the other affirms: `must not be rebased` and `rebase`.
/// `Never save without a lock` doesn't negate `take a lock to save`.
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

/// Whether one sentence says what comes first while the other sentence names no order, and one of
/// them is short.
fn is_other_order(alignment: &Alignment<'_>) -> bool {
    let (a, b) = (&alignment.a, &alignment.b);
    let timings = [a.sentence.timing, b.sentence.timing];
    a.shared().min(b.shared()) <= SHORT
        && !alignment.is_in_order()
        && timings.contains(&Timing::First)
        && timings.contains(&Timing::Any)
}
