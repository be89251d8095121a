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

/// Much of what is shown was written by agents and by what they read: it must not steer the
/// terminal, nor look like lines of ours, nor show a line in another order than it has.
fn tame(c: char) -> char {
    match c {
        _ if c.is_control() => ' ',
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

fn tamed(text: &str) -> String {
    text.chars().map(tame).collect()
}

/// `1 event`, `2 events`.
pub(crate) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    match number.try_into() {
        Ok(1) => format!("1 {noun}"),
        Ok(number) => format!("{number} {noun}s"),
        Err(_) => format!("no {noun}s"),
    }
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

    /// Text for a person, and the end of its line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.out, "{}", tamed(text.as_ref()))
    }

    /// One value for a program, and the end of its line.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self.out, "{value}")
    }

    /// Something that the command works without, but somebody should know.
    pub(crate) fn warn(&self, text: &str) {
        let text = match self.output {
            Output::Text => format!("verger: {}\n", tamed(text)),
            Output::Json => format!("{}\n", json!({ "warning": text })),
        };
        // What cannot be said cannot be said.
        drop(io::stderr().lock().write_all(text.as_bytes()));
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
            (Output::Text, Some(hint)) => {
                format!("verger: {}\nhint: {}\n", tamed(&error.to_string()), tamed(hint))
            }
            (Output::Json, Some(hint)) => {
                let message = error.to_string();
                format!("{}\n", json!({ "error": error.code(), "message": message, "hint": hint }))
            }
        };
        drop(io::stderr().lock().write_all(text.as_bytes()));
        error.exit_code()
    }
}
