//! `cargo xtask drift-score`: how the score of the course does on the labelled traces.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{DriftTotals, Part, ScoredTrace, Share, score_traces};

use crate::failure::Failure;
use crate::guard_score::{of, percent};

/// Scores the assessment of courses on the labelled traces
#[derive(Args)]
pub(crate) struct DriftScoreArgs {
    /// The traces that are kept away from whoever writes rules: only the totals
    #[arg(long, conflicts_with = "list")]
    held_out: bool,
    /// Say which traces are taken otherwise than labelled
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Percent.
const LEAST_RECALL: usize = 80;
const MOST_FALSE_CORRECTIONS: usize = 5;

pub(crate) fn drift_score(args: &DriftScoreArgs) -> Result<(), Failure> {
    let part = if args.held_out { Part::HeldOut } else { Part::Tune };
    let scored = score_traces(part);
    let totals = DriftTotals::of(&scored);
    let kinds = if args.held_out { BTreeMap::new() } else { by_kind(&scored) };
    let wrong: Vec<_> = scored.iter().filter(|one| args.list && !one.is_right()).collect();
    if args.json {
        println!("{:#}", as_json(totals, &kinds, &wrong));
    } else {
        print!("{}", as_text(totals, &kinds, &wrong));
    }
    let DriftTotals { recall, false_corrections } = totals;
    let broken = [
        ("recall", recall.some * 100 < recall.of * LEAST_RECALL),
        (
            "false corrections",
            false_corrections.some * 100 > false_corrections.of * MOST_FALSE_CORRECTIONS,
        ),
    ];
    let names: Vec<_> = broken.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    if names.is_empty() { Ok(()) } else { Err(Failure::BoundsBroken { names }) }
}

/// So many of each kind are right.
fn by_kind(scored: &[ScoredTrace]) -> BTreeMap<&str, Share> {
    let mut kinds: BTreeMap<&str, Share> = BTreeMap::new();
    for one in scored {
        let share = kinds.entry(&one.trace.kind).or_insert(Share { some: 0, of: 0 });
        share.some += usize::from(one.is_right());
        share.of += 1;
    }
    kinds
}

fn as_text(totals: DriftTotals, kinds: &BTreeMap<&str, Share>, wrong: &[&ScoredTrace]) -> String {
    let line = |name: &str, share: Share| {
        format!("{name:<18} {:>9}  {:>5.1} %\n", of(share), percent(share))
    };
    let mut text = line("recall", totals.recall);
    text += &line("false corrections", totals.false_corrections);
    if !kinds.is_empty() {
        text += "\nright, by kind\n";
    }
    text.extend(kinds.iter().map(|(name, share)| line(name, *share)));
    text.extend(wrong.iter().map(|one| told(one)));
    text
}

fn told(one: &ScoredTrace) -> String {
    let label = one.trace.drift.as_ref().map_or_else(
        || "stays on course".to_owned(),
        |drift| format!("drifts from {}: {}", drift.from, drift.why),
    );
    let (score, reasons) = one.worst();
    let corrected = one
        .correction()
        .map_or_else(|| "never corrected".to_owned(), |(at, _)| format!("corrected at {at}"));
    format!("\n{} {label}\n    {corrected}, {} at worst: {reasons:?}\n", one.trace.id, score.get())
}

fn as_json(totals: DriftTotals, kinds: &BTreeMap<&str, Share>, wrong: &[&ScoredTrace]) -> Value {
    let share = |share: Share| json!({ "some": share.some, "of": share.of });
    let kinds: serde_json::Map<String, Value> =
        kinds.iter().map(|(name, of)| ((*name).to_owned(), share(*of))).collect();
    let wrong: Vec<_> = wrong.iter().map(|one| &one.trace.id).collect();
    json!({
        "totals": {
            "recall": share(totals.recall),
            "false_corrections": share(totals.false_corrections),
        },
        "kinds": kinds,
        "wrong": wrong,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_say_how_many_of_how_many() {
        let totals = DriftTotals {
            recall: Share { some: 9, of: 10 },
            false_corrections: Share { some: 1, of: 40 },
        };
        let kinds = BTreeMap::from([("circles", Share { some: 3, of: 4 })]);
        let expected = "recall                  9/10   90.0 %\n\
                        false corrections       1/40    2.5 %\n\
                        \n\
                        right, by kind\n\
                        circles                  3/4   75.0 %\n";
        assert_eq!(as_text(totals, &kinds, &[]), expected);
        let expected = json!({
            "totals": {
                "recall": { "some": 9, "of": 10 },
                "false_corrections": { "some": 1, "of": 40 },
            },
            "kinds": { "circles": { "some": 3, "of": 4 } },
            "wrong": [],
        });
        assert_eq!(as_json(totals, &kinds, &[]), expected);
    }
}
