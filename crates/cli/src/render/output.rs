//! Where output goes: data to standard output, everything else to standard error.

mod colour;
mod question;
mod screen;

pub(crate) use colour::Tone;
pub(crate) use question::{Answer, controlling_terminal};

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use verger_engine::Environment;
use verger_event::tamed;

use crate::invocation::command_error::CommandError;
use crate::render::mask_tokens::mask_tokens;
use crate::render::wrap::fitting;
use colour::{Paint, is_coloured};

/// The form of the output: text for people or JSON for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Text,
    Json,
}

/// The amount of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Volume {
    Normal,
    /// Only requested output and errors.
    Quiet,
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
    volume: Volume,
    paint: Paint,
    is_terminal: bool,
    /// The value of `COLUMNS`, if it is a width.
    wanted_columns: Option<usize>,
}

impl Ui {
    pub(crate) fn new(output: Output, volume: Volume, environment: &Environment) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let is_coloured = is_coloured(is_terminal, |name| environment.text(name));
        let paint = if is_coloured { Paint::Colours } else { Paint::None };
        let wanted = environment.text("COLUMNS").and_then(|columns| columns.trim().parse().ok());
        let wanted_columns = wanted.filter(|&columns| columns > 0);
        let out = BufWriter::new(io::stdout());
        Self { out, output, volume, paint, is_terminal, wanted_columns }
    }

    pub(crate) fn output(&self) -> Output {
        self.output
    }

    /// Prints a line of text for a person.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.out, "{}", tamed(text.as_ref()))
    }

    /// Prints a text for programs without changes.
    pub(crate) fn script(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Prints a line of pieces, each with the style of its tone if the terminal supports styles.
    pub(crate) fn toned_line<T: AsRef<str>>(&mut self, pieces: &[(Tone, T)]) -> io::Result<()> {
        for (tone, text) in pieces {
            self.toned(*tone, text.as_ref())?;
        }
        writeln!(self.out)
    }

    fn toned(&mut self, tone: Tone, text: &str) -> io::Result<()> {
        match (self.paint, tone) {
            _ if text.is_empty() => Ok(()),
            (Paint::None, _) | (_, Tone::Plain) => write!(self.out, "{}", tamed(text)),
            (Paint::Colours, tone) => write!(self.out, "{}{}\x1b[0m", tone.code(), tamed(text)),
        }
    }

    /// Prints a text after pieces with their own tones. Lines that don't fit continue below the
    /// beginning of the text.
    pub(crate) fn wrapped_line(&mut self, head: &[(Tone, &str)], text: &str) -> io::Result<()> {
        let joined: String = head.iter().map(|(_, piece)| *piece).collect();
        for line in fitting(&joined, text, self.columns()) {
            match line.strip_prefix(&joined).filter(|rest| !rest.is_empty()) {
                Some(rest) if !joined.trim().is_empty() => {
                    self.toned_line(&[head, &[(Tone::Plain, rest.trim_end())]].concat())?;
                }
                _ => self.line(line.trim_end())?,
            }
        }
        Ok(())
    }

    /// Prints additional text for a person: results and next steps. Lines that don't fit continue
    /// below the beginning of the text.
    pub(crate) fn note(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if !self.has_notes() {
            return Ok(());
        }
        let text = text.as_ref();
        let begin = text.len() - text.trim_start_matches(' ').len();
        let (indent, text) = text.split_at(begin);
        fitting(indent, text, self.columns()).iter().try_for_each(|line| self.line(line))
    }

    /// Whether additional text is printed.
    pub(crate) fn has_notes(&self) -> bool {
        self.output == Output::Text && self.volume == Volume::Normal
    }

    /// Prints one JSON value and the end of its line.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        // The text is made before it is written. Without `std`, serde_json panics if the reader has
        // closed the pipe.
        let text = value.to_string();
        writeln!(self.out, "{text}")
    }

    /// Shows the output so far, because the next step may take a while.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Warns about a problem that does not stop the command.
    pub(crate) fn warn(&self, text: &str) {
        let text = match (self.output, self.volume) {
            (_, Volume::Quiet) => return,
            (Output::Text, _) => format!("verger: {}\n", tamed(text)),
            (Output::Json, _) => format!("{}\n", json!({ "warning": text })),
        };
        // The warning is lost if standard error is closed.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// Reports progress to a waiting person. In JSON mode, nothing is reported.
    pub(crate) fn tell(&self, text: &str) {
        if self.output == Output::Text {
            self.warn(text);
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet
    }

    /// Whether standard error is a terminal, so that a person can see the progress.
    pub(crate) fn is_watched(&self) -> bool {
        self.volume == Volume::Normal && io::stderr().is_terminal()
    }

    /// Whether standard output is a terminal. Ids and paths are shortened only for terminals.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The number of characters in a line: `COLUMNS`, or else the terminal's current width. `None` if
    /// there is neither; then lines are as long as their text.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.wanted_columns.or_else(Self::width)
    }

    /// The number of characters in a line of the terminal. `None` without a terminal.
    fn width() -> Option<usize> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
    }

    /// Prints the error, if there is one, and returns the exit code.
    pub(crate) fn finish(mut self, result: Result<(), CommandError>) -> ExitCode {
        let flushed = self.out.flush().map_err(CommandError::from);
        let error = match (result, flushed) {
            (Ok(()), Ok(())) => return ExitCode::SUCCESS,
            // The findings were not printed, so the write error is reported instead.
            (
                Ok(()) | Err(CommandError::Found | CommandError::Incomplete),
                Err(error @ CommandError::Failed { .. }),
            )
            | (Ok(()), Err(error))
            | (Err(error), _) => error,
        };
        // The message may repeat arguments, so secrets in it are masked.
        let message = mask_tokens(&error.to_string());
        let text = match (self.output, error.hint().map(mask_tokens)) {
            (_, None) => String::new(),
            (Output::Text, Some(hint)) => {
                format!("verger: {}\nhint: {}\n", tamed(&message), tamed(&hint))
            }
            (Output::Json, Some(hint)) => {
                format!("{}\n", json!({ "error": error.code(), "message": message, "hint": hint }))
            }
        };
        drop(io::stderr().lock().write_all(text.as_bytes()));
        error.exit_code()
    }
}
