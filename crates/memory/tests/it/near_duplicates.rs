//! Tests of near-duplicates with pairs that people labelled before the code was written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;
use verger_memory::{NearDuplicates, say_the_same};

const PAIRS: &str = include_str!("../data/near_duplicates.jsonl");
const FITTING: &str = include_str!("../data/near_duplicates_fitting.jsonl");

/// The results for the pairs of a data split.
#[derive(Debug, Default)]
struct Rates {
    /// The results by kind of pair, sorted by the kind's name.
    kinds: BTreeMap<String, Rate>,
    /// The results for all pairs, without those that are labelled as paraphrases.
    total: Rate,
    paraphrases: Rate,
    wrong: Vec<String>,
}

/// Counts of pairs: with the same meaning, how many of them were found, with different meanings,
/// and how many of them were found.
#[derive(Debug, Default)]
struct Rate {
    found: usize,
    same: usize,
    merged: usize,
    different: usize,
}

impl Rate {
    fn count(&mut self, is_same: bool, is_merged: bool) {
        let (hits, pairs) = if is_same {
            (&mut self.found, &mut self.same)
        } else {
            (&mut self.merged, &mut self.different)
        };
        *hits += usize::from(is_merged);
        *pairs += 1;
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, same, merged, different } = self;
        write!(f, "found {found} of {same}, merged {merged} of {different}")
    }
}

impl Rates {
    fn of(splits: &[&str]) -> Self {
        let mut rates = Self::default();
        for line in PAIRS.lines() {
            let pair: Value = serde_json::from_str(line).unwrap();
            if !splits.contains(&pair["split"].as_str().unwrap()) {
                continue;
            }
            let (a, b) = (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
            let (is_same, is_merged) = (pair["same"] == true, say_the_same(a, b));
            let kind = pair["why"].as_str().unwrap().split(':').next().unwrap();
            rates.kinds.entry(kind.to_owned()).or_default().count(is_same, is_merged);
            let is_paraphrase = pair["paraphrase"] == true;
            let total = if is_paraphrase { &mut rates.paraphrases } else { &mut rates.total };
            total.count(is_same, is_merged);
            rates.wrong.extend((is_same != is_merged).then(|| format!("{a} / {b}")));
        }
        rates
    }

    /// Asserts that the rates are good enough. Paraphrases count like other pairs with the same
    /// meaning.
    #[expect(clippy::print_stdout, reason = "the rates are the result")]
    fn hold(&self, split: &str, found_per_cent: usize, merged_per_thousand: usize) {
        for (kind, rate) in &self.kinds {
            println!("{split}: {kind}: {rate}");
        }
        let Self { total, paraphrases, .. } = self;
        println!("{split}: without paraphrases: {total}; paraphrases: {paraphrases}");
        let (found, same) = (total.found + paraphrases.found, total.same + paraphrases.same);
        assert!(100 * found >= found_per_cent * same, "found {found} of {same}");
        assert!(1000 * total.merged <= merged_per_thousand * total.different, "merged too many");
    }
}

#[test]
fn pairs_are_judged_as_people_do() {
    let tune = Rates::of(&["tune"]);
    println!("judged wrongly: {:#?}", tune.wrong);
    tune.hold("tune", 94, 0);
}

/// These pairs were measured repeatedly, but the code was not changed after reading them.
#[test]
fn pairs_that_were_not_read_are_judged_nearly_as_well() {
    Rates::of(&["check"]).hold("check", 83, 24);
}

/// Checks the required rates for all pairs.
#[test]
fn nine_of_ten_pairs_that_say_the_same_are_found_and_hardly_any_other() {
    Rates::of(&["tune", "check"]).hold("all", 90, 20);
}

/// Compares every summary of the tuning data with the summaries of other pairs. All reported
/// duplicates were read: most are two summaries of one learning that several pairs are about. 30 of
/// a million comparisons are wrong.
#[test]
fn summaries_of_different_pairs_are_hardly_ever_taken_for_each_other() {
    let pairs = FITTING.lines().chain(PAIRS.lines());
    let pairs = pairs.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (mut summaries, mut judged) = (BTreeSet::new(), BTreeSet::new());
    for pair in pairs.filter(|pair| pair["split"] != "check") {
        let [a, b] = [&pair["a"], &pair["b"]].map(|text| text.as_str().unwrap().to_owned());
        judged.extend([(a.clone(), b.clone()), (b.clone(), a.clone())]);
        summaries.extend([a, b]);
    }
    let summaries: Vec<_> = summaries.iter().map(String::as_str).collect();
    let mut offered = NearDuplicates::of(&summaries);
    let mut merged = Vec::new();
    for (number, one) in summaries.iter().enumerate() {
        let others = offered.like(one).into_iter().filter(|other| *other > number);
        merged.extend(others.map(|other| (one, summaries[other])));
    }
    merged.retain(|(one, other)| !judged.contains(&((**one).to_owned(), (*other).to_owned())));
    let compared = summaries.len() * (summaries.len() - 1) / 2;
    println!("{} of {compared} merged: {merged:#?}", merged.len());
    assert!(merged.len() <= 95, "read the new ones");
}
