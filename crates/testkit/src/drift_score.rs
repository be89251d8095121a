//! How the score of the course does on labelled traces.

use serde::Deserialize;
use serde_json::Value;
use verger_drift::Tasks;
use verger_drift::goal::persons_words;
use verger_drift::score::{Assessment, Course, Interval, Reason, Score};
use verger_drift::step::{Outcome, Step};

use crate::batch::batch;
use crate::guard_corpus::Part;
use crate::guard_score::Share;

/// Where the traces say that the project is.
const ROOT: &str = "/home/dev/app";

/// What a person asked for and what an agent did, with whether that was on course.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Kind and position in the kind.
    pub id: String,
    /// `en` or `ja`.
    pub lang: String,
    /// What it is an example of.
    pub kind: String,
    /// What happened, in its order.
    pub events: Vec<TraceEvent>,
    /// Where it leaves its course.
    pub drift: Option<TraceDrift>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum TraceEvent {
    /// A person spoke, or a machine in their place.
    Prompt {
        /// As it was typed.
        prompt: String,
    },
    /// The agent used a tool.
    Call {
        /// Which.
        tool: String,
        /// With what.
        input: Value,
        /// Whether it failed.
        #[serde(default)]
        failed: bool,
        /// What it printed.
        #[serde(default)]
        output: String,
    },
}

/// Where a trace leaves its course.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceDrift {
    /// The first event that is off course, counted from 0.
    pub from: usize,
    /// Why.
    pub why: String,
}

/// A trace and what the score says.
#[derive(Debug)]
pub struct ScoredTrace {
    /// The trace.
    pub trace: Trace,
    /// The assessments, each with the event after which it was made.
    pub assessments: Vec<(usize, Assessment)>,
}

/// What is counted over traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriftTotals {
    /// Corrected, and not before they drift, of those that do.
    pub recall: Share,
    /// Corrected, of those that stay on course.
    pub false_corrections: Share,
}

/// All traces of a part, in the order of the file, with what the score says.
pub fn score_traces(part: Part) -> Vec<ScoredTrace> {
    let lines = match part {
        Part::Tune => include_str!("../../drift/tests/corpus/traces-tune.jsonl"),
        Part::HeldOut => include_str!("../../drift/tests/corpus/traces-heldout.jsonl"),
    };
    let scored = |line| {
        let trace: Trace = serde_json::from_str(line).unwrap();
        let assessments = replay(&trace.events);
        ScoredTrace { trace, assessments }
    };
    lines.lines().map(scored).collect()
}

/// What a course is worth whenever it is assessed, and at the end.
fn replay(events: &[TraceEvent]) -> Vec<(usize, Assessment)> {
    let (mut course, mut tasks) = (Course::default(), Tasks::default());
    let mut assessments = Vec::new();
    for (at, event) in events.iter().enumerate() {
        match event {
            TraceEvent::Prompt { prompt } => {
                // It is about what was done until then.
                let action = tasks.prompted(&persons_words(prompt)).action;
                let heard = course.apply_task_prompt(prompt, Some(ROOT), action);
                assessments.extend(heard.and_then(|(_, said)| Some((at.checked_sub(1)?, said))));
            }
            TraceEvent::Call { tool, input, failed, output } => {
                let outcome = Outcome { failed: *failed, output };
                let step = Step::of_call(tool, input, outcome, Some(ROOT));
                let said = course.apply_step(&step, Interval::default());
                assessments.extend(said.map(|said| (at, said)));
            }
        }
    }
    assessments.extend(events.len().checked_sub(1).map(|last| (last, course.assess())));
    assessments
}

impl ScoredTrace {
    /// Which were written together with it.
    pub fn batch(&self) -> &str {
        batch(&self.trace.id)
    }

    /// The first assessment that asks for a correction, with the event after which it was made.
    pub fn correction(&self) -> Option<&(usize, Assessment)> {
        self.assessments.iter().find(|(_, said)| said.score.asks_for_correction())
    }

    /// Whether it is corrected when, and only when, it drifts.
    pub fn is_right(&self) -> bool {
        match (&self.trace.drift, self.correction()) {
            (None, correction) => correction.is_none(),
            (Some(drift), Some((at, _))) => *at >= drift.from,
            (Some(_), None) => false,
        }
    }

    /// The lowest score, and what speaks against the course then.
    pub fn worst(&self) -> (Score, Vec<Reason>) {
        let worst = self.assessments.iter().map(|(_, said)| said).min_by_key(|said| said.score);
        worst.map_or((Score::BEST, Vec::new()), |said| (said.score, said.reasons.clone()))
    }
}

impl DriftTotals {
    /// Counts them.
    pub fn of<'a>(scored: impl IntoIterator<Item = &'a ScoredTrace>) -> Self {
        let (drifting, steady): (Vec<_>, Vec<_>) =
            scored.into_iter().partition(|one| one.trace.drift.is_some());
        let right = drifting.iter().filter(|one| one.is_right()).count();
        let wrong = steady.iter().filter(|one| !one.is_right()).count();
        Self {
            recall: Share { some: right, of: drifting.len() },
            false_corrections: Share { some: wrong, of: steady.len() },
        }
    }
}
