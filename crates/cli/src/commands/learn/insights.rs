//! Insights of `verger learn stats`: suggested actions, derived from the statistics of learnings.

use serde_json::{Value, json};
use verger_engine::decay_policy;
use verger_event::Timestamp;
use verger_memory::LearningId;
use verger_memory::insights::{Facts, Insight, RULES, Rule, insights};
use verger_memory::stats::{Account, Overview};

use crate::invocation::command_error::CommandError;
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// The maximum number of learnings that a line names.
const MAX_NAMED: usize = 5;

/// The suggestions that follow from the statistics, most important first.
pub(super) fn find(
    project_learnings: &ProjectLearnings,
    known: &KnownLearnings,
    now: Timestamp,
) -> Vec<Insight> {
    let accounts: Vec<Account> = known.held.iter().map(|held| held.account.clone()).collect();
    let settings = &project_learnings.loaded.settings;
    let overview = Overview::of(&accounts, &known.lines, now);
    insights(&Facts {
        accounts: &accounts,
        lines: &known.lines,
        overview: &overview,
        decay: decay_policy(settings),
        auto_skip_lines: settings.learning.auto_skip_lines.value,
        now,
    })
}

pub(super) fn print(ui: &mut Ui, found: &[Insight]) -> Result<(), CommandError> {
    if found.is_empty() {
        ui.line("nothing to report")?;
        return Ok(ui.note("verger learn stats --rules lists the rules")?);
    }
    let mut table = Table::default();
    for insight in found {
        table.row(insight.rule, &insight.says);
        table.row("  do", &insight.advice);
        if !insight.learnings.is_empty() {
            table.row("  which", named(insight));
        }
    }
    Ok(table.print(ui)?)
}

fn named(insight: &Insight) -> String {
    let ids: Vec<_> = insight.learnings.iter().take(MAX_NAMED).map(LearningId::as_str).collect();
    match insight.learnings.len().saturating_sub(MAX_NAMED) {
        0 => ids.join(", "),
        more => format!("{} and {more} more", ids.join(", ")),
    }
}

pub(super) fn to_json(insight: &Insight) -> Value {
    json!({
        "rule": insight.rule,
        "priority": insight.priority,
        "says": insight.says,
        "advice": insight.advice,
        "learnings": insight.learnings.iter().map(LearningId::as_str).collect::<Vec<_>>(),
    })
}

/// Lists the rules by which insights are found.
pub(super) fn rules(ui: &mut Ui) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let rule = |rule: &Rule| json!({ "rule": rule.name, "priority": rule.priority, "when": rule.when });
        let rules: Vec<_> = RULES.iter().map(rule).collect();
        return Ok(ui.json(&json!({ "rules": rules }))?);
    }
    let mut table = Table::default();
    for rule in RULES {
        table.row(rule.name, rule.when);
    }
    Ok(table.print(ui)?)
}
