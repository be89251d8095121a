//! `verger log rebuild`: rebuilds everything that is derived from the log.

use clap::Args;
use serde_json::json;
use verger_engine::{State, forget_looks};
use verger_store_local::Difference;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Meter;
use crate::sessions::log_check::name;

/// Rebuild snapshots and index from the log, or check them.
///
/// The log is never changed by this. Snapshots and index can always be rebuilt from it.
#[derive(Debug, Args)]
pub(crate) struct RebuildArgs {
    /// Change nothing; compare snapshots and index with the log.
    #[arg(long)]
    verify: bool,
}

pub(super) fn rebuild(
    ui: &mut Ui,
    context: &Context,
    args: &RebuildArgs,
) -> Result<(), CommandError> {
    let store = context.open_store(ui)?;
    if args.verify {
        let mut meter = Meter::new(ui, "comparing session");
        let (compared, differences) =
            store.compare::<State>(&mut |progress| meter.update(progress.done, progress.total))?;
        drop(meter);
        print_comparison(ui, compared.sessions, compared.records, &differences)?;
        let is_whole = tell_passed_over(ui, &store) == 0;
        return if differences.is_empty() && is_whole { Ok(()) } else { Err(CommandError::Found) };
    }
    let mut meter = Meter::new(ui, "rebuilding session");
    let rebuilt =
        store.rebuild::<State>(&mut |progress| meter.update(progress.done, progress.total))?;
    drop(meter);
    // If this fails, idle sessions keep their new snapshots, which does no harm.
    drop(forget_looks(&context.home()?));
    match ui.output() {
        Output::Json => ui.json(&json!({
            "sessions": rebuilt.sessions, "records": rebuilt.records, "settled": rebuilt.settled,
        }))?,
        Output::Text => {
            ui.line(format!(
                "rebuilt {} from {}",
                count(rebuilt.sessions, "session"),
                count(rebuilt.records, "record")
            ))?;
            if rebuilt.settled > 0 {
                let records = count(rebuilt.settled, "durable record");
                ui.line(format!("copied {records} that were missing from the project's log"))?;
            }
        }
    }
    if tell_passed_over(ui, &store) == 0 { Ok(()) } else { Err(CommandError::Found) }
}

fn print_comparison(
    ui: &mut Ui,
    sessions: u64,
    records: u64,
    differences: &[Difference],
) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let differences: Vec<_> = differences
            .iter()
            .map(|difference| match difference {
                Difference::Snapshot { stem } => json!({ "differs": "snapshot", "name": stem }),
                Difference::Beside { segment, name: fold } => {
                    json!({ "differs": "snapshot", "name": name(segment), "fold": fold })
                }
                Difference::Index { stem } => json!({ "differs": "index", "name": stem }),
                Difference::DriftTables { stem } => json!({ "differs": "drift", "name": stem }),
                Difference::Tasks { stem } => json!({ "differs": "tasks", "name": stem }),
            })
            .collect();
        ui.json(&json!({ "sessions": sessions, "records": records, "differences": differences }))?;
        return Ok(());
    }
    for difference in differences {
        ui.line(match difference {
            Difference::Snapshot { stem } => format!("{stem}: the snapshot differs from the log"),
            Difference::Beside { segment, name: fold } => {
                format!("{}: the {fold} snapshot differs from the log", name(segment))
            }
            Difference::Index { stem } => format!("{stem}: the index differs from the log"),
            Difference::DriftTables { stem } => {
                format!("{stem}: its drift tables differ from the log")
            }
            Difference::Tasks { stem } => {
                format!("{stem}: the table of the project's tasks differs from the log")
            }
        })?;
    }
    ui.line(format!(
        "compared {} with {}: {}",
        count(sessions, "session"),
        count(records, "record"),
        match differences.len() as u64 {
            0 => "no difference".to_owned(),
            some => format!("{}; verger log rebuild repairs it", count(some, "difference")),
        }
    ))?;
    Ok(())
}
