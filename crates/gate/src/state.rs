//! Everything that one hook call knows of its session, folded from its records.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};
use verger_event::{Actor, Event, Fold, Record, Session};

use crate::review::{self, Review};
use crate::stops::Stops;
use crate::work::Work;

/// A session with the states of all gates.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// The session itself.
    pub session: Session,
    /// The work of the task in hand.
    pub work: Work,
    /// Refused stops, by whichever gates.
    pub stops: Stops,
    /// The review gate.
    pub review: Review,
}

impl Borrow<Session> for State {
    fn borrow(&self) -> &Session {
        &self.session
    }
}

impl Fold for State {
    // The session's own version counts too.
    const VERSION: u32 = 100 * Session::VERSION + 1;

    fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        let actor = &draft.origin.actor;
        let task = self.session.current_task();
        let is_persons_prompt = self.session.is_persons_prompt(actor, &draft.event);
        self.session.apply(record);
        if self.session.current_task() != task {
            self.work = Work::default();
            self.review.begin_task();
        }
        if is_persons_prompt {
            self.stops.forget();
            self.review.prompted();
        }
        if matches!(actor, Actor::Main { .. }) {
            self.stops.apply(record);
        }
        match &draft.event {
            Event::StartTreeTaken(tree) => self.work.start(tree),
            Event::ToolRequested(call) => {
                if let Some(file) = call.edited_file() {
                    self.work.touch(file);
                }
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == review::GATE => {
                // A change that a newer version wrote and this one cannot read is passed over.
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.review.apply(&change, draft.at);
                }
            }
            _ => {}
        }
    }
}
