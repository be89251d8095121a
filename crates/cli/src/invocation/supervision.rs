//! Runs `verger` as the supervisor of a job. The user's command line has no such command.

use std::ffi::OsString;
use std::process::ExitCode;

use verger_engine::load_settings;
use verger_exec::detached::{Supervisor, supervise};
use verger_store::Store;
use verger_store_local::LocalStore;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The first argument of a supervisor. No command has this name.
pub(crate) const WORD: &str = "supervise-job";

/// The command line to start this program again as the supervisor of a job with `environment`.
pub(crate) fn supervisor(
    environment: Vec<(OsString, OsString)>,
) -> Result<Supervisor, CommandError> {
    let program = std::env::current_exe().map_err(|source| CommandError::Failed {
        source: NoSelf(source).into(),
        hint: "start verger by its path".to_owned(),
    })?;
    Ok(Supervisor { program, arguments: vec![WORD.into()], environment })
}

#[derive(Debug, thiserror::Error)]
#[error("find out where verger itself is")]
struct NoSelf(#[source] std::io::Error);

/// Supervises a job if this process was started for that. `None` otherwise.
pub(crate) fn if_asked(context: &Context) -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let arguments: Vec<_> = arguments.collect();
    Some(match run(context, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("{error}\n");
            // The parent process may read the message. If writing fails, the exit code is enough.
            drop(std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()));
            error.exit_code()
        }
    })
}

fn run(context: &Context, arguments: &[OsString]) -> Result<(), CommandError> {
    let home = context.home()?;
    let options = load_settings(&home, None, &context.environment).store_options();
    let store = LocalStore::open(&home.data, options)?;
    let supervisor = supervisor(context.environment.all().to_vec())?;
    supervise(arguments, &supervisor, |bytes| redacted(&store, &bytes)).map_err(|error| {
        CommandError::Failed { source: error.into(), hint: "verger review run".to_owned() }
    })
}

/// Redacts the valid UTF-8 parts. Invalid bytes are kept, because secrets are only searched in
/// text.
fn redacted(store: &impl Store, bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        kept.extend_from_slice(store.redacted(chunk.valid()).as_bytes());
        kept.extend_from_slice(chunk.invalid());
    }
    kept
}
