//! What follows from an input: the one function that decides.

use verger_event::Timestamp;

use super::Verification;
use super::change::{Change, ReleasedBy};
use super::input::Input;
use super::policy::Policy;
use super::watched::shows;

/// What follows from an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What the log keeps, in order.
    pub changes: Vec<Change>,
    /// What is said.
    pub say: Say,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// Nothing.
    Nothing,
    /// It is taken.
    Taken,
    /// There is nothing to open.
    NothingToOpen,
}

/// Decides.
pub fn step(gate: &Verification, input: &Input<'_>, _policy: &Policy, _now: Timestamp) -> Step {
    match input {
        Input::Started { run, profile, content } => {
            let (run, content) = ((*run).to_owned(), (*content).clone());
            one(Change::Started { run, profile: *profile, content }, Say::Taken)
        }
        Input::Ended(verified) => {
            let verified = Box::new((*verified).clone());
            one(Change::Verified { verified }, Say::Taken)
        }
        Input::Lost { run } => match &gate.started {
            Some(started) if started.run == *run => {
                one(Change::Lost { run: (*run).to_owned() }, Say::Taken)
            }
            Some(_) | None => silence(),
        },
        Input::Failed { what, kind } => {
            one(Change::Failed { what: (*what).to_owned(), kind: *kind }, Say::Nothing)
        }
        Input::Succeeded { what } => {
            let well = gate.failures.iter().filter(|failure| shows(what, &failure.what));
            let changes = well.map(|failure| Change::Succeeded { what: failure.what.clone() });
            Step { changes: changes.collect(), say: Say::Nothing }
        }
        Input::Skip { reason } => match gate.phase.open_ask() {
            Some(_) => {
                let reason = reason.map(str::to_owned);
                one(Change::Released { by: ReleasedBy::Person, reason }, Say::Taken)
            }
            None => Step { changes: vec![], say: Say::NothingToOpen },
        },
    }
}

fn silence() -> Step {
    Step { changes: vec![], say: Say::Nothing }
}

fn one(change: Change, say: Say) -> Step {
    Step { changes: vec![change], say }
}

impl Step {
    /// The gate after it.
    #[must_use]
    pub fn applied_to(&self, gate: &Verification, now: Timestamp) -> Verification {
        let mut after = gate.clone();
        for change in &self.changes {
            after.apply(change, now);
        }
        after
    }
}
