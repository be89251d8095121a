//! `verger log`: shows, verifies, rebuilds and cleans the log.

mod clean;
mod rebuild;
mod show;

use std::io;

use clap::{Args, Subcommand};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Tone, Ui};
use crate::sessions::log_check::{Reports, is_clean, report_lines, reports_json, verify_all};
use crate::sessions::picker::choose;
use verger_store::ReadLog;

/// Show, check, rebuild and clean the recorded events.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    Show(show::ShowArgs),
    Verify(VerifyArgs),
    Rebuild(rebuild::RebuildArgs),
    Clean(clean::CleanArgs),
}

/// Check that every record is complete and unchanged.
///
/// A record must be intact, numbered and chained to the one before it, and its payload must be
/// there. Nothing is changed. Killed processes leave bad lines behind; the records around them are
/// still read.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// One session (its id or the beginning of it); all of them otherwise.
    session: Option<String>,
}

pub(crate) fn log(
    ui: &mut Ui,
    context: &Context,
    command: &LogCommand,
) -> Result<(), CommandError> {
    match command {
        LogCommand::Show(args) => show::show(ui, context, args),
        LogCommand::Verify(args) => verify(ui, context, args),
        LogCommand::Rebuild(args) => rebuild::rebuild(ui, context, args),
        LogCommand::Clean(args) => clean::clean(ui, context, args),
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
        Output::Text => print_reports(ui, &reports)?,
        Output::Json => ui.json(&reports_json(&reports))?,
    }
    let is_whole = tell_passed_over(ui, &store) == 0;
    if is_clean(&reports) && is_whole { Ok(()) } else { Err(CommandError::Found) }
}

fn print_reports(ui: &mut Ui, reports: &Reports) -> io::Result<()> {
    let faults: usize = reports.iter().map(|(_, report)| report.faults.len()).sum();
    for (number, line) in report_lines(reports).iter().enumerate() {
        // The faults come first, then the totals.
        let tone = match (faults, number) {
            (0, 0) => Tone::Good,
            _ if number < faults => Tone::Bad,
            _ => Tone::Plain,
        };
        ui.toned_line(&[(tone, line)])?;
    }
    Ok(())
}
