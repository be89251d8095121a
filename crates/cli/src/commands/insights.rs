//! `verger insights`: what the statistics of learnings suggest to do.

use clap::Args;
use serde_json::{Value, json};
use verger_engine::decay_policy;
use verger_memory::LearningId;
use verger_memory::insights::{Facts, Insight, RULES, Rule, insights as found};
use verger_memory::stats::{Account, Overview};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::known::KnownLearnings;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// The most learnings that a line names.
const MAX_NAMED: usize = 5;

/// Say what the statistics of learnings suggest to do, what matters most first.
#[derive(Debug, Args)]
pub(crate) struct InsightsArgs {
    /// List what is looked for, and from where on it is told.
    #[arg(long)]
    rules: bool,
}

pub(crate) fn insights(
    ui: &mut Ui,
    context: &Context,
    args: &InsightsArgs,
) -> Result<(), CommandError> {
    let project_learnings = ProjectLearnings::here(ui, context)?;
    if args.rules {
        return rules(ui);
    }
    let known_learnings = KnownLearnings::read(&project_learnings.project);
    let accounts: Vec<Account> =
        known_learnings.held.iter().map(|held| held.account.clone()).collect();
    let now = context.clock.now();
    let settings = &project_learnings.loaded.settings;
    let overview = Overview::of(&accounts, &known_learnings.lines, now);
    let found = found(&Facts {
        accounts: &accounts,
        lines: &known_learnings.lines,
        overview: &overview,
        decay: decay_policy(settings),
        auto_skip_lines: settings.learning.auto_skip_lines.value,
        now,
    });
    if ui.output() == Output::Json {
        let found: Vec<_> = found.iter().map(insight_json).collect();
        return Ok(ui.json(&json!({ "insights": found, "problems": known_learnings.problems() }))?);
    }
    known_learnings.warn(ui);
    if found.is_empty() {
        ui.line("nothing stands out")?;
        return Ok(ui.note("verger insights --rules lists what is looked for")?);
    }
    let mut table = Table::default();
    for insight in &found {
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

fn insight_json(insight: &Insight) -> Value {
    json!({
        "rule": insight.rule,
        "priority": insight.priority,
        "says": insight.says,
        "advice": insight.advice,
        "learnings": insight.learnings.iter().map(LearningId::as_str).collect::<Vec<_>>(),
    })
}

fn rules(ui: &mut Ui) -> Result<(), CommandError> {
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
