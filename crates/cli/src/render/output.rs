//! Where output goes: data to standard output, everything else to standard error.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use verger_engine::Environment;
use verger_event::tamed;

use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::render::mask_tokens::mask_tokens;

/// Where the person is, whatever the standard streams are.
pub(crate) fn controlling_terminal() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty")
}

/// For people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Text,
    Json,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Volume {
    Normal,
    /// What was asked for, and errors.
    Quiet,
}

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

const MAX_ANSWER_BYTES: u64 = 64;

/// What a piece of text should look like, where the terminal can show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "\x1b[1m",
            Self::Faint => "\x1b[2m",
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Colours,
    None,
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
}

impl Ui {
    pub(crate) fn new(output: Output, volume: Volume, environment: &Environment) -> Self {
        let is_set = |name| environment.get(name).is_some_and(|value| !value.is_empty());
        let is_plain = is_set("NO_COLOR") || environment.text("TERM").as_deref() == Some("dumb");
        let is_coloured = io::stdout().is_terminal() && !is_plain;
        let paint = if is_coloured { Paint::Colours } else { Paint::None };
        Self { out: BufWriter::new(io::stdout()), output, volume, paint }
    }

    pub(crate) fn output(&self) -> Output {
        self.output
    }

    /// Text for a person, and the end of its line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.out, "{}", tamed(text.as_ref()))
    }

    /// A text of our own that a program reads, as it is.
    pub(crate) fn script(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// A line of pieces that look different where the terminal can show it.
    pub(crate) fn toned_line(&mut self, pieces: &[(Tone, &str)]) -> io::Result<()> {
        for &(tone, text) in pieces {
            match (self.paint, tone) {
                (Paint::None, _) | (_, Tone::Plain) => write!(self.out, "{}", tamed(text))?,
                (Paint::Colours, tone) => {
                    write!(self.out, "{}{}\x1b[0m", tone.code(), tamed(text))?;
                }
            }
        }
        writeln!(self.out)
    }

    /// What a person likes to know and did not ask for: what was done, what to do next.
    pub(crate) fn note(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        match (self.output, self.volume) {
            (Output::Text, Volume::Normal) => self.line(text),
            (Output::Json, _) | (_, Volume::Quiet) => Ok(()),
        }
    }

    /// One value for a program, and the end of its line.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        // Made first: serde_json without `std` panics where a reader has gone.
        let text = value.to_string();
        writeln!(self.out, "{text}")
    }

    /// What was said so far is seen now, because the next thing may take a while.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Something that the command works without, but somebody should know.
    pub(crate) fn warn(&self, text: &str) {
        let text = match (self.output, self.volume) {
            (_, Volume::Quiet) => return,
            (Output::Text, _) => format!("verger: {}\n", tamed(text)),
            (Output::Json, _) => format!("{}\n", json!({ "warning": text })),
        };
        // What cannot be said cannot be said.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// What goes on while somebody waits; programs wait in silence.
    pub(crate) fn tell(&self, text: &str) {
        if self.output == Output::Text {
            self.warn(text);
        }
    }

    /// Asks the person at the terminal; whoever gave their consent is not asked. What is not a clear
    /// yes is a no.
    pub(crate) fn confirm(&mut self, consent: Consent, question: &str) -> io::Result<Answer> {
        if consent.yes {
            return Ok(Answer::Yes);
        }
        self.out.flush()?;
        let mut terminal = controlling_terminal()?;
        write!(terminal, "{} [y/N] ", tamed(question))?;
        let mut answer = String::new();
        BufReader::new(terminal).take(MAX_ANSWER_BYTES).read_line(&mut answer)?;
        Ok(match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => Answer::Yes,
            _ => Answer::No,
        })
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.volume == Volume::Quiet
    }

    /// Whether a person watches, so that progress means something.
    pub(crate) fn is_watched(&self) -> bool {
        self.volume == Volume::Normal && io::stderr().is_terminal()
    }

    /// How many characters fit a line of the terminal, where there is one.
    pub(crate) fn width() -> Option<usize> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
    }

    /// Says what went wrong, if something did, and gives the exit code.
    pub(crate) fn finish(mut self, result: Result<(), CommandError>) -> ExitCode {
        let flushed = self.out.flush().map_err(CommandError::from);
        let error = match (result, flushed) {
            (Ok(()), Ok(())) => return ExitCode::SUCCESS,
            // What was found and could not be said is not known to anybody.
            (
                Ok(()) | Err(CommandError::Found | CommandError::Incomplete),
                Err(error @ CommandError::Failed { .. }),
            )
            | (Ok(()), Err(error))
            | (Err(error), _) => error,
        };
        // What was typed may be told again, but a secret may not.
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
