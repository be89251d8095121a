//! Recognizes runs of a project's checks (tests, builds, linters) and the reasons why they failed.

mod failure;
mod normal;
mod output;
mod program;
mod sign;
#[cfg(test)]
mod tests;

use output::Verdict;
use verger_shell::{Command, Mode, Place, Redirect, Script, Stdin};

pub(crate) use failure::Failure;

/// One run of a check, or of several checks on one command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckRun {
    /// The names of the checks, without duplicates. A name is the first words of the command, such
    /// as `cargo test`. Two runs with a common name are compared.
    pub(crate) names: Vec<String>,
    pub(crate) result: CheckResult,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckResult {
    Passed,
    /// The check failed. The failure is `None` if the output doesn't name a failing test or an
    /// error.
    Failed(Option<Failure>),
    /// The output doesn't tell whether the check passed.
    Unknown,
}

/// The maximum number of checks of one command line, and the maximum number of characters of a
/// check's name.
const MAX_NAMES: usize = 8;
const MAX_NAME: usize = 80;

/// The relation between a check's result and the exit status and output of its command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// The check is the last command, so the exit status of the command line is the check's own.
    Own,
    /// Other commands follow the check. The exit status may be theirs, but the check's output is
    /// complete.
    Shared,
    /// The check's output goes to a pipe or a file. Neither the exit status nor the output is
    /// reliable.
    Piped,
}

impl CheckRun {
    /// The checks that a command line runs. `None` if it runs none. `failed` is whether the client
    /// reported a failure. `output` is the text that the tool call printed. Only the beginning and
    /// the end of a long output are read.
    pub(crate) fn of_line(script: &Script, failed: bool, output: &str) -> Option<Self> {
        let mut names: Vec<String> = vec![];
        let mut status = Status::Own;
        for (index, command) in script.commands.iter().enumerate() {
            let Some(name) = program::check_name(command) else { continue };
            status = status.max(Status::of_command(script, index));
            let name: String = name.chars().take(MAX_NAME).collect();
            if names.len() < MAX_NAMES && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return None;
        }
        Some(Self { names, result: CheckResult::of_output(status, failed, output) })
    }
}

impl CheckResult {
    fn of_output(status: Status, failed: bool, output: &str) -> Self {
        if !failed && (status == Status::Own || status == Status::Piped && output.trim().is_empty())
        {
            return Self::Passed;
        }
        let output = output::cleaned(output);
        let failure = Failure::of_output(&output);
        if failed {
            return Self::Failed(failure);
        }
        match (output::verdict(&output), failure) {
            (_, Some(failure)) if failure.tests.is_some() => Self::Failed(Some(failure)),
            (Some(Verdict::Passed), _) => Self::Passed,
            (Some(Verdict::Failed), failure) => Self::Failed(failure),
            (None, Some(failure)) => Self::Failed(Some(failure)),
            (None, None) if status == Status::Shared => Self::Passed,
            (None, None) => Self::Unknown,
        }
    }
}

impl Status {
    fn of_command(script: &Script, index: usize) -> Self {
        let mut status = Self::Own;
        let mut at = Some(index);
        // In `uv run pytest`, the pipe belongs to `uv`. So the outer commands of the check are
        // examined too.
        while let Some((index, command)) = at.and_then(|at| Some((at, script.commands.get(at)?))) {
            let is_file = |redirect: &Redirect| matches!(redirect.mode, Mode::Write | Mode::Append);
            if command.redirects.iter().any(is_file)
                || script.commands.iter().any(|other| reads(other, index))
            {
                status = status.max(Self::Piped);
            }
            let mut later = script.commands.iter().skip(index + 1);
            if later.any(|other| other.place == command.place) {
                status = status.max(Self::Shared);
            }
            at = match command.place {
                Place::Within(outer) if outer < index => Some(outer),
                _ => None,
            };
        }
        status
    }
}

/// Whether a command reads the output of the command with this index, or of a group that may
/// contain that command.
fn reads(command: &Command, index: usize) -> bool {
    match command.stdin {
        Stdin::Pipe(Some(from)) => from == index,
        Stdin::Pipe(None) => true,
        _ => false,
    }
}
