//! A check that runs a program of the project.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_engine::Environment;
use verger_exec::detached::{Ending, Limits, Ran, run_within};
use verger_exec::{Program, find_program};
use verger_gate::verification::reading::{Reading, Written};
use verger_gate::verification::{Came, CheckKind, ProgramEnd, RanCheck};

/// The maximum number of bytes that a program may write to each stream.
const MAX_OUTPUT_BYTES: u64 = 16 * 1024 * 1024;

/// Variables that switch colours off, because the output is parsed.
const WITHOUT_COLOURS: [(&str, &str); 2] = [("NO_COLOR", "1"), ("CARGO_TERM_COLOR", "never")];
const WITH_COLOURS: [&str; 2] = ["FORCE_COLOR", "CLICOLOR_FORCE"];

/// The directory, environment and time limit of the programs.
pub(crate) struct Surroundings<'a> {
    pub(crate) root: &'a Path,
    pub(crate) environment: &'a Environment,
    pub(crate) time_limit: Duration,
}

/// A check to run.
#[derive(Clone, Copy)]
pub(crate) struct ProgramCheck<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: CheckKind,
    pub(crate) argv: &'a [String],
    pub(crate) reading: Reading,
}

impl ProgramCheck<'_> {
    /// Makes the check and measures its time.
    pub(crate) fn make(self, surroundings: &Surroundings<'_>) -> (Came, Duration) {
        let program = self.argv.first().map(String::as_str).unwrap_or_default();
        let check = RanCheck { name: self.name, kind: self.kind, program, reading: self.reading };
        let not_run = |end| check.came(&end, Written { stdout: "", stderr: "" });
        match surroundings.run(self.argv) {
            Ok(Ran { ending, took, stdout, stderr }) => {
                let [stdout, stderr] = [stdout, stderr].map(text);
                let written = Written { stdout: &stdout, stderr: &stderr };
                (check.came(&end_of(&ending, surroundings.time_limit), written), took)
            }
            Err(_) if surroundings.find(program).is_none() => {
                (not_run(ProgramEnd::Missing), Duration::ZERO)
            }
            Err(error) => {
                let why = format!("the program cannot be started: {error}");
                (not_run(ProgramEnd::NotStarted { why }), Duration::ZERO)
            }
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    // Valid text is converted without a copy, because it may be large.
    String::from_utf8(bytes)
        .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned())
}

impl Surroundings<'_> {
    fn run(&self, argv: &[String]) -> io::Result<Ran> {
        let [program, arguments @ ..] = argv else { return Err(ErrorKind::NotFound.into()) };
        // A relative path starts at the root, regardless of how the system resolves it.
        let file = program.contains('/').then(|| self.root.join(program).into_os_string());
        let inherited = self.environment.all().iter().filter(|(name, _)| !is_of_colours(name));
        let inherited = inherited.map(|(name, value)| (name, value));
        let program = Program::new(file.unwrap_or_else(|| program.into()), inherited)
            .args(arguments)
            .envs(WITHOUT_COLOURS)
            .current_dir(self.root);
        run_within(program, Limits { time: self.time_limit, output_bytes: MAX_OUTPUT_BYTES })
    }

    /// The file of a program. A name is looked up in the directories of the `PATH`; a path is
    /// relative to the root.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(self.root.join(program)).filter(|file| file.is_file());
        }
        find_program(&self.environment.get("PATH")?, program)
    }
}

fn is_of_colours(name: &OsString) -> bool {
    WITH_COLOURS.iter().any(|known| OsStr::new(known) == name)
}

fn end_of(ending: &Ending, time_limit: Duration) -> ProgramEnd {
    match ending {
        Ending::Exited { code } => ProgramEnd::Exited(*code),
        Ending::Signalled { signal } => ProgramEnd::Signalled(*signal),
        Ending::TimedOut => ProgramEnd::TimedOut { limit_seconds: time_limit.as_secs() },
        Ending::Flooded => ProgramEnd::Flooded { limit_bytes: MAX_OUTPUT_BYTES },
        Ending::NotRun { why } => ProgramEnd::NotStarted { why: why.clone() },
    }
}
