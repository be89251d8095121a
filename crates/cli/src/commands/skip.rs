//! `verger skip`: an agent declares that it has no learning to write down.

use clap::{Args, ValueEnum};

use super::release::{self, Opening};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// Say that the work taught nothing new.
///
/// The agent may then stop. With `learning.auto_skip_decider` = "never", only people can run this.
/// The release and its reason are kept in the log.
#[derive(Debug, Args)]
pub(crate) struct SkipArgs {
    /// The gate.
    #[arg(long)]
    gate: Gate,

    /// The session's id or its beginning; default: the only live session of this project.
    #[arg(long)]
    session: Option<String>,

    /// The reason, kept in the log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// A gate that an agent may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Gate {
    /// The agent need not write down what it learned.
    Learning,
}

pub(crate) fn skip(ui: &mut Ui, context: &Context, args: &SkipArgs) -> Result<(), CommandError> {
    let SkipArgs { gate: Gate::Learning, session, reason } = args;
    let opening = Opening {
        gate: release::Gate::Learning,
        session: session.as_deref(),
        reason: reason.as_deref(),
        command: "skip --gate learning",
    };
    release::open(ui, context, &opening)
}
