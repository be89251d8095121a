//! `verger review`: reviews by the program that the user configured.

mod begin;
mod brief;
mod report;
mod run;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// Have a session's work reviewed by the program you set.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    Run(run::RunArgs),
}

pub(crate) fn review(
    ui: &mut Ui,
    context: &Context,
    command: &ReviewCommand,
) -> Result<(), CommandError> {
    match command {
        ReviewCommand::Run(args) => run::run(ui, context, args),
    }
}
