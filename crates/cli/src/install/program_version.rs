//! The version that a program reports.

use std::path::Path;
use std::time::Duration;

use verger_engine::Environment;
use verger_exec::{Deadline, Program, RunError};

/// The time limit, which kills programs that hang. It leaves enough time for a slow start on a busy
/// machine.
const LIMIT: Duration = Duration::from_secs(20);

pub(crate) fn program_version(
    program: &Path,
    environment: &Environment,
) -> Result<String, RunError> {
    let variables = environment.all().iter().map(|(name, value)| (name, value));
    let output = Program::new(program, variables).arg("--version").run(Deadline::after(LIMIT))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
