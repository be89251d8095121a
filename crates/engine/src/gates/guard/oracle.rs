//! Asks a program that the user configured.
//!
//! The program runs as a child process with its own time limit. A program inside the project is
//! never used, because the agent can write there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use verger_config::ProgramCommand;
use verger_exec::{Deadline, Program, RunError, find_program};

/// Maximum number of bytes of an answer.
const MAX_ANSWER_BYTES: u64 = 16 * 1024;

/// Environment variable for the program and its child processes. If the program starts an agent,
/// verger doesn't ask the program again.
pub(crate) const ASKING: &str = "VERGER_ASKED";

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OracleFailure {
    /// The program is running already, and one of its child processes caused the question.
    #[error("it is already running")]
    AskedAlready,
    /// No program with this name exists outside of the project.
    #[error("there is no program {0:?} outside of the project")]
    NoProgram(String),
    /// The program could not be started, or did not finish in time.
    #[error("verger cannot {0}")]
    Run(#[from] RunError),
    /// The program reported failure.
    #[error("it ended with {0}")]
    Ended(std::process::ExitStatus),
}

/// A program to ask, with its limits.
pub(crate) struct Oracle<'a> {
    pub(crate) command: &'a ProgramCommand,
    pub(crate) limit: Duration,
    /// The project's root. A program inside the project is not asked.
    pub(crate) root: Option<&'a Path>,
    pub(crate) environment: &'a [(OsString, OsString)],
}

impl Oracle<'_> {
    /// Asks the program and returns its output.
    pub(crate) fn ask(&self, question: &Value) -> Result<Vec<u8>, OracleFailure> {
        let Self { command, limit, root, environment } = *self;
        if environment.iter().any(|(name, _)| name == ASKING) {
            return Err(OracleFailure::AskedAlready);
        }
        let missing = || OracleFailure::NoProgram(command.program.clone());
        let program = place_of(&command.program, environment).ok_or_else(missing)?;
        if root.is_some_and(|root| program.starts_with(root)) {
            return Err(missing());
        }
        // The program runs in `/`, where the agent can't write.
        let output = Program::new(program, environment.iter().map(|(name, value)| (name, value)))
            .args(&command.arguments)
            .env(ASKING, "1")
            .current_dir("/")
            .input(question.to_string())
            .whole_output(MAX_ANSWER_BYTES)
            .run(Deadline::after(limit))?;
        if !output.status.success() {
            return Err(OracleFailure::Ended(output.status));
        }
        Ok(output.stdout)
    }
}

/// The program's real path. `program` is an absolute path or a name to look up in `PATH`.
fn place_of(program: &str, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let given = Path::new(program);
    let found = if given.is_absolute() {
        Some(given.to_owned())
    } else if program.contains('/') {
        None
    } else {
        let path = environment.iter().find(|(name, _)| name == "PATH");
        path.and_then(|(_, path)| find_program(path, given.as_os_str()))
    };
    found?.canonicalize().ok()
}
