//! A program to run, with its arguments, environment and input.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::thread;

use rustix::io::Errno;

use crate::deadline::Deadline;
use crate::lookup::find_program;
use crate::running::{Output, OutputLimit, RunError, Running};

/// The directories to search for programs if `PATH` is not set.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// A program, its arguments and its input.
#[derive(Debug)]
pub struct Program {
    command: Command,
    input: Input,
    output: OutputLimit,
}

#[derive(Debug)]
enum Input {
    Nothing,
    Bytes(Vec<u8>),
}

impl Program {
    /// Creates a program to run. `program` is a path, or a name that is looked up in the `PATH` of
    /// `environment`. The program gets no other environment variables.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that runs programs")]
    pub fn new<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        environment: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let environment: Vec<_> = environment.into_iter().collect();
        // With the full path, the standard library can start the program without a fork of this
        // process. A fork would take longer than the search.
        let mut command = match found(program.as_ref(), &environment) {
            Some(path) => Command::new(path),
            None => Command::new(&program),
        };
        command.arg0(program);
        // The program gets its own process group, so that killing the group kills its child
        // processes too.
        command.env_clear().envs(environment).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command, input: Input::Nothing, output: OutputLimit::default() }
    }

    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Adds a variable to the program's environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Adds variables to the program's environment.
    #[must_use]
    pub fn envs<K: AsRef<OsStr>, V: AsRef<OsStr>>(
        mut self,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.command.envs(variables);
        self
    }

    #[must_use]
    pub fn current_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Sets the program's standard input, which is empty by default.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.command.stdin(Stdio::piped());
        self.input = Input::Bytes(bytes.into());
        self
    }

    /// Sets the program's standard input to a file.
    #[must_use]
    pub fn input_file(mut self, file: File) -> Self {
        self.command.stdin(file);
        self
    }

    /// Keeps only the first `bytes` of the program's standard output. This is the default, with 64
    /// KiB.
    #[must_use]
    pub fn first_output(mut self, bytes: u64) -> Self {
        self.output = OutputLimit::FirstPart { bytes };
        self
    }

    /// Keeps the program's whole standard output. If it is longer than `bytes`, the run fails.
    #[must_use]
    pub fn whole_output(mut self, bytes: u64) -> Self {
        self.output = OutputLimit::Whole { bytes };
        self
    }

    /// Lets the program write its standard error to ours. It is then not collected.
    #[must_use]
    pub fn show_stderr(mut self) -> Self {
        self.command.stderr(Stdio::inherit());
        self
    }

    /// Starts the program. Dropping the returned value kills the program.
    pub fn start(mut self) -> Result<Running, RunError> {
        if !is_path(self.command.get_program()) {
            return Err(RunError::Start(Errno::NOENT.into()));
        }
        let mut child = self.command.spawn().map_err(RunError::Start)?;
        if let Input::Bytes(bytes) = self.input
            && let Some(stdin) = child.stdin.take()
        {
            feed(stdin, bytes)?;
        }
        Ok(Running::new(child, self.output))
    }

    /// Sends the input, waits for the line of output that is the answer, and ends the program. Its
    /// input stays open until then, because some programs end with their input, before they answer.
    pub fn ask(
        mut self,
        is_answer: impl Fn(&str) -> bool + Send + 'static,
        deadline: Deadline<'_>,
    ) -> Result<String, RunError> {
        let input = std::mem::replace(&mut self.input, Input::Nothing);
        self.command.stdin(Stdio::piped()).stderr(Stdio::null());
        let mut running = self.start()?;
        let mut stdin = running.take_input();
        if let (Input::Bytes(bytes), Some(stdin)) = (input, &mut stdin) {
            // If the program is gone, there is no answer.
            drop(stdin.write_all(&bytes));
        }
        running.answer(is_answer, deadline)
    }

    /// Runs the program to its end and returns its output.
    pub fn run(self, deadline: Deadline<'_>) -> Result<Output, RunError> {
        self.start()?.finish(deadline)
    }
}

fn is_path(program: &OsStr) -> bool {
    program.as_encoded_bytes().contains(&b'/')
}

/// The full path of a program that is given by its name. `None` if the program is given by a path
/// or isn't found.
fn found<K: AsRef<OsStr>, V: AsRef<OsStr>>(
    program: &OsStr,
    environment: &[(K, V)],
) -> Option<PathBuf> {
    let named = environment.iter().rfind(|(name, _)| name.as_ref() == "PATH");
    let path = named.map_or(OsStr::new(DEFAULT_PATH), |(_, path)| path.as_ref());
    if is_path(program) { None } else { find_program(path, program) }
}

/// Writes the program's input in a thread. The thread is not joined, because it ends when the
/// program has read its input or has ended.
fn feed(mut stdin: ChildStdin, bytes: Vec<u8>) -> Result<(), RunError> {
    thread::Builder::new()
        .name("program input".to_owned())
        .spawn(move || {
            // A program may end without reading its input; that is not an error.
            drop(stdin.write_all(&bytes));
        })
        .map(drop)
        .map_err(RunError::Start)
}
