//! Near-duplicates against pairs that people judged before the code was written.

use serde_json::Value;
use verger_event::Timestamp;
use verger_memory::{LearningId, Origin, Provenance, Reflection, Rejected, judge, say_the_same};

const PAIRS: &str = include_str!("../data/near_duplicates.jsonl");

/// The pairs of a split that were judged wrongly: (merged though different, not found, differing
/// pairs, same pairs).
fn measured(split: &str) -> (Vec<String>, Vec<String>, usize, usize) {
    let (mut merged, mut missed) = (Vec::new(), Vec::new());
    let (mut different, mut same) = (0, 0);
    for line in PAIRS.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        if pair["split"] != split {
            continue;
        }
        let (a, b) = (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
        let is_found = say_the_same(a, b);
        assert_eq!(say_the_same(b, a), is_found, "the measure has no direction: {a} / {b}");
        if pair["same"] == true {
            same += 1;
            missed.extend((!is_found).then(|| format!("{a} / {b}")));
        } else {
            different += 1;
            merged.extend(is_found.then(|| format!("{a} / {b}")));
        }
    }
    (merged, missed, different, same)
}

#[expect(clippy::print_stdout, reason = "the rates are the result")]
fn check(split: &str) {
    let (merged, missed, different, same) = measured(split);
    println!(
        "{split}: {} of {different} different pairs merged, {} of {same} same pairs found",
        merged.len(),
        same - missed.len(),
    );
    assert!(100 * merged.len() <= 2 * different, "more than 2 % merged wrongly");
    assert!(10 * missed.len() <= same, "less than 90 % found");
}

#[test]
fn the_pairs_that_were_looked_at_are_judged_as_people_do() {
    let (merged, missed, ..) = measured("tune");
    println!("merged: {merged:#?}\nmissed: {missed:#?}");
    check("tune");
}

/// Nobody's judgement is needed for this: a person wrote each of them to say something.
#[test]
fn no_summary_that_a_person_wrote_is_taken_for_empty_talk() {
    let mut turned_away = Vec::new();
    for line in PAIRS.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        if pair["split"] != "tune" {
            continue;
        }
        for summary in [&pair["a"], &pair["b"]] {
            let reflection = serde_json::json!([{
                "category": "domain",
                "summary": summary,
                "detail": "This is important to know for the work.",
                "criteria": ["stable_fact"],
                "tags": ["x"],
            }]);
            let offers = Reflection::read(&reflection.to_string()).unwrap().offers;
            let origin =
                Origin { provenance: &Provenance::default(), now: Timestamp::from_millis(0) };
            let mut id = || LearningId::new(Timestamp::from_millis(0), 0);
            let judgement = judge(offers, &[], origin, &mut id);
            turned_away.extend(judgement.rejected.into_iter().map(|turned| turned.rejected));
        }
    }
    let talk = turned_away.iter().filter(|rejected| rejected.reasons[0].says.starts_with("fits"));
    assert_eq!(talk.collect::<Vec<_>>(), Vec::<&Rejected>::new());
}
