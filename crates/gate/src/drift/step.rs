//! The decision of the drift gate. It maps an input and the state to changes and to a decision
//! about a call.

use verger_drift::recovery::Phase;
use verger_drift::score::Assessment;
use verger_event::Event;

use super::change::{Change, Finding};
use super::{GATE, Mode, Policy, Watch};

/// An event that may change drift's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Tool calls ended, and the session was scored.
    Worked {
        /// The assessment of the session.
        due: Due,
        /// Paths whose content is again that from the start of the task.
        restored: Vec<String>,
    },
    /// The agent stops, and the session was scored. The score is recorded, but the agent gets no
    /// message.
    Ended(Due),
    /// The agent requests a call that would repeat an action that broke a limit three times.
    Repeats {
        /// A short description of the call.
        what: String,
    },
}

/// An assessment of the session, and the goal at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The session's score and its reasons.
    pub assessment: Assessment,
    /// The goal of the task, in the person's words.
    pub goal: String,
}

/// The result of an input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// The changes of drift's state for the log, in order.
    pub changes: Vec<Change>,
    /// The decision about the requested call.
    pub say: Say,
}

/// The decision about a requested call. Corrections aren't part of it: they stay in the state until
/// an event can deliver them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Say {
    /// No decision about a call.
    #[default]
    Nothing,
    /// The call must not run.
    Deny,
    /// The call may run, because it was denied as often as allowed.
    Release,
}

/// Decides about an input. The returned changes describe the new state; `watch` stays the same.
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

/// The change for the log if the score or the finding differs from the last one.
fn scored(watch: &Watch, due: &Due, is_told: bool) -> Option<Change> {
    let finding = Finding::of(&due.assessment, &due.goal);
    let score = due.assessment.score;
    let is_same = watch.score() == score && watch.finding() == finding.as_ref();
    // A finding that was recorded without a message is recorded again when the agent gets a
    // message.
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
