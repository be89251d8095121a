//! `verger undo`: the undo points that were saved before agents' calls, and restoring them.

mod list;
mod restore;
mod show;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// Bring back files that an agent changed or deleted.
#[derive(Debug, Subcommand)]
pub(crate) enum UndoCommand {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Restore(restore::RestoreArgs),
}

pub(crate) fn undo(
    ui: &mut Ui,
    context: &Context,
    command: &UndoCommand,
) -> Result<(), CommandError> {
    match command {
        UndoCommand::List(list::ListArgs {}) => list::list(ui, context),
        UndoCommand::Show(args) => show::show(ui, context, args),
        UndoCommand::Restore(args) => restore::restore(ui, context, args),
    }
}
