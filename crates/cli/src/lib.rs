//! The `verger` program: one file per command.
//!
//! This is a library so that manuals and references can be generated from the commands. It has no
//! other users.

mod commands;
mod config;
mod doctor;
mod drift;
mod guard;
mod install;
mod invocation;
mod learning;
mod render;
mod review;
mod sessions;
mod undo;
mod verify;

use std::io::Write;
use std::process::ExitCode;

pub use commands::{GROUPS, command_line, leaves};
pub use config::capability::{CAPABILITIES, Capability, Switch};
pub use verger_gate::authority::{AUTHORITY, Audience, Authority};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::invocation::{authority, deferred_to_hook, supervision};
use crate::render::mask_tokens::mask_tokens;
use crate::render::output::{Output, Ui, Volume};

/// The version of `verger` and of `verger-hook`.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the program.
pub fn main() -> ExitCode {
    let context = Context::of_process();
    if let Some(code) =
        supervision::if_asked(&context).or_else(|| verify::runner::if_asked(&context))
    {
        return code;
    }
    let (arguments, invocation) = match commands::parse() {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() && is_json_wanted() => {
            let ui = Ui::new(Output::Json, Volume::Normal, &context.environment);
            return ui.finish(Err((&error).into()));
        }
        Err(error) => return say_usage(&error),
    };
    let mut ui = Ui::new(arguments.output(), arguments.volume(), &context.environment);
    let result = arguments
        .check()
        .and_then(|()| authority::check(&invocation, &context))
        .and_then(|()| commands::run(arguments, &mut ui, &context));
    deferred_to_hook::add_if_sealed(&ui, &invocation, &context, &result);
    ui.finish(result)
}

/// Prints a usage error, or the requested help.
fn say_usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let clean = mask_tokens(&text);
    if clean == text {
        error.exit();
    }
    // The message is lost if standard error is closed.
    drop(std::io::stderr().lock().write_all(clean.as_bytes()));
    CommandError::from(error).exit_code()
}

/// Whether the arguments ask for JSON. Needed for arguments that could not be parsed.
fn is_json_wanted() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}
