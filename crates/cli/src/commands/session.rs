//! `verger session`: shows recorded sessions.

mod handoff;
mod list;
mod show;
mod trace;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// List recorded sessions and look into one.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Trace(trace::TraceArgs),
    Handoff(handoff::HandoffArgs),
}

pub(crate) fn session(
    ui: &mut Ui,
    context: &Context,
    command: &SessionCommand,
) -> Result<(), CommandError> {
    match command {
        SessionCommand::List(args) => list::list(ui, context, args),
        SessionCommand::Show(args) => show::show(ui, context, args),
        SessionCommand::Trace(args) => trace::trace(ui, context, args),
        SessionCommand::Handoff(args) => handoff::handoff(ui, context, args),
    }
}
