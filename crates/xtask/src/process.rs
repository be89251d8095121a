//! Starts other programs for chores. They can't read standard input, and every error names its
//! command.

use std::process::{Command, ExitStatus, Stdio};

use crate::failure::Failure;

/// Runs a command and shows its output to the user.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let line = command_line(command);
    eprintln!("   $ {line}");
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|source| Failure::Start { command: line.clone(), source })?;
    if status.success() { Ok(()) } else { Err(Failure::Exited { command: line, status }) }
}

/// Runs a command with this program's standard streams and returns its exit status.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus, Failure> {
    command.status().map_err(|source| Failure::Start { command: command_line(command), source })
}

/// Runs a command and returns its standard output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let line = command_line(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| Failure::Start { command: line.clone(), source })?;
    if !output.status.success() {
        return Err(Failure::Exited { command: line, status: output.status });
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::NotText { command: line })
}

/// Whether a command can be started and succeeds; its output is discarded.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command as one would type it, without the directory of its program.
fn command_line(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit('/').next().unwrap_or_default();
    let mut line = program.to_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.contains(char::is_whitespace) {
            line.push('\'');
            line.push_str(&argument);
            line.push('\'');
        } else {
            line.push_str(&argument);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let mut command = Command::new("/opt/rust/bin/cargo");
        command.args(["nextest", "run", "-E", "test(a) & test(b)"]);
        assert_eq!(command_line(&command), "cargo nextest run -E 'test(a) & test(b)'");
    }

    #[test]
    fn a_failing_command_is_named_in_its_failure() {
        let failure = run(&mut Command::new("false")).unwrap_err();
        assert_eq!(failure.to_string(), "`false` failed (exit status: 1)");
        let failure = run(&mut Command::new("verger-no-such-program")).unwrap_err();
        assert!(
            matches!(failure, Failure::Start { command, .. } if command == "verger-no-such-program")
        );
    }
}
