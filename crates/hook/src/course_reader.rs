//! Asks the program of the user's choice what a person wants.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use verger_config::ProgramCommand;
use verger_drift::{READER, Reading, ReadingRequest};
use verger_event::Event;
use verger_gate::asking::{Asked, asked};
use verger_gate::course::{NoReading, parse_reading, reading_event};

use crate::Environment;
use crate::oracle::{OracleFailure, ask};

/// There is no reading.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReaderFailure {
    /// There was no answer.
    #[error(transparent)]
    Asking(#[from] OracleFailure),
    /// What it said is no reading.
    #[error(transparent)]
    Answer(#[from] NoReading),
}

/// What the program reads. It is told what the person says, and what rules make of it.
pub(crate) fn ask_reading(
    program: &ProgramCommand,
    (request, root): (&ReadingRequest, &Path),
    limit: Duration,
    environment: &Environment,
) -> Result<Reading, ReaderFailure> {
    let answer = ask(program, (&json!(request), Some(root)), limit, environment.all())?;
    Ok(parse_reading(&answer)?)
}

/// What the log keeps of it, before the prompt.
pub(crate) fn kept(read: &Result<Reading, ReaderFailure>) -> Event {
    match read {
        Ok(reading) => reading_event(reading),
        Err(failure) => asked(READER, Asked::Failed, &failure.to_string()),
    }
}

/// What the person is told of a failure.
pub(crate) fn warning(failure: &ReaderFailure) -> String {
    format!(
        "the program of drift.reader did not read the prompt: {failure}; the rules alone did; \
         verger config show drift.reader says which program it is"
    )
}
