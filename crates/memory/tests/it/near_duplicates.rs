//! Near-duplicates against pairs that people judged before the code was written.

use serde_json::Value;
use verger_memory::say_the_same;

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
