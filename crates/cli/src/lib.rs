//! The `verger` program: one file per command.
//!
//! A library, so that manuals and references are made from the commands themselves; nothing else
//! uses it.

mod ancestry;
mod approvals;
mod assignment;
mod authority;
mod capability;
mod checkup;
mod command_error;
mod commands;
mod context;
mod drift_story;
mod drift_text;
mod ends;
mod entry_json;
mod event_choice;
mod explanation;
mod gated_session;
mod given_text;
mod grid;
mod guard_desk;
mod guard_stats;
mod habit_stats;
mod holdings;
mod hook_build;
mod hook_program;
mod install;
mod json_text;
mod judged_line;
mod learning_filter;
mod learning_ids;
mod learning_stats;
mod learning_step;
mod learning_text;
mod left_to_hook;
mod moment;
mod needs_you;
mod offered;
mod own_files;
mod persons_prompts;
mod point_in_time;
mod progress;
mod recent_sessions;
mod reflecting;
mod reflection_text;
mod review_stats;
mod review_story;
mod review_text;
mod reviewer_program;
mod rule_check;
mod searching;
mod session_choice;
mod setting_text;
mod shelf;
mod subagent_texts;
mod summary;
mod supervision;
mod table;
mod task_search;
mod tokenless;
mod told_version;
mod trust_file;
mod ui;
mod undo_desk;
mod undo_leftovers;
mod undo_point;
mod user_file;
mod verification;
mod verification_stats;
mod verification_text;
mod verifying;
mod work_told;
mod wrapping;
mod written_rule;

use std::io::Write;
use std::process::ExitCode;

pub use capability::{CAPABILITIES, Capability, Switch};
pub use commands::{command_line, leaves};
pub use verger_gate::authority::{AUTHORITY, Audience, Authority};

use crate::command_error::CommandError;
use crate::context::Context;
use crate::tokenless::tokenless;
use crate::ui::{Output, Ui, Volume};

/// Both programs have one version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the program.
pub fn main() -> ExitCode {
    let context = Context::of_process();
    if let Some(code) =
        supervision::if_asked(&context).or_else(|| verifying::runner::if_asked(&context))
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
    let result = authority::check(&invocation, &context)
        .and_then(|()| commands::run(arguments, &mut ui, &context));
    left_to_hook::add_if_sealed(&ui, &invocation, &context, &result);
    ui.finish(result)
}

/// Says what is wrong with the arguments, or what was asked about them.
fn say_usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let clean = tokenless(&text);
    if clean == text {
        error.exit();
    }
    // What cannot be said cannot be said.
    drop(std::io::stderr().lock().write_all(clean.as_bytes()));
    CommandError::from(error).exit_code()
}

/// Arguments that do not fit together do not say it themselves.
fn is_json_wanted() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}
