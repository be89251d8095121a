//! One step of the gate.

use verger_drift::recovery::{Alignment, Phase};
use verger_drift::score::Assessment;
use verger_event::Event;

use super::change::{Change, Finding};
use super::{GATE, Mode, Policy, Watch};

/// What happened, as far as the course is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The agent did something.
    Did {
        /// Where that leads.
        bearing: Alignment,
        /// What the course is worth, if it is time to say so.
        due: Option<Due>,
        /// What speaks against it by now, if it is not time and the agent is to go back.
        found: Option<Finding>,
    },
    /// The agent stops, or a person says something: what was done until then is scored for the record.
    Ended(Due),
    /// The agent is about to do something.
    Wants {
        /// Where that leads.
        bearing: Alignment,
        /// The call.
        what: String,
    },
}

/// What a course is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// How far the agent is on course.
    pub assessment: Assessment,
    /// What was asked for.
    pub goal: String,
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// What the log keeps, in order.
    pub changes: Vec<Change>,
    /// What is said of a call.
    pub say: Say,
}

/// What is said of a call. Corrections wait in the state for an event that can carry them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Say {
    /// Nothing.
    #[default]
    Nothing,
    /// It must not run: the agent did not go back.
    Deny,
    /// It may run, although the agent did not go back: it was denied often enough.
    LetGo,
}

/// Decides.
pub fn step(watch: &Watch, input: Input, policy: &Policy) -> Step {
    if policy.mode == Mode::Off {
        return Step::default();
    }
    let is_told = policy.mode == Mode::Correct;
    match input {
        Input::Ended(due) => Step { changes: vec![scored(due, false)], say: Say::Nothing },
        Input::Did { bearing, due, found } => {
            let mut changes = vec![];
            let waits = matches!(watch.phase(), Phase::Waiting { .. });
            if waits && is_told && bearing != Alignment::Neutral && watch.pending().is_none() {
                let finding = found.filter(|_| bearing == Alignment::Astray);
                changes.push(Change::Stepped { alignment: bearing, finding });
            }
            changes.extend(due.map(|due| scored(due, is_told)));
            Step { changes, say: Say::Nothing }
        }
        Input::Wants { bearing, what } => {
            let is_forced = matches!(watch.phase(), Phase::Forced { .. });
            if !is_forced || !is_told || bearing != Alignment::Astray {
                return Step::default();
            }
            if watch.denials() < policy.max_denials {
                return Step { changes: vec![Change::Denied { what }], say: Say::Deny };
            }
            Step { changes: vec![Change::LetGo { what }], say: Say::LetGo }
        }
    }
}

fn scored(Due { assessment, goal }: Due, is_told: bool) -> Change {
    let finding = Finding::of(&assessment, &goal);
    Change::Scored { score: assessment.score, finding, is_told }
}

/// What the log keeps of the changes of a step that was decided for `watch`.
pub fn events(watch: &Watch, changes: &[Change]) -> (Vec<Event>, Watch) {
    let mut watch = watch.clone();
    let events = changes.iter().map(|change| {
        let from = name(watch.phase()).to_owned();
        watch.apply(change);
        Event::GateChanged {
            gate: GATE.to_owned(),
            from,
            to: match change {
                Change::LetGo { .. } => "let go".to_owned(),
                _ => name(watch.phase()).to_owned(),
            },
            cause: change.cause(),
            // Texts and numbers have a JSON form.
            change: serde_json::to_value(change).ok(),
        }
    });
    let events = events.collect();
    (events, watch)
}

fn name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Normal => "on course",
        Phase::Waiting { .. } => "to go back",
        Phase::Forced { .. } => "did not go back",
    }
}
