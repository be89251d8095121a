//! `verger learn`: the learnings of this project and the person's own.

mod archive;
mod insights;
mod list;
mod search;
mod show;
mod stats;
mod unused;

use clap::Subcommand;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::Ui;

/// Find, read, archive and measure what agents learned.
#[derive(Debug, Subcommand)]
pub(crate) enum LearnCommand {
    List(list::ListArgs),
    Search(search::SearchArgs),
    Show(show::ShowArgs),
    Archive(archive::ArchiveArgs),
    Restore(archive::RestoreArgs),
    Stats(stats::StatsArgs),
}

pub(crate) fn learn(
    ui: &mut Ui,
    context: &Context,
    command: &LearnCommand,
) -> Result<(), CommandError> {
    match command {
        LearnCommand::List(args) => list::list(ui, context, args),
        LearnCommand::Search(args) => search::search(ui, context, args),
        LearnCommand::Show(args) => show::show(ui, context, args),
        LearnCommand::Archive(args) => archive::archive(ui, context, args),
        LearnCommand::Restore(args) => archive::restore(ui, context, args),
        LearnCommand::Stats(args) => stats::stats(ui, context, args),
    }
}
