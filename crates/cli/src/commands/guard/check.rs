//! `verger guard rules --check`: checks the rules with their own examples.

use serde_json::json;

use crate::guard::local::{Assumed, LocalGuard};
use crate::guard::rule_check::{Wrong, wrong_rules};
use crate::guard::rule_text::WrittenRule;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, count};

/// Runs the examples of all rules, and reports the rules that fail one of their examples.
pub(super) fn check(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let local_guard = LocalGuard::here(context, Assumed::Trusted)?;
    let rules = local_guard.rules();
    report(ui, &rules, &wrong_rules(&local_guard, &rules))
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
            0 => format!("{rules} with {examples}: all pass"),
            some => format!("{rules} with {examples}: {}", count(some, "problem")),
        })?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(CommandError::Found) }
}
