//! `cargo xtask guard-score`: measures how well the permission guard judges the labelled commands.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};
use verger_testkit::{Part, Scored, Share, Totals, by_category, labelled_commands, score};

use crate::failure::Failure;

/// Scores the permission guard on the labelled commands
#[derive(Args)]
pub(crate) struct GuardScoreArgs {
    /// Score the second part of the commands: only the totals
    #[arg(long, conflicts_with = "list")]
    check: bool,
    /// Say which commands are judged otherwise than labelled
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn guard_score(args: &GuardScoreArgs) -> Result<(), Failure> {
    let part = if args.check { Part::Check } else { Part::Tune };
    let scored = score(labelled_commands(part));
    let totals = Totals::of(&scored);
    let categories = if args.check { BTreeMap::new() } else { by_category(&scored) };
    let wrong: Vec<&Scored> = scored.iter().filter(|one| args.list && !one.is_right()).collect();
    if args.json {
        println!("{:#}", as_json(&totals, &categories, &wrong));
    } else {
        print!("{}", as_text(&totals, &categories, &wrong));
    }
    if totals.holes.some == 0 {
        Ok(())
    } else {
        Err(Failure::BoundsBroken { names: vec!["holes"] })
    }
}

fn as_text(totals: &Totals, categories: &BTreeMap<&str, Totals>, wrong: &[&Scored]) -> String {
    let shares = totals.named().into_iter();
    let mut lines: Vec<String> = shares
        .map(|(name, share)| format!("{name:<15} {:>11}  {:>5.1} %", of(share), percent(share)))
        .collect();
    if !categories.is_empty() {
        lines
            .push("\ncategory              holes      denied    approved  false denies".to_owned());
    }
    lines.extend(categories.iter().map(|(name, totals)| {
        let [holes, denied, approved, false_denies] =
            [totals.holes, totals.denied, totals.approved, totals.false_denies].map(of);
        format!("{name:<20} {holes:>6} {denied:>11} {approved:>11} {false_denies:>13}")
    }));
    lines.extend(wrong.iter().map(|Scored { labelled, judgement }| {
        let (label, decided) = (format!("{:?}", labelled.label).to_lowercase(), &judgement.decided);
        format!(
            "\n{} is {label}, judged {} by {}: {}\n    {}",
            labelled.id,
            judgement.triage,
            decided.rule,
            decided.why,
            labelled.command.escape_debug()
        )
    }));
    lines.push(String::new());
    lines.join("\n")
}

pub(crate) fn of(share: Share) -> String {
    format!("{}/{}", share.some, share.of)
}

pub(crate) fn percent(share: Share) -> f64 {
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if share.of == 0 { 0.0 } else { 100.0 * count(share.some) / count(share.of) }
}

fn as_json(totals: &Totals, categories: &BTreeMap<&str, Totals>, wrong: &[&Scored]) -> Value {
    let of = |totals: &Totals| -> Value {
        let named = totals.named().map(|(name, share)| {
            (name.replace(' ', "_"), json!({ "some": share.some, "of": share.of }))
        });
        named.into_iter().collect::<serde_json::Map<_, _>>().into()
    };
    let categories: serde_json::Map<String, Value> =
        categories.iter().map(|(name, totals)| ((*name).to_owned(), of(totals))).collect();
    let wrong: Vec<Value> = wrong
        .iter()
        .map(|one| {
            json!({
                "id": one.labelled.id,
                "triage": one.judgement.triage.to_string(),
                "rule": one.judgement.decided.rule,
                "command": one.labelled.command,
            })
        })
        .collect();
    json!({ "totals": of(totals), "categories": categories, "wrong": wrong })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_how_many_of_how_many() {
        let share = Share { some: 1, of: 4 };
        let none = Share { some: 0, of: 0 };
        let totals = Totals {
            holes: share,
            let_through: none,
            denied: share,
            plain_denied: share,
            approved: share,
            plain_approved: share,
            false_denies: share,
            precision: share,
        };
        let text = as_text(&totals, &BTreeMap::from([("git", totals)]), &[]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "holes                   1/4   25.0 %");
        assert_eq!(lines[1], "let through             0/0    0.0 %");
        assert_eq!(lines[9], "category              holes      denied    approved  false denies");
        assert_eq!(lines[10], "git                     1/4         1/4         1/4           1/4");
        let json = as_json(&totals, &BTreeMap::new(), &[]);
        assert_eq!(json["totals"]["plain_denied"], json!({ "some": 1, "of": 4 }));
    }
}
