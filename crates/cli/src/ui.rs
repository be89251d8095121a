//! Where output goes: data to standard output, everything else to standard error.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::command_error::CommandError;

/// For people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Text,
    Json,
}

pub(crate) struct Ui {
    out: BufWriter<io::Stdout>,
    output: Output,
}

impl Ui {
    pub(crate) fn new(output: Output) -> Self {
        Self { out: BufWriter::new(io::stdout()), output }
    }

    pub(crate) fn output(&self) -> Output {
        self.output
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        self.line(value.to_string())
    }

    /// Whether a person watches, so that progress means something.
    pub(crate) fn is_watched() -> bool {
        io::stderr().is_terminal()
    }

    /// Says what went wrong, if something did, and gives the exit code.
    pub(crate) fn finish(mut self, result: Result<(), CommandError>) -> ExitCode {
        let result = result.and_then(|()| self.out.flush().map_err(CommandError::from));
        let Err(error) = result else { return ExitCode::SUCCESS };
        // What cannot be said cannot be said.
        drop(self.out.flush());
        let text = match (self.output, error.hint()) {
            (_, None) => String::new(),
            (Output::Text, Some(hint)) => format!("verger: {error}\nhint: {hint}\n"),
            (Output::Json, Some(hint)) => {
                let message = error.to_string();
                format!("{}\n", json!({ "error": error.code(), "message": message, "hint": hint }))
            }
        };
        drop(io::stderr().lock().write_all(text.as_bytes()));
        error.exit_code()
    }
}
