//! `verger guard rules`: the guard's rules.

use clap::Args;
use serde_json::json;
use verger_config::near;
use verger_gate::permission::Ruling;

use super::check::check;
use crate::guard::local::{Assumed, LocalGuard};
use crate::guard::rule_text::WrittenRule;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::table::Table;

/// List the guard's rules, or test them.
///
/// Lists the built-in rules, yours and the project's. No other rule overrides a rule of the floor:
/// only `guard.allow_dangerous` in your own config.toml turns one off, by its name.
///
/// With `--check`, every rule is tried on its own examples. It also lists rules that have no
/// effect, rules that contradict each other (the one that warns counts), and names in
/// `guard.allow_dangerous` that are no rule of the floor. The exit code is 1 when something is
/// wrong.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// One rule, with its examples.
    name: Option<String>,

    /// Print them in the form of your guard.toml.
    #[arg(long, conflicts_with = "json")]
    toml: bool,

    /// Run the examples of all rules, and name the rules that fail them.
    #[arg(long, conflicts_with_all = ["name", "toml"])]
    check: bool,
}

pub(super) fn rules(ui: &mut Ui, context: &Context, args: &RulesArgs) -> Result<(), CommandError> {
    if args.check {
        return check(ui, context);
    }
    let local_guard = LocalGuard::here(context, Assumed::Nothing)?;
    let mut rules = local_guard.rules();
    if let Some(name) = &args.name {
        let chosen: Vec<_> =
            local_guard.rules().into_iter().filter(|rule| rule.rule.name == name).collect();
        if chosen.is_empty() {
            return Err(unknown(name, &rules));
        }
        rules = chosen;
    }
    let problems: Vec<_> = local_guard.loaded().problems.iter().map(ToString::to_string).collect();
    if ui.output() == Output::Json {
        let rules: Vec<_> = rules.iter().map(WrittenRule::to_json).collect();
        return Ok(ui.json(&json!({ "rules": rules, "problems": problems }))?);
    }
    for problem in &problems {
        ui.warn(problem);
    }
    match (&args.name, args.toml) {
        (_, true) => {
            let texts: Vec<_> = rules.iter().map(WrittenRule::to_toml).collect();
            ui.script(&texts.join("\n"))?;
        }
        (Some(_), false) => rules.iter().try_for_each(|rule| details(rule).print(ui))?,
        (None, false) => {
            overview(&rules).print(ui)?;
            ui.note(format!(
                "{}; verger guard rules NAME shows one with its examples",
                count(rules.len(), "rule")
            ))?;
        }
    }
    Ok(())
}

fn unknown(name: &str, rules: &[WrittenRule<'_>]) -> CommandError {
    let nearest = near(name, rules.iter().map(|rule| rule.rule.name), |name| name);
    CommandError::Usage {
        message: format!("no rule is called {name:?}"),
        hint: match nearest.first() {
            Some(nearest) => format!("verger guard rules {nearest}"),
            None => "verger guard rules lists all rules".to_owned(),
        },
    }
}

fn overview(rules: &[WrittenRule<'_>]) -> Listing {
    let mut listing = Listing::default();
    for written in rules {
        let (verdict, tone) = match written.rule.ruling {
            Ruling::Floor => ("floor", Tone::Bad),
            ruling => match ruling.word() {
                "deny" => ("deny", Tone::Bad),
                "risky" => ("risky", Tone::Warn),
                word => (word, Tone::Good),
            },
        };
        let from = match written.from {
            crate::guard::rule_text::From::BuiltIn => String::new(),
            from => format!("  ({})", from.word()),
        };
        listing.row([
            Cell::toned(tone, verdict),
            Cell::toned(Tone::Strong, written.rule.name),
            Cell::text(format!("{}{from}", alternatives(written.rule.command))),
        ]);
    }
    listing
}

/// The alternatives of a pattern as words, so that the line can wrap between them.
fn alternatives(pattern: &str) -> String {
    pattern.replace('|', " or ")
}

fn details(written: &WrittenRule<'_>) -> Table {
    let mut table = Table::default();
    table.row("from", written.from.word());
    for (key, text) in written.texts() {
        table.row(key, text);
    }
    for line in &written.matches {
        table.row("match", *line);
    }
    for line in &written.not_matches {
        table.row("not_match", *line);
    }
    table
}
