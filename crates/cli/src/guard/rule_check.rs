//! Finds problems in the guard's rules: in their texts, their examples, and between them.

use std::collections::HashMap;

use serde_json::{Value, json};
use verger_config::Problem;
use verger_gate::permission::{FailedExample, Rules, Ruling, failed_examples};

use crate::guard::local::LocalGuard;
use crate::guard::rule_text::{From, WrittenRule};

/// A problem with the rules.
pub(crate) enum Wrong<'a> {
    Unread(&'a Problem),
    Fails { rule: &'a WrittenRule<'a>, example: FailedExample<'a> },
    Contradiction { rule: &'a WrittenRule<'a>, line: &'a str, other: &'a str },
    NothingToLift { name: &'a str },
}

/// All problems of the given rules, and of the rules from files.
pub(crate) fn wrong_rules<'a>(
    local_guard: &'a LocalGuard,
    rules: &'a [WrittenRule<'a>],
) -> Vec<Wrong<'a>> {
    let mut wrong: Vec<_> = local_guard.loaded().problems.iter().map(Wrong::Unread).collect();
    wrong.extend(rules.iter().flat_map(|rule| failures(local_guard, rule)));
    wrong.extend(contradictions(rules));
    let is_floor = |name: &str| {
        let mut floor =
            verger_gate::permission::built_in().filter(|rule| rule.ruling == Ruling::Floor);
        floor.any(|rule| rule.name == name)
    };
    let lifted = local_guard.lifted().iter().map(String::as_str);
    wrong.extend(lifted.filter(|name| !is_floor(name)).map(|name| Wrong::NothingToLift { name }));
    wrong
}

fn failures<'a>(local_guard: &LocalGuard, rule: &'a WrittenRule<'a>) -> Vec<Wrong<'a>> {
    let user = match rule.from {
        From::BuiltIn => &[][..],
        From::User | From::Project => std::slice::from_ref(&rule.rule),
    };
    let beside = Rules { user, project: &[], lifted: local_guard.lifted() };
    let (matches, not_matches) = (rule.matches.iter().copied(), rule.not_matches.iter().copied());
    let failed = failed_examples(&rule.rule, &beside, matches, not_matches);
    failed.into_iter().map(|example| Wrong::Fails { rule, example }).collect()
}

/// Contradictions between rules from files: one approves a command, and another warns about it.
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
    pub(crate) fn text(&self) -> String {
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
                format!(
                    "rule {name} approves a command that rule {other} rejects, and {other} takes precedence: {line}"
                )
            }
            Self::NothingToLift { name } => {
                format!("guard.allow_dangerous names {name:?}, but no floor rule has this name")
            }
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let (code, rule) = match self {
            Self::Unread(problem) => (problem.code(), None),
            Self::Fails { rule, .. } => ("failed-example", Some(rule.rule.name)),
            Self::Contradiction { rule, .. } => ("contradiction", Some(rule.rule.name)),
            Self::NothingToLift { name } => ("nothing-to-lift", Some(*name)),
        };
        json!({ "code": code, "rule": rule, "message": self.text() })
    }
}
