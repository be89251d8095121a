//! Measures how many candidates of the labelled sets are rejected as vague.

use serde_json::{Value, json};
use verger_event::Timestamp;
use verger_memory::{LearningId, Origin, Provenance, Reflection, judge};

const VAGUE: &str = include_str!("../data/vague_candidates.jsonl");
const PAIRS: &str = include_str!("../data/near_duplicates.jsonl");
const LEARNINGS: &str = include_str!("../data/implicit_references.jsonl");

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is_vague(summary: &Value, detail: &Value) -> bool {
    let reflection = json!([{
        "category": "domain",
        "summary": summary,
        "detail": detail,
        "criteria": ["stable_fact"],
        "tags": ["x"],
    }]);
    let offers = Reflection::read(&reflection.to_string()).unwrap().offers;
    let now = Timestamp::from_millis(0);
    let origin = Origin { provenance: &Provenance::default(), prompts: &[], now };
    let judgement = judge(offers, &[], origin, &mut || LearningId::new(now, 0));
    let mut reasons = judgement.rejected.iter().flat_map(|one| &one.rejected.reasons);
    reasons.any(|reason| reason.says.starts_with("is vague"))
}

#[test]
fn vague_candidates_are_turned_away() {
    let passed = |split: &str| -> Vec<String> {
        let of_split = values(VAGUE).into_iter().filter(|one| one["split"] == split);
        let passed = of_split.filter(|one| !is_vague(&one["summary"], &one["detail"]));
        passed.map(|one| one["summary"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(passed("tune"), Vec::<String>::new());
    assert_eq!(passed("check"), ["Modern tooling boosts productivity", "ユーザーとの対話が重要"]);
}

#[test]
fn no_learning_with_a_detail_is_turned_away() {
    let learnings = values(LEARNINGS).into_iter().map(|line| line["learning"].clone());
    let vague = learnings.filter(|one| is_vague(&one["summary"], &one["detail"]));
    assert_eq!(vague.collect::<Vec<_>>(), Vec::<Value>::new());
}

/// The harder case: summaries that people wrote, each with a detail that says nothing.
#[test]
fn few_summaries_with_an_empty_detail_are_turned_away() {
    let pairs = values(PAIRS);
    let tuned = pairs.iter().filter(|pair| pair["split"] == "tune");
    let summaries: Vec<_> = tuned.flat_map(|pair| [&pair["a"], &pair["b"]]).collect();
    let detail = json!("This is important to know for the work.");
    let vague: Vec<_> = summaries.iter().filter(|summary| is_vague(summary, &detail)).collect();
    let (vague, all) = (vague.len(), summaries.len());
    println!("{vague} of {all}");
    assert!(vague * 20 <= all, "{vague} of {all}");
}
