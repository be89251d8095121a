//! The ending of a job, and its encoding in the job's directory.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// The way in which a job's program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Exited {
        code: i32,
    },
    Signalled {
        signal: i32,
    },
    TimedOut,
    /// The program wrote more than the output limit and was killed.
    Flooded,
    /// The program could not be started or watched.
    NotRun {
        why: String,
    },
}

/// The ending of a job, and its running time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub ending: Ending,
    pub took: Duration,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let took = self.took.as_millis();
        match &self.ending {
            Ending::Exited { code } => writeln!(f, "{took} exited {code}"),
            Ending::Signalled { signal } => writeln!(f, "{took} signalled {signal}"),
            Ending::TimedOut => writeln!(f, "{took} timed-out"),
            Ending::Flooded => writeln!(f, "{took} flooded"),
            Ending::NotRun { why } => writeln!(f, "{took} not-run {}", why.replace('\n', " ")),
        }
    }
}

impl Report {
    /// Parses a report. `None` if `text` is not a valid report.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (took, ending) = text.strip_suffix('\n')?.split_once(' ')?;
        let (word, rest) = ending.split_once(' ').unwrap_or((ending, ""));
        let ending = match word {
            "exited" => Ending::Exited { code: rest.parse().ok()? },
            "signalled" => Ending::Signalled { signal: rest.parse().ok()? },
            "timed-out" => Ending::TimedOut,
            "flooded" => Ending::Flooded,
            "not-run" => Ending::NotRun { why: rest.to_owned() },
            _ => return None,
        };
        Some(Self { ending, took: Duration::from_millis(took.parse().ok()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        for ending in [
            Ending::Exited { code: 0 },
            Ending::Exited { code: 255 },
            Ending::Signalled { signal: 9 },
            Ending::TimedOut,
            Ending::Flooded,
            Ending::NotRun { why: "start the program: No such file".to_owned() },
        ] {
            let report = Report { ending, took: Duration::from_millis(1234) };
            assert_eq!(Report::parse(&report.to_string()), Some(report));
        }
    }

    #[test]
    fn an_invalid_report_is_none() {
        for text in ["", "\n", "12 exited 0", "x exited 0\n", "12 exited\n", "12 sang 3\n"] {
            assert_eq!(Report::parse(text), None, "{text:?}");
        }
    }
}
