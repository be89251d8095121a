//! The score on the labelled traces.

use verger_testkit::{DriftTotals, Part, ScoredTrace, Share, score_traces};

/// Percent.
const LEAST_RECALL: usize = 80;
const MOST_FALSE_CORRECTIONS: usize = 5;

fn is_enough(totals: DriftTotals) -> bool {
    let DriftTotals { recall, false_corrections } = totals;
    let is_at_least = |share: Share, percent| share.some * 100 >= share.of * percent;
    let is_at_most = |share: Share, percent| share.some * 100 <= share.of * percent;
    recall.of > 0
        && false_corrections.of > 0
        && is_at_least(recall, LEAST_RECALL)
        && is_at_most(false_corrections, MOST_FALSE_CORRECTIONS)
}

#[test]
fn most_that_drift_are_corrected_and_hardly_any_that_do_not() {
    let scored = score_traces(Part::Tune);
    let totals = DriftTotals::of(&scored);
    let wrong: Vec<String> = scored.iter().filter(|one| !one.is_right()).map(told).collect();
    assert!(is_enough(totals), "{totals:?}\n{}", wrong.join("\n"));
}

/// Both languages reach what is wanted, not only their mean.
#[test]
fn no_language_is_left_behind() {
    let scored = score_traces(Part::Tune);
    for lang in ["en", "ja"] {
        let totals = DriftTotals::of(scored.iter().filter(|one| one.trace.lang == lang));
        assert!(is_enough(totals), "{lang}: {totals:?}");
    }
}

fn told(one: &ScoredTrace) -> String {
    let (worst, reasons) = one.worst();
    let drift = one.trace.drift.as_ref().map(|drift| drift.from);
    let corrected = one.correction().map(|(at, _)| *at);
    format!(
        "{} drifts from {drift:?}, corrected at {corrected:?}, {} at worst: {reasons:?}",
        one.trace.id,
        worst.get()
    )
}
