//! Tests of the detection of implicit use, with cases that people judged before the code was
//! written.

use serde_json::Value;
use verger_event::Timestamp;
use verger_memory::implicit::Work;
use verger_memory::{Category, Confidence, Learning, Provenance, Scope};

const CASES: &str = include_str!("../data/implicit_references.jsonl");

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn learning(value: &Value) -> Learning {
    let text = |field: &str| value[field].as_str().unwrap().to_owned();
    Learning {
        id: "learn-a".parse().unwrap(),
        category: Category::Domain,
        summary: text("summary"),
        detail: text("detail"),
        scope: Scope::Project,
        confidence: Confidence::High,
        criteria: vec![],
        tags: texts(&value["tags"]),
        files: texts(&value["files"]),
        symbols: texts(&value["symbols"]),
        supersedes: vec![],
        created: Timestamp::from_millis(0),
        provenance: Provenance::default(),
    }
}

/// Three numbers: the uses that were found, those of them that are right, and the uses that people
/// found.
fn measured(split: &str) -> (usize, usize, usize) {
    let (mut found, mut right, mut used) = (0, 0, 0);
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["split"] != split {
            continue;
        }
        let edited = case["edited_text"].as_str().unwrap_or_default();
        let work = Work::new(case["said"].as_str().unwrap(), edited);
        let is_found = work.uses(&learning(&case["learning"]));
        let is_used = case["used"] == true;
        found += usize::from(is_found);
        used += usize::from(is_used);
        right += usize::from(is_found && is_used);
    }
    (found, right, used)
}

#[test]
fn detected_references_are_mostly_right() {
    for split in ["tune", "check"] {
        let (found, right, used) = measured(split);
        println!("{split}: {right} of {found} found rightly; there are {used}");
        assert!(10 * right >= 8 * found, "precision below 0.8");
        assert!(4 * right >= used, "hardly any is found");
    }
}

/// Compares the work in every case with the learnings of all other cases, which that agent wasn't
/// given.
#[test]
fn work_hardly_ever_uses_a_learning_that_it_has_nothing_to_do_with() {
    let cases: Vec<Value> = CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut pairs, mut found) = (0, 0);
    for case in &cases {
        let edited = case["edited_text"].as_str().unwrap_or_default();
        let work = Work::new(case["said"].as_str().unwrap(), edited);
        let others = cases.iter().filter(|other| other["learning"] != case["learning"]);
        for other in others.step_by(29) {
            pairs += 1;
            found += usize::from(work.uses(&learning(&other["learning"])));
        }
    }
    println!("{found} of {pairs}");
    assert!(1000 * found <= pairs, "{found} of {pairs}");
}

/// Compares work with unrelated learnings, like the previous test, but with the longest learnings
/// and with the longest work that is compared in one piece.
#[test]
fn the_length_of_a_learning_makes_no_use_of_it() {
    let cases: Vec<Value> = CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut pairs, mut found) = (0, 0);
    for done in cases.chunks(5) {
        let said: Vec<_> = done.iter().map(|case| case["said"].as_str().unwrap()).collect();
        let work = Work::new(&said.join("\n"), "");
        let is_other = |one: &&Value| !done.iter().any(|case| case["learning"] == one["learning"]);
        let others: Vec<_> = cases.iter().filter(is_other).map(|case| &case["learning"]).collect();
        for from in 0..29 {
            let part: Vec<_> = others.iter().skip(from).step_by(29).collect();
            let details = part.iter().map(|one| one["detail"].as_str().unwrap());
            let detail = details.collect::<Vec<_>>().join("\n");
            pairs += 1;
            found += usize::from(work.uses(&Learning { detail, ..learning(part[0]) }));
        }
    }
    println!("{found} of {pairs}");
    assert!(100 * found <= pairs, "{found} of {pairs}");
}
