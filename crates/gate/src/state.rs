//! The state of a session with all gates, for the tests of this crate. The engine's registry
//! declares the state that programs use.

use crate::delegation::Delegation;
use crate::drift::Watch;
use crate::habits::Told;
use crate::learning::Learning;
use crate::permission::GuardState;
use crate::review::Review;
use crate::verification::Verification;

crate::session_state! {
    pub(crate) struct State {
        guard: GuardState,
        verification: Verification,
        review: Review,
        learning: Learning,
        habits: Told,
        delegation: Delegation,
        drift: Watch,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_event::{Actor, Event, StartTree, SubagentId, Verdict};

    use super::*;
    use crate::review;
    use crate::review::tests::built::work;
    use crate::review::tests::play::Play;
    use crate::review::{Outcome, Phase, Say};
    use crate::work::Work;
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
    fn changes_of_other_gates_or_of_unknown_form_do_not_affect_a_gate() {
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
            let gate = gate.into();
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
