//! Questions to the person at the terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};

use verger_event::tamed;

use super::Ui;
use crate::invocation::authority::Consent;

/// The terminal of the person, whatever the standard streams are connected to.
pub(crate) fn controlling_terminal() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty")
}

/// A person's answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

const MAX_ANSWER_BYTES: u64 = 64;

impl Ui {
    /// Asks the person at the terminal, unless consent was given by an option. Every answer but a
    /// clear yes is a no.
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
}
