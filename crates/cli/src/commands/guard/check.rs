//! `verger guard check`: the rules against their own examples.

use std::collections::HashMap;

use clap::Args;
use serde_json::{Value, json};
use verger_config::Problem;
use verger_gate::permission::{FailedExample, Rules, Ruling, failed_examples};

use crate::command_error::CommandError;
use crate::context::Context;
use crate::guard_desk::{Assumed, GuardDesk};
use crate::ui::{Output, Ui, count};
use crate::written_rule::{From, WrittenRule};

/// Run the examples of all rules, and name the rules that do not do what they say.
///
/// Also named: rules in your guard.toml or the project's that do not count, rules that contradict
/// each other (the one that warns counts), and names in `guard.allow_dangerous` that no rule of the
/// floor has. The exit code is 1 when something is wrong.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {}

/// Something that is wrong with the rules.
enum Wrong<'a> {
    Unread(&'a Problem),
    Fails { rule: &'a WrittenRule<'a>, example: FailedExample<'a> },
    Contradiction { rule: &'a WrittenRule<'a>, line: &'a str, other: &'a str },
    NothingToLift { name: &'a str },
}

pub(super) fn check(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let desk = GuardDesk::here(context, Assumed::Trusted)?;
    let rules = desk.rules();
    let mut wrong: Vec<_> = desk.loaded.problems.iter().map(Wrong::Unread).collect();
    for rule in &rules {
        let beside = match rule.from {
            From::BuiltIn => Rules::default(),
            From::User | From::Project => {
                Rules { user: std::slice::from_ref(&rule.rule), ..Rules::default() }
            }
        };
        let beside = Rules { lifted: &desk.lifted, ..beside };
        let (matches, not_matches) =
            (rule.matches.iter().copied(), rule.not_matches.iter().copied());
        let failed = failed_examples(&rule.rule, &beside, matches, not_matches);
        wrong.extend(failed.into_iter().map(|example| Wrong::Fails { rule, example }));
    }
    wrong.extend(contradictions(&rules));
    let is_floor = |name: &str| {
        rules.iter().any(|rule| rule.rule.ruling == Ruling::Floor && rule.rule.name == name)
    };
    let lifted = desk.lifted.iter().map(String::as_str);
    wrong.extend(lifted.filter(|name| !is_floor(name)).map(|name| Wrong::NothingToLift { name }));
    report(ui, &rules, &wrong)
}

/// Where a rule of a file that approves is against another that warns.
fn contradictions<'a>(rules: &'a [WrittenRule<'a>]) -> Vec<Wrong<'a>> {
    let of_files = || rules.iter().filter(|rule| rule.from != From::BuiltIn);
    let mut warning: HashMap<&str, Vec<&WrittenRule<'_>>> = HashMap::new();
    for rule in of_files().filter(|rule| !rule.rule.ruling.approves()) {
        for program in programs(rule) {
            warning.entry(program).or_default().push(rule);
        }
    }
    let approving = of_files().filter(|rule| rule.rule.ruling.approves());
    let mut found = Vec::new();
    for rule in approving {
        let against: Vec<_> =
            programs(rule).filter_map(|program| warning.get(program)).flatten().collect();
        for &line in &rule.matches {
            let fits = |other: &&&&WrittenRule<'_>| {
                failed_examples(&other.rule, &Rules::default(), [line], []).is_empty()
            };
            let other = against.iter().find(fits).map(|other| other.rule.name);
            found.extend(other.map(|other| Wrong::Contradiction { rule, line, other }));
        }
    }
    found
}

fn programs<'a>(rule: &WrittenRule<'a>) -> impl Iterator<Item = &'a str> {
    rule.rule.command.split_whitespace().next().unwrap_or_default().split('|')
}

impl Wrong<'_> {
    fn text(&self) -> String {
        match self {
            Self::Unread(problem) => problem.to_string(),
            Self::Fails { rule, example } => {
                let (line, says) = match example {
                    FailedExample::DoesNotFit(line) => (line, "does not fit its example"),
                    FailedExample::Fits(line) => (line, "fits its counterexample"),
                };
                format!("rule {} ({}) {says}: {line}", rule.rule.name, rule.from.word())
            }
            Self::Contradiction { rule, line, other } => {
                let name = rule.rule.name;
                format!("rule {name} approves what rule {other} is against, which counts: {line}")
            }
            Self::NothingToLift { name } => {
                format!(
                    "guard.allow_dangerous names {name:?}, and no rule of the floor is called so"
                )
            }
        }
    }

    fn to_json(&self) -> Value {
        let (code, rule) = match self {
            Self::Unread(problem) => (problem.code(), None),
            Self::Fails { rule, .. } => ("failed-example", Some(rule.rule.name)),
            Self::Contradiction { rule, .. } => ("contradiction", Some(rule.rule.name)),
            Self::NothingToLift { name } => ("nothing-to-lift", Some(*name)),
        };
        json!({ "code": code, "rule": rule, "message": self.text() })
    }
}

fn report(ui: &mut Ui, rules: &[WrittenRule<'_>], wrong: &[Wrong<'_>]) -> Result<(), CommandError> {
    let examples =
        rules.iter().map(|rule| rule.matches.len() + rule.not_matches.len()).sum::<usize>();
    if ui.output() == Output::Json {
        let problems: Vec<_> = wrong.iter().map(Wrong::to_json).collect();
        ui.json(&json!({ "rules": rules.len(), "examples": examples, "problems": problems }))?;
    } else {
        for wrong in wrong {
            ui.line(wrong.text())?;
        }
        let (rules, examples) = (count(rules.len(), "rule"), count(examples, "example"));
        ui.note(match wrong.len() {
            0 => format!("{rules} with {examples}: all do what they say"),
            some => format!("{rules} with {examples}: {}", count(some, "problem")),
        })?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(CommandError::Found) }
}
