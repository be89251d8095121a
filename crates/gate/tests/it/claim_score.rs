//! Scores the detector of claims on the example messages.
//!
//! Most examples are harder than real messages. Many of them report a result without a word such as
//! "done". The detector finds such a claim only if the message has the marker. The limits are just
//! below the current scores.

use verger_testkit::{ClaimTotals, ScoredMessage, Share, score_claims};

/// The minimum precision and the minimum recall of the detector, in percent.
const LEAST_PRECISION: usize = 93;
const LEAST_RECALL: usize = 52;

fn reaches(share: Share, percent: usize) -> bool {
    share.of > 0 && share.some * 100 >= share.of * percent
}

#[test]
fn both_languages_stay_above_their_bars() {
    let scored = score_claims();
    for lang in ["en", "ja"] {
        let of_lang: Vec<_> = scored.iter().filter(|one| one.labelled.lang == lang).collect();
        let wrong: Vec<_> =
            of_lang.iter().filter(|one| !one.is_right()).map(|one| told(one)).collect();
        let ClaimTotals { precision, recall } = ClaimTotals::of(of_lang);
        let is_enough = reaches(precision, LEAST_PRECISION) && reaches(recall, LEAST_RECALL);
        assert!(is_enough, "{lang}: {precision:?} {recall:?}\n{}", wrong.join("\n"));
    }
}

fn told(ScoredMessage { labelled, claim }: &ScoredMessage) -> String {
    format!("{} {claim:?}: {}", labelled.id, labelled.message.escape_debug())
}
