//! Everything that one hook call knows of its session, folded from its records.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};
use verger_drift::READER;
use verger_event::{Actor, Event, Fold, Record, Session};

use crate::asking::Breaker;
use crate::delegation::{self, Delegation};
use crate::drift::{self, Watch};
use crate::habits;
use crate::learning::{self, Learning};
use crate::permission::opinion::OPINION;
use crate::permission::{self, release::Releases};
use crate::review::{self, Review};
use crate::stops::Stops;
use crate::verification::{self, Verification};
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
    /// The learning gate.
    pub learning: Learning,
    /// What a person let run although the guard of permissions is against it.
    #[serde(default)]
    pub releases: Releases,
    /// Whether a program is asked for its opinion.
    #[serde(default)]
    pub opinion: Breaker,
    /// What a main agent that leads did itself.
    #[serde(default)]
    pub delegation: Delegation,
    /// The verification gate.
    #[serde(default)]
    pub verification: Verification,
    /// The habits that agents were told of.
    #[serde(default)]
    pub habits: habits::Told,
    /// The last score and finding of drift.
    #[serde(default)]
    pub drift: Watch,
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
    const VERSION: u32 = 100 * Session::VERSION + 15;

    fn apply(&mut self, record: &Record) {
        let draft = &record.draft;
        let actor = &draft.origin.actor;
        let task = self.session.current_task();
        let is_persons_prompt = self.session.is_persons_prompt(actor, &draft.event);
        self.session.apply(record);
        if self.session.current_task() != task {
            self.work = Work::default();
            self.review.begin_task();
            self.learning.begin_task();
            self.verification.begin_task();
        }
        if is_persons_prompt {
            self.stops.forget();
            self.review.prompted();
            self.drift.prompted();
        }
        if matches!(actor, Actor::Main { .. }) && !self.is_stop_that_waits(record) {
            self.stops.apply(record);
        }
        self.learning.take(record);
        self.habits.take(actor, &draft.event);
        self.drift.take(actor, &draft.event);
        match &draft.event {
            Event::StartTreeTaken(tree) => {
                self.work.begin(tree, draft.origin.circumstance.cwd.as_deref());
            }
            Event::SubagentStarted => self.delegation.delegated(),
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
            Event::GateChanged { gate, change: Some(change), .. } if gate == learning::GATE => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.learning.apply(&change, draft.at);
                }
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == permission::GUARD => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.releases.apply(&change, draft.at);
                }
            }
            Event::GateChanged { gate, change: Some(change), cause, .. } if gate == OPINION => {
                if let Ok(asked) = serde_json::from_value(change.clone()) {
                    self.opinion.apply(asked, draft.at, cause);
                }
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == delegation::GATE => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.delegation.apply(&change, draft.at);
                }
            }
            Event::GateChanged { gate, change: Some(change), cause, .. }
                if gate == drift::SCORER || gate == READER =>
            {
                if let Ok(asked) = serde_json::from_value(change.clone()) {
                    self.drift.asked(gate, asked, (draft.at, cause));
                }
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == drift::GATE => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.drift.apply(&change);
                }
            }
            Event::GateChanged { gate, change: Some(change), .. } if gate == verification::GATE => {
                if let Ok(change) = serde_json::from_value(change.clone()) {
                    self.verification.apply(&change, draft.at);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_event::{StartTree, SubagentId, Verdict};

    use super::*;
    use crate::review::tests::built::work;
    use crate::review::tests::play::Play;
    use crate::review::{Outcome, Phase, Say};
    use crate::work::{Start, Touched};

    fn main() -> Actor {
        Actor::Main { agent_type: None }
    }

    fn subagent() -> Actor {
        Actor::Subagent { id: SubagentId::new("a"), agent_type: "general".to_owned() }
    }

    #[test]
    fn a_task_has_its_own_work_and_its_own_gate() {
        let mut play = Play::default();
        play.prompt("#review");
        play.edit(work("a"), "a.rs");
        play.record(main(), &Event::StartTreeTaken(StartTree::Tree(json!("t1"))));
        play.edit(work("b"), "b.rs");
        let files = ["a.rs", "b.rs"].map(str::to_owned).into();
        let expected =
            Work { start: Start::Tree(json!("t1")), touched: Touched { files, more: 0 } };
        assert_eq!(play.state.work, expected, "also what was touched before the start was taken");
        play.start_reviewer("r1");
        play.prompt("and more");
        assert_eq!(play.state.work, expected, "the same task");
        assert_eq!(play.state.review.reviewers.iter().count(), 1);
        play.skip();
        play.stop();
        play.prompt("another task");
        assert_eq!(play.state.work, Work::default());
        assert_eq!(play.state.review, Review::default());
    }

    #[test]
    fn refusals_of_other_gates_count_and_a_person_begins_the_row_anew() {
        let mut play = Play::default();
        play.prompt("fix it");
        let refused = |play: &mut Play| {
            assert_eq!(play.stop(), Say::Nothing, "the review gate has nothing against it");
            let on = play.last_stop;
            let verdict = Verdict::Deny { reason: "learn first".to_owned() };
            play.record(main(), &Event::VerdictGiven { verdict, on, by: vec![], notice: None });
        };
        for _ in 0..7 {
            assert!(play.state.stops.may_refuse());
            refused(&mut play);
        }
        assert!(!play.state.stops.may_refuse());
        play.prompt("learn first");
        let origin = verger_event::PromptOrigin::Person;
        let prompt = "from a subagent".to_owned();
        play.record(subagent(), &Event::PromptSubmitted { origin, prompt });
        assert!(!play.state.stops.may_refuse());
        play.prompt("go on");
        assert!(play.state.stops.may_refuse());
    }

    #[test]
    fn what_is_not_the_gates_or_not_known_leaves_it_alone() {
        let mut play = Play::default();
        play.prompt("#review");
        let before = play.state.review.clone();
        let released = || json!({ "is": "released", "by": "person" });
        for (gate, change) in [
            ("learning", Some(released())),
            ("review", Some(json!({ "is": "not known yet" }))),
            ("review", Some(json!(7))),
            ("review", None),
        ] {
            let [from, to, cause] = ["pending", "idle", "?"].map(str::to_owned);
            let gate = gate.to_owned();
            play.record(main(), &Event::GateChanged { gate, from, to, cause, change });
            assert_eq!(play.state.review, before);
        }
    }

    #[test]
    fn an_approval_of_an_earlier_task_is_remembered_as_such() {
        let mut play = Play::default();
        play.prompt("#review");
        play.review("r1", Outcome::Complete);
        let given = play.state.review.phase.approval().cloned().unwrap();
        assert_eq!(play.stop(), Say::Nothing);
        play.prompt("the next task");
        let earlier = review::Approval { prompts_since: 1, ..given };
        let after = review::After::Approved(earlier);
        assert_eq!(play.state.review.phase, Phase::Idle { after });
    }
}
