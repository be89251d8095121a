//! What a program says when it is asked for its version.

use std::path::Path;
use std::time::Duration;

use verger_engine::Environment;
use verger_exec::{Deadline, Program, RunError};

/// For programs that hang; one that starts slowly on a busy machine is waited for.
const LIMIT: Duration = Duration::from_secs(20);

pub(crate) fn program_version(
    program: &Path,
    environment: &Environment,
) -> Result<String, RunError> {
    let variables = environment.all().iter().map(|(name, value)| (name, value));
    let output = Program::new(program, variables).arg("--version").run(Deadline::after(LIMIT))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
