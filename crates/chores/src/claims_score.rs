//! `cargo xtask claims-score`: measures how well the claim detector classifies the labelled example
//! messages.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{ClaimTotals, ScoredMessage, score_claims};

use crate::guard_score::{of, percent};

/// Scores the detector of claims on the labelled messages
#[derive(Args)]
pub(crate) struct ClaimsScoreArgs {
    /// Say which messages are taken otherwise than labelled
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn claims_score(args: &ClaimsScoreArgs) {
    let scored = score_claims();
    let mut groups: BTreeMap<String, Vec<&ScoredMessage>> = BTreeMap::new();
    for one in &scored {
        let (lang, kind) = (&one.labelled.lang, &one.labelled.kind);
        for group in [lang.clone(), format!("{lang} {kind}")] {
            groups.entry(group).or_default().push(one);
        }
    }
    let totals: BTreeMap<String, ClaimTotals> =
        groups.into_iter().map(|(group, of)| (group, ClaimTotals::of(of))).collect();
    let wrong: Vec<_> = scored.iter().filter(|one| args.list && !one.is_right()).collect();
    if args.json {
        println!("{:#}", as_json(&totals, &wrong));
    } else {
        print!("{}", as_text(&totals, &wrong));
    }
}

fn as_text(totals: &BTreeMap<String, ClaimTotals>, wrong: &[&ScoredMessage]) -> String {
    let total = |(group, ClaimTotals { precision, recall }): (&String, &ClaimTotals)| {
        format!(
            "{group:<14} precision {:>9}  {:>5.1} %   recall {:>9}  {:>5.1} %\n",
            of(*precision),
            percent(*precision),
            of(*recall),
            percent(*recall)
        )
    };
    let line = |ScoredMessage { labelled, claim }: &&ScoredMessage| {
        let label = if labelled.claims { "a claim" } else { "none" };
        format!(
            "\n{} is {label}: {claim:?}\n    {}\n",
            labelled.id,
            labelled.message.escape_debug()
        )
    };
    totals.iter().map(total).chain(wrong.iter().map(line)).collect()
}

fn as_json(totals: &BTreeMap<String, ClaimTotals>, wrong: &[&ScoredMessage]) -> Value {
    let share = |share: verger_testkit::Share| json!({ "some": share.some, "of": share.of });
    let totals: serde_json::Map<String, Value> = totals
        .iter()
        .map(|(group, of)| {
            let of = json!({ "precision": share(of.precision), "recall": share(of.recall) });
            (group.clone(), of)
        })
        .collect();
    let wrong: Vec<_> = wrong.iter().map(|one| &one.labelled.id).collect();
    json!({ "totals": totals, "wrong": wrong })
}

#[cfg(test)]
mod tests {
    use verger_testkit::Share;

    use super::*;

    #[test]
    fn the_lines_say_how_many_of_how_many() {
        let totals =
            ClaimTotals { precision: Share { some: 9, of: 10 }, recall: Share { some: 9, of: 12 } };
        let totals = BTreeMap::from([("all".to_owned(), totals)]);
        let line = "all            precision      9/10   90.0 %   recall      9/12   75.0 %\n";
        assert_eq!(as_text(&totals, &[]), line);
        let expected = json!({
            "totals": { "all": { "precision": { "some": 9, "of": 10 }, "recall": { "some": 9, "of": 12 } } },
            "wrong": [],
        });
        assert_eq!(as_json(&totals, &[]), expected);
    }
}
