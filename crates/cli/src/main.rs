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
    let arguments = match commands::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && is_json_wanted() => {
            return ui::Ui::new(ui::Output::Json).finish(Err(error.into()));
        }
        Err(error) => error.exit(),
    };
    let mut ui = ui::Ui::new(arguments.output());
    let result = commands::run(arguments, &mut ui);
    ui.finish(result)
}

/// Arguments that do not fit together do not say it themselves.
fn is_json_wanted() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}
