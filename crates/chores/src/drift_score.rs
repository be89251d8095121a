//! `cargo xtask drift-score`: how courses and tasks are judged on the labelled traces and sessions.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{
    DriftTotals, Part, ScoredPrompt, ScoredTrace, Share, score_prompts, score_traces,
};

use crate::failure::Failure;
use crate::guard_score::{of, percent};

/// Scores the assessment of courses on the labelled traces, and tasks on the labelled sessions
#[derive(Args)]
pub(crate) struct DriftScoreArgs {
    /// The examples that are kept away from whoever writes rules: only the totals
    #[arg(long, conflicts_with = "list")]
    held_out: bool,
    /// Say which examples are taken otherwise than labelled
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Percent.
const LEAST_RECALL: usize = 80;
const MOST_FALSE_CORRECTIONS: usize = 5;
const LEAST_TASKS: usize = 90;

/// What is counted over all examples.
#[derive(Clone, Copy)]
struct Counted {
    drift: DriftTotals,
    /// Prompts of which is found what they do to the tasks.
    tasks: Share,
}

/// The same of some of them.
#[derive(Default)]
struct Parts<'a> {
    /// Those that were written together.
    batches: BTreeMap<&'a str, Counted>,
    /// So many traces of each kind are right.
    kinds: BTreeMap<&'a str, Share>,
}

/// What is taken otherwise than labelled.
#[derive(Default)]
struct Wrong<'a> {
    traces: Vec<&'a ScoredTrace>,
    prompts: Vec<&'a ScoredPrompt>,
}

pub(crate) fn drift_score(args: &DriftScoreArgs) -> Result<(), Failure> {
    let part = if args.held_out { Part::HeldOut } else { Part::Tune };
    let (traces, prompts) = (score_traces(part), score_prompts(part));
    let counted = Counted { drift: DriftTotals::of(&traces), tasks: ScoredPrompt::share(&prompts) };
    let kinds = if args.held_out { BTreeMap::new() } else { by_kind(&traces) };
    let parts = Parts { batches: by_batch(&traces, &prompts), kinds };
    let wrong = if args.list {
        Wrong {
            traces: traces.iter().filter(|one| !one.is_right()).collect(),
            prompts: prompts.iter().filter(|one| !one.is_right()).collect(),
        }
    } else {
        Wrong::default()
    };
    if args.json {
        println!("{:#}", as_json(counted, &parts, &wrong));
    } else {
        print!("{}", as_text(counted, &parts, &wrong));
    }
    let Counted { drift: DriftTotals { recall, false_corrections }, tasks } = counted;
    let broken = [
        ("recall", recall.some * 100 < recall.of * LEAST_RECALL),
        (
            "false corrections",
            false_corrections.some * 100 > false_corrections.of * MOST_FALSE_CORRECTIONS,
        ),
        ("tasks", tasks.some * 100 < tasks.of * LEAST_TASKS),
    ];
    let names: Vec<_> = broken.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    if names.is_empty() { Ok(()) } else { Err(Failure::BoundsBroken { names }) }
}

fn by_batch<'a>(
    traces: &'a [ScoredTrace],
    prompts: &'a [ScoredPrompt],
) -> BTreeMap<&'a str, Counted> {
    let named =
        traces.iter().map(ScoredTrace::batch).chain(prompts.iter().map(ScoredPrompt::batch));
    named
        .map(|batch| {
            let traces = traces.iter().filter(|one| one.batch() == batch);
            let prompts = prompts.iter().filter(|one| one.batch() == batch);
            let tasks = ScoredPrompt::share(prompts);
            (batch, Counted { drift: DriftTotals::of(traces), tasks })
        })
        .collect()
}

fn by_kind(scored: &[ScoredTrace]) -> BTreeMap<&str, Share> {
    let mut kinds: BTreeMap<&str, Share> = BTreeMap::new();
    for one in scored {
        let share = kinds.entry(&one.trace.kind).or_insert(Share { some: 0, of: 0 });
        share.some += usize::from(one.is_right());
        share.of += 1;
    }
    kinds
}

fn as_text(counted: Counted, parts: &Parts<'_>, wrong: &Wrong<'_>) -> String {
    let line = |name: &str, share: Share| {
        format!("{name:<18} {:>9}  {:>5.1} %\n", of(share), percent(share))
    };
    let lines = |counted: &Counted| {
        let Counted { drift: DriftTotals { recall, false_corrections }, tasks } = *counted;
        [("recall", recall), ("false corrections", false_corrections), ("tasks", tasks)]
            .map(|(name, share)| line(name, share))
            .concat()
    };
    let mut text = lines(&counted);
    let batch = |(name, counted)| format!("\nbatch {name}\n{}", lines(counted));
    text.extend(parts.batches.iter().map(batch));
    if !parts.kinds.is_empty() {
        text += "\nright, by kind\n";
    }
    text.extend(parts.kinds.iter().map(|(name, share)| line(name, *share)));
    text.extend(wrong.traces.iter().map(|one| told(one)));
    text.extend(wrong.prompts.iter().map(|one| {
        let ScoredPrompt { session, prompt, labelled, found } = one;
        format!("\n{session} {labelled:?}, taken for {found:?}: {prompt}\n")
    }));
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

fn as_json(counted: Counted, parts: &Parts<'_>, wrong: &Wrong<'_>) -> Value {
    let share = |share: Share| json!({ "some": share.some, "of": share.of });
    let totals = |counted: &Counted| {
        json!({
            "recall": share(counted.drift.recall),
            "false_corrections": share(counted.drift.false_corrections),
            "tasks": share(counted.tasks),
        })
    };
    let batches: serde_json::Map<String, Value> =
        parts.batches.iter().map(|(name, of)| ((*name).to_owned(), totals(of))).collect();
    let kinds: serde_json::Map<String, Value> =
        parts.kinds.iter().map(|(name, of)| ((*name).to_owned(), share(*of))).collect();
    let traces = wrong.traces.iter().map(|one| &one.trace.id);
    let sessions = wrong.prompts.iter().map(|one| &one.session);
    let wrong: Vec<_> = traces.chain(sessions).collect();
    json!({
        "totals": totals(&counted),
        "batches": batches,
        "kinds": kinds,
        "wrong": wrong,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_say_how_many_of_how_many() {
        let drift = DriftTotals {
            recall: Share { some: 9, of: 10 },
            false_corrections: Share { some: 1, of: 40 },
        };
        let counted = Counted { drift, tasks: Share { some: 19, of: 20 } };
        let parts = Parts {
            batches: BTreeMap::from([("n", counted)]),
            kinds: BTreeMap::from([("circles", Share { some: 3, of: 4 })]),
        };
        let expected = "recall                  9/10   90.0 %\n\
                        false corrections       1/40    2.5 %\n\
                        tasks                  19/20   95.0 %\n\
                        \n\
                        batch n\n\
                        recall                  9/10   90.0 %\n\
                        false corrections       1/40    2.5 %\n\
                        tasks                  19/20   95.0 %\n\
                        \n\
                        right, by kind\n\
                        circles                  3/4   75.0 %\n";
        assert_eq!(as_text(counted, &parts, &Wrong::default()), expected);
        let totals = json!({
            "recall": { "some": 9, "of": 10 },
            "false_corrections": { "some": 1, "of": 40 },
            "tasks": { "some": 19, "of": 20 },
        });
        let expected = json!({
            "totals": totals,
            "batches": { "n": totals },
            "kinds": { "circles": { "some": 3, "of": 4 } },
            "wrong": [],
        });
        assert_eq!(as_json(counted, &parts, &Wrong::default()), expected);
    }
}
