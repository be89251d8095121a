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

/// What a program said, or why it said nothing.
pub(crate) type Said<T, E> = Result<T, ProgramFailure<E>>;

/// There is no answer that can be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramFailure<E: std::error::Error> {
    /// There was no answer.
    #[error(transparent)]
    Asking(OracleFailure),
    /// What it said is none.
    #[error(transparent)]
    Answer(E),
}

/// A program that may be asked in a project.
pub(crate) struct DriftProgram<'a> {
    pub(crate) command: &'a ProgramCommand,
    pub(crate) limit: Duration,
    /// The project's, in which no program is taken for it.
    pub(crate) root: &'a Path,
    pub(crate) environment: &'a Environment,
}

impl DriftProgram<'_> {
    /// The scorer program's score. It gets the goal, the limits, what was done, and the score by rules.
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

    /// What it reads out of a prompt. It is told what the person says, and what rules make of it.
    pub(crate) fn reading(&self, request: &ReadingRequest) -> Option<Said<Reading, NoReading>> {
        self.ask(&json!(request), parse_reading)
    }

    /// Nothing where the session is the program's own.
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

/// The record of a reading, before its prompt.
pub(crate) fn recorded(read: &Said<Reading, NoReading>) -> Event {
    match read {
        Ok(reading) => reading_event(reading),
        Err(failure) => asked(READER, Asked::Failed, &failure.to_string()),
    }
}
