//! Near-duplicates against pairs that people judged before the code was written.

use serde_json::Value;
use verger_event::Timestamp;
use verger_memory::{LearningId, Origin, Provenance, Reflection, Rejected, judge, say_the_same};

const PAIRS: &str = include_str!("../data/near_duplicates.jsonl");

/// How pairs were judged.
#[derive(Debug, Default)]
struct Rates {
    different: usize,
    merged: Vec<String>,
    same: usize,
    missed: Vec<String>,
}

impl Rates {
    /// Of the pairs of a split, or of all.
    fn of(split: Option<&str>) -> Self {
        let mut rates = Self::default();
        for line in PAIRS.lines() {
            let pair: Value = serde_json::from_str(line).unwrap();
            if split.is_some_and(|split| pair["split"] != split) {
                continue;
            }
            let (a, b) = (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
            let is_found = say_the_same(a, b);
            assert_eq!(say_the_same(b, a), is_found, "the measure has no direction");
            let text = format!("{a} / {b}");
            if pair["same"] == true {
                rates.same += 1;
                rates.missed.extend((!is_found).then_some(text));
            } else {
                rates.different += 1;
                rates.merged.extend(is_found.then_some(text));
            }
        }
        rates
    }

    #[expect(clippy::print_stdout, reason = "the rates are the result")]
    fn hold(&self, name: &str, merged_per_thousand: usize, found_per_cent: usize) {
        let found = self.same - self.missed.len();
        println!(
            "{name}: {} of {} different pairs merged, {found} of {} same pairs found",
            self.merged.len(),
            self.different,
            self.same,
        );
        assert!(1000 * self.merged.len() <= merged_per_thousand * self.different, "merged wrongly");
        assert!(100 * found >= found_per_cent * self.same, "not found");
    }
}

#[test]
fn pairs_are_judged_as_people_do() {
    let looked_at = Rates::of(Some("tune"));
    println!("merged: {:#?}\nmissed: {:#?}", looked_at.merged, looked_at.missed);
    looked_at.hold("looked at", 20, 90);
    Rates::of(None).hold("all", 20, 90);
}

/// Three of the fifty pairs that say the same share no words; what is measured here is how far the
/// vocabulary carries beyond what it was chosen from.
#[test]
fn held_out_pairs_are_judged_nearly_as_well() {
    Rates::of(Some("held_out")).hold("held out", 30, 80);
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
