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

impl State {
    /// A stop that waits for a subagent passes uncounted: it is asked for again later.
    fn is_stop_that_waits(&self, Record { draft, .. }: &Record) -> bool {
        match &draft.event {
            Event::StopRequested(request) => self.session.waits_for_subagents(request, draft.at),
            _ => false,
        }
    }
}

impl Fold for State {
    // The session's own version counts too.
    const VERSION: u32 = 100 * Session::VERSION + 2;

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
        if matches!(actor, Actor::Main { .. }) && !self.is_stop_that_waits(record) {
            self.stops.apply(record);
        }
        match &draft.event {
            Event::StartTreeTaken(tree) => self.work.begin(tree),
            Event::ToolRequested(call) => {
                if let Some(file) = call.edited_file() {
                    self.work.touched.add(file);
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
