//! The detector of claims on the labelled messages.

use verger_testkit::{ClaimTotals, Part, ScoredMessage, Share, score_claims};

/// Percent.
const LEAST_PRECISION: usize = 95;
const LEAST_RECALL: usize = 80;

fn reaches(share: Share, percent: usize) -> bool {
    share.of > 0 && share.some * 100 >= share.of * percent
}

#[test]
fn what_is_taken_for_a_claim_is_one_and_most_claims_are_found() {
    let scored = score_claims(Part::Tune);
    let wrong: Vec<_> = scored.iter().filter(|one| !one.is_right()).map(told).collect();
    let ClaimTotals { precision, recall } = ClaimTotals::of(&scored);
    assert!(
        reaches(precision, LEAST_PRECISION) && reaches(recall, LEAST_RECALL),
        "{precision:?} {recall:?}\n{}",
        wrong.join("\n")
    );
}

/// Both languages reach what is wanted, not only their mean.
#[test]
fn no_language_is_left_behind() {
    let scored = score_claims(Part::Tune);
    for lang in ["en", "ja"] {
        let of_lang = scored.iter().filter(|one| one.labelled.lang == lang);
        let ClaimTotals { precision, recall } = ClaimTotals::of(of_lang);
        let is_enough = reaches(precision, LEAST_PRECISION) && reaches(recall, LEAST_RECALL);
        assert!(is_enough, "{lang}: {precision:?} {recall:?}");
    }
}

fn told(ScoredMessage { labelled, claim }: &ScoredMessage) -> String {
    format!("{} {claim:?}: {}", labelled.id, labelled.message.escape_debug())
}
