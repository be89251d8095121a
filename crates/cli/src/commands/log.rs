//! `verger log`: the log itself.

use clap::{Args, Subcommand};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::sessions::log_check::{is_clean, report_lines, reports_json, verify_all};
use crate::sessions::picker::choose;
use verger_store::ReadLog;

/// Look after the log itself.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    Verify(VerifyArgs),
}

/// Check that every record is what was written: intact, numbered, chained, its payload there.
///
/// Nothing is changed. Bad lines are what killed processes leave behind; records around them are
/// still read.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// One session (its id or the beginning of it); all of them otherwise.
    session: Option<String>,
}

pub(crate) fn log(ui: &mut Ui, context: &Context, command: LogCommand) -> Result<(), CommandError> {
    match command {
        LogCommand::Verify(args) => verify(ui, context, &args),
    }
}

fn verify(ui: &mut Ui, context: &Context, args: &VerifyArgs) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    let segments = match &args.session {
        Some(session) => vec![choose(&store, session)?],
        None => store.segments()?,
    };
    let reports = verify_all(ui, &store, segments)?;
    match ui.output() {
        Output::Text => report_lines(&reports).iter().try_for_each(|line| ui.line(line))?,
        Output::Json => ui.json(&reports_json(&reports))?,
    }
    let is_whole = tell_passed_over(ui, &store) == 0;
    if is_clean(&reports) && is_whole { Ok(()) } else { Err(CommandError::Found) }
}
