//! The decision of drift: it maps an input and the state to changes and a message.

use verger_drift::recovery::Phase;
use verger_drift::score::Assessment;
use verger_event::Event;

use super::change::{Change, Finding};
use super::{GATE, Mode, Policy, Watch};

/// An event that concerns drift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Tool calls ended.
    Worked {
        /// The assessment.
        due: Due,
        /// Paths that have their content from the start of the task again.
        restored: Vec<String>,
    },
    /// The agent stops. The score is recorded, but the agent gets no message.
    Ended(Due),
    /// The agent is about to repeat an action that broke a limit three times.
    Repeats {
        /// The call.
        what: String,
    },
}

/// An assessment with its goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The score and its reasons.
    pub assessment: Assessment,
    /// The goal in the person's words.
    pub goal: String,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// The changes for the log, in order.
    pub changes: Vec<Change>,
    /// The decision about a call.
    pub say: Say,
}

/// The decision about a call. Corrections aren't in it: they stay in the state until an event can
/// deliver them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Say {
    /// No decision.
    #[default]
    Nothing,
    /// The call must not run.
    Deny,
    /// The call may run, because the limit of denials was reached.
    Release,
}

/// Decides about an input.
pub fn step(watch: &Watch, input: Input, policy: &Policy) -> Step {
    if policy.mode == Mode::Off {
        return Step::default();
    }
    let is_told = policy.mode == Mode::Correct;
    match input {
        Input::Ended(due) => {
            Step { changes: scored(watch, &due, false).into_iter().collect(), say: Say::Nothing }
        }
        Input::Worked { due, restored } => {
            let restored = (!restored.is_empty()).then_some(Change::Restored { restored });
            let changes = restored.into_iter().chain(scored(watch, &due, is_told)).collect();
            Step { changes, say: Say::Nothing }
        }
        Input::Repeats { what } => {
            if !is_told || !matches!(watch.phase(), Phase::Forced { .. }) {
                return Step::default();
            }
            if watch.denials() < policy.max_denials {
                return Step { changes: vec![Change::Denied { what }], say: Say::Deny };
            }
            Step { changes: vec![Change::Released { what }], say: Say::Release }
        }
    }
}

/// The change for a score or a finding, if it differs from the last one.
fn scored(watch: &Watch, due: &Due, is_told: bool) -> Option<Change> {
    let finding = Finding::of(&due.assessment, &due.goal);
    let score = due.assessment.score;
    let is_same = watch.score() == score && watch.finding() == finding.as_ref();
    // A finding that was recorded without a message is recorded again when the agent gets one.
    let is_to_be_told = is_told && finding.is_some() && !watch.is_known_to_recovery();
    (!is_same || is_to_be_told).then_some(Change::Scored { score, finding, is_told })
}

/// The log events for the changes of a step, and the state after them.
pub fn events(watch: &Watch, changes: &[Change]) -> (Vec<Event>, Watch) {
    let mut watch = watch.clone();
    let events = changes.iter().map(|change| {
        let from = name(watch.phase()).to_owned();
        watch.apply(change);
        Event::GateChanged {
            gate: GATE.into(),
            from,
            to: match change {
                Change::Released { .. } => "released".to_owned(),
                _ => name(watch.phase()).to_owned(),
            },
            cause: change.cause(),
            // Serializing texts and numbers can't fail.
            change: serde_json::to_value(change).ok(),
        }
    });
    let events = events.collect();
    (events, watch)
}

fn name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Normal => "normal",
        Phase::Drifted { .. } => "drifted",
        Phase::Forced { .. } => "forced",
    }
}
