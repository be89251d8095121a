//! The `verger` program: one file per command.

mod command_error;
mod commands;
mod context;
mod entry_json;
mod progress;
mod session_choice;
mod ui;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    let mut ui = ui::Ui::new(arguments.output());
    let result = commands::run(arguments, &mut ui);
    ui.finish(result)
}
