//! `verger guard`: the guard's verdicts on commands, its rules and its statistics.

mod allow_once;
mod check;
mod explain;
mod rules;
mod stats;
mod suggest;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// See which commands the guard allows or denies, and why.
#[derive(Debug, Subcommand)]
pub(crate) enum GuardCommand {
    AllowOnce(allow_once::AllowOnceArgs),
    Explain(explain::ExplainArgs),
    Rules(rules::RulesArgs),
    Stats(stats::StatsArgs),
    Suggest(suggest::SuggestArgs),
}

pub(crate) fn guard(
    ui: &mut Ui,
    context: &Context,
    command: &GuardCommand,
) -> Result<(), CommandError> {
    match command {
        GuardCommand::AllowOnce(args) => allow_once::allow_once(ui, context, args),
        GuardCommand::Explain(args) => explain::explain(ui, context, args),
        GuardCommand::Rules(args) => rules::rules(ui, context, args),
        GuardCommand::Stats(args) => stats::stats(ui, context, args),
        GuardCommand::Suggest(args) => suggest::suggest(ui, context, args),
    }
}
