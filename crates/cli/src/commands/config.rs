//! `verger config`: settings, where they come from, and changing them.

mod set;
mod show;

pub(super) use set::set_for_user;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// Show settings and where they come from, and change them.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    Show(show::ShowArgs),
    Set(set::SetArgs),
    Unset(set::UnsetArgs),
}

impl ConfigCommand {
    /// Checks the arguments, before the check of who may run the command.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        match self {
            Self::Show(_) => Ok(()),
            Self::Set(args) => args.check(),
            Self::Unset(args) => args.check(),
        }
    }
}

pub(crate) fn config(
    ui: &mut Ui,
    context: &Context,
    command: &ConfigCommand,
) -> Result<(), CommandError> {
    match command {
        ConfigCommand::Show(args) => show::show(ui, context, args),
        ConfigCommand::Set(args) => set::set(ui, context, args),
        ConfigCommand::Unset(args) => set::unset(ui, context, args),
    }
}
