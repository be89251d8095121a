//! The rules against their own examples.

use super::judge::{Rules, fits, judge};
use super::paths::Ground;
use super::rule::Ruling;
use super::tables::built_in;

const HOME: &str = "/home/dev";
const ROOT: &str = "/home/dev/app";

pub(super) const GROUND: Ground<'static> =
    Ground { cwd: Some(ROOT), home: Some(HOME), root: Some(ROOT), own: &[] };

/// Whether the rule is among those that speak for some command of the line.
fn speaks(rule: &super::Rule<'_>, line: &str) -> bool {
    let script = verger_shell::read(line);
    if matches!(rule.ruling, Ruling::Allow | Ruling::Build) {
        let judgement = judge(&script, &GROUND, &Rules::default());
        return judgement.triage == rule.ruling.triage()
            && judgement.findings.iter().any(|finding| finding.rule == rule.name);
    }
    script.commands.iter().any(|command| fits(rule, command, &GROUND))
}

#[test]
fn every_built_in_rule_fits_its_examples_and_nothing_else() {
    let mut wrong = Vec::new();
    for rule in built_in() {
        assert!(
            !rule.matches.is_empty() && !rule.not_matches.is_empty(),
            "{} has no examples",
            rule.name
        );
        for line in rule.matches.iter().filter(|line| !speaks(&rule, line)) {
            wrong.push(format!("{}: does not fit {line}", rule.name));
        }
        for line in rule.not_matches.iter().filter(|line| speaks(&rule, line)) {
            wrong.push(format!("{}: fits {line}", rule.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
