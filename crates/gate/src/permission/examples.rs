//! Checks a guard rule with the rule's own examples.

use super::judge::{Rules, fits, judge};
use super::judgement::Triage;
use super::paths::Ground;
use super::rule::Rule;

/// The directories of the examples: a project in a home directory.
pub(super) const GROUND: Ground<'static> = Ground {
    cwd: Some("/home/dev/app"),
    home: Some("/home/dev"),
    root: Some("/home/dev/app"),
    own: &[],
    links: &[],
};

/// An example in a rule for which the rule gives the wrong result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailedExample<'a> {
    /// A command line of the rule's `match` list that the rule doesn't match.
    DoesNotFit(&'a str),
    /// A command line of the rule's `not_match` list that the rule matches.
    Fits(&'a str),
}

/// The examples of `rule` that have a wrong result, when the rule is used together with `rules` and
/// the built-in rules.
pub fn failed_examples<'a>(
    rule: &Rule<'_>,
    rules: &Rules<'_>,
    matches: impl IntoIterator<Item = &'a str>,
    not_matches: impl IntoIterator<Item = &'a str>,
) -> Vec<FailedExample<'a>> {
    let missed = matches.into_iter().filter(|line| !speaks(rule, rules, line));
    let mut failed: Vec<_> = missed.map(FailedExample::DoesNotFit).collect();
    let fitted = not_matches.into_iter().filter(|line| speaks(rule, rules, line));
    failed.extend(fitted.map(FailedExample::Fits));
    failed
}

/// Whether the rule matches some command of the command line. An approving rule must lead to an
/// approval of the whole command line.
fn speaks(rule: &Rule<'_>, rules: &Rules<'_>, line: &str) -> bool {
    let script = verger_shell::read(line);
    if !rule.ruling.approves() {
        return (0..script.commands.len()).any(|index| fits(rule, &script, index, &GROUND));
    }
    let judgement = judge(&script, &GROUND, rules);
    judgement.triage == Triage::Allow
        && judgement.findings.iter().any(|finding| finding.rule == rule.name)
}
