//! Asks the reader program to read a prompt, or the scorer program to score a session.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use verger_config::ProgramCommand;
use verger_drift::score::Score;
use verger_drift::{READER, Reading, ReadingRequest, Track};
use verger_event::Event;
use verger_gate::asking::{Asked, asked};
use verger_gate::drift::{NoReading, NoScore, ScoreGiven, parse_reading, reading_event};

use crate::Environment;
use crate::gates::guard::oracle::{Oracle, OracleFailure};

/// A program's answer, or the reason why there is none.
pub(crate) type Said<T, E> = Result<T, ProgramFailure<E>>;

/// The reason why a program gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramFailure<E: std::error::Error> {
    /// The program gave no answer.
    #[error(transparent)]
    Asking(OracleFailure),
    /// The program's output is not a valid answer.
    #[error(transparent)]
    Answer(E),
}

/// A reader or scorer program, with its limits.
pub(crate) struct DriftProgram<'a> {
    pub(crate) command: &'a ProgramCommand,
    pub(crate) limit: Duration,
    /// The project's root. A program inside the project is never used.
    pub(crate) root: &'a Path,
    pub(crate) environment: &'a Environment,
}

impl DriftProgram<'_> {
    /// Asks the scorer program. Its input is the goal, the limits, the steps, and the score that
    /// verger's own rules give.
    pub(crate) fn score(&self, track: &Track) -> Option<Said<ScoreGiven, NoScore>> {
        let assessment = track.assess();
        let done = track.handoff(&[]).unwrap_or_default();
        let told = json!({
            "goal": done.goal,
            "constraints": done.constraints,
            "done": done.progress,
            "files": done.files,
            "state": done.state,
            "score": assessment.score.map(Score::get),
            "reasons": assessment.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        self.ask(&told, ScoreGiven::parse)
    }

    /// Asks the reader program. Its input is the prompt, and what verger's own rules read in it.
    pub(crate) fn reading(&self, request: &ReadingRequest) -> Option<Said<Reading, NoReading>> {
        self.ask(&json!(request), parse_reading)
    }

    /// Asks the program. Returns `None` in a process that the program itself started.
    fn ask<T, E: std::error::Error>(
        &self,
        told: &Value,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Option<Said<T, E>> {
        let oracle = Oracle {
            command: self.command,
            limit: self.limit,
            root: Some(self.root),
            environment: self.environment.all(),
        };
        match oracle.ask(told) {
            Ok(answer) => Some(parse(&answer).map_err(ProgramFailure::Answer)),
            Err(OracleFailure::AskedAlready) => None,
            Err(failure) => Some(Err(ProgramFailure::Asking(failure))),
        }
    }
}

/// The event that records the reader program's answer.
pub(crate) fn recorded(read: &Said<Reading, NoReading>) -> Event {
    match read {
        Ok(reading) => reading_event(reading),
        Err(failure) => asked(READER, Asked::Failed, &failure.to_string()),
    }
}
