//! The commands, one file each.

mod hook;
mod log;
mod rebuild;
mod sessions;
mod trace;

use clap::{Parser, Subcommand};

use crate::command_error::CommandError;
use crate::ui::{Output, Ui};

/// Keeps coding agents honest, on course, safe, learning and in step.
///
/// Exit codes: 0 done, 1 something wrong was found, 2 the arguments do not fit, 3 verger's files or
/// the system failed.
#[derive(Debug, Parser)]
#[command(name = "verger", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Print JSON for programs.
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Hook(hook::HookArgs),
    #[command(subcommand)]
    Log(log::LogCommand),
    Rebuild(rebuild::RebuildArgs),
    Sessions(sessions::SessionsArgs),
    Trace(trace::TraceArgs),
}

impl Arguments {
    pub(crate) fn output(&self) -> Output {
        if self.json { Output::Json } else { Output::Text }
    }
}

pub(crate) fn run(arguments: Arguments, ui: &mut Ui) -> Result<(), CommandError> {
    match arguments.command {
        Command::Hook(args) => {
            hook::hook(args);
            Ok(())
        }
        Command::Log(command) => log::log(ui, command),
        Command::Rebuild(args) => rebuild::rebuild(ui, &args),
        Command::Sessions(args) => sessions::sessions(ui, &args),
        Command::Trace(args) => trace::trace(ui, &args),
    }
}
