//! Asks the program of the user's choice how far an agent is on course.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use verger_config::ProgramCommand;
use verger_drift::Track;
use verger_gate::course::{NoScore, ScoreGiven};

use crate::Environment;
use crate::oracle::{OracleFailure, ask};

/// There is no score.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScorerFailure {
    /// There was no answer.
    #[error(transparent)]
    Asking(#[from] OracleFailure),
    /// What it said is no score.
    #[error(transparent)]
    Answer(#[from] NoScore),
}

/// What the program thinks. It is told what was asked for, what was done, and what rules make of it.
pub(crate) fn ask_score(
    program: &ProgramCommand,
    (track, root): (&Track, &Path),
    limit: Duration,
    environment: &Environment,
) -> Result<ScoreGiven, ScorerFailure> {
    let assessment = track.assess();
    let done = track.handoff(&[]).unwrap_or_default();
    let told = json!({
        "goal": done.goal,
        "constraints": done.constraints,
        "done": done.progress,
        "files": done.files,
        "state": done.state,
        "score": assessment.score.get(),
        "reasons": assessment.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    Ok(ScoreGiven::parse(&ask(program, (&told, Some(root)), limit, environment.all())?)?)
}
