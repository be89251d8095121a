//! Checks a rule against its own examples.

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

/// An example that the rule fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailedExample<'a> {
    /// A line of `match` that the rule doesn't match.
    DoesNotFit(&'a str),
    /// A line of `not_match` that the rule matches.
    Fits(&'a str),
}

/// The examples that the rule fails together with `rules` and the built-in ones.
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

/// Whether the rule matches some command of the line. A rule that approves must match the whole
/// line.
fn speaks(rule: &Rule<'_>, rules: &Rules<'_>, line: &str) -> bool {
    let script = verger_shell::read(line);
    if !rule.ruling.approves() {
        return (0..script.commands.len()).any(|index| fits(rule, &script, index, &GROUND));
    }
    let judgement = judge(&script, &GROUND, rules);
    judgement.triage == Triage::Allow
        && judgement.findings.iter().any(|finding| finding.rule == rule.name)
}
