//! Tests invariants of the review gate with random sequences of events. The number of refused stops
//! is limited, an approval is for the current content, and no act of an agent alone opens the gate.

use std::collections::BTreeMap;

use proptest::prelude::*;
use verger_event::TaskState;

use super::super::*;
use super::acts::{Act, agents_act, any_act, any_play, any_policy, content, perform, waits, watch};
use super::built::{no_work, work};
use super::play::Play;
use crate::Content;
use crate::blocks::Mark;
use crate::played::{Refusals, RefusedInARow, check_small};

proptest! {
    #[test]
    fn a_gate_refuses_three_stops_of_an_agent_that_stands_still(played in any_play()) {
        let mut refusals = Refusals::default();
        watch(played, |before, _, say, play| {
            let task = play.state.session.current_task();
            let is_over = play.state.review.phase.open_want().is_none();
            if before.session.current_task() != task || is_over {
                refusals.forget();
            }
            let Say::RefuseStop(hold) = say else { return };
            let findings = hold.want.findings.as_ref().map(|found| found.summary.clone());
            let mark = Mark { content: play.content.hash.clone(), findings };
            refusals.check(mark, play.now(), hold.number);
        });
    }

    /// While a review is wanted, the gate refuses every stop that the limits allow it to refuse.
    #[test]
    fn a_stop_is_refused_while_a_review_is_wanted_and_the_bounds_allow_it(played in any_play()) {
        watch(played, |before, act, say, play| {
            let (Act::Stop { .. }, Some(want)) = (act, before.review.phase.open_want()) else {
                return;
            };
            let is_approved =
                want.lapsed.as_ref().is_some_and(|lapsed| lapsed.content == play.content.hash);
            let is_nothing = want.trigger == Trigger::Always && play.content == no_work();
            let counted = before.review.blocks.last().map_or(0, |block| block.number);
            let forced = matches!(say, Say::PassUnapproved {
                by: ReleasedBy::Breaker | ReleasedBy::Limit, ..
            });
            match say {
                _ if waits(before, act, play) => assert_eq!(*say, Say::Nothing),
                _ if is_approved || is_nothing => assert_eq!(*say, Say::Nothing),
                _ if forced => assert!(counted == 3 || !before.stops.may_refuse()),
                _ => assert!(matches!(say, Say::RefuseStop(_)), "{say:?}"),
            }
        });
    }

    #[test]
    fn seven_stops_in_a_row_are_refused_at_most(
        policy in any_policy(),
        max_blocks in 1..20_u32,
        acts in prop::collection::vec(
            prop_oneof![9 => Just(Act::Stop { beside: None }), 1 => any_act()], 0..60,
        ),
    ) {
        let blocks = crate::blocks::Policy { max_blocks, ..policy.blocks };
        let acts = [vec![Act::Prompt("#review")], acts].concat();
        let mut in_a_row = RefusedInARow::default();
        watch((Policy { blocks, ..policy }, acts), |before, act, say, play| match (act, say) {
            (Act::Prompt(_), _) => in_a_row.interrupted(),
            (Act::Stop { .. }, Say::RefuseStop(_)) => in_a_row.refused(),
            (Act::Stop { .. }, _) if !waits(before, act, play) => in_a_row.interrupted(),
            _ => {}
        });
    }

    #[test]
    fn a_stop_beside_a_running_subagent_passes_uncounted_for_ten_minutes(played in any_play()) {
        watch(played, |before, act, say, play| {
            if waits(before, act, play) {
                assert_eq!((say, &play.changes), (&Say::Nothing, &vec![]));
                assert_eq!(play.state.stops, before.stops);
                assert_eq!(play.state.review, before.review);
                assert_eq!(play.state.session.task, before.session.task);
            }
        });
    }

    #[test]
    fn outside_the_scope_session_an_approval_opens_tools_for_its_own_content_alone(
        played in any_play(),
    ) {
        let mut approved = None;
        watch(played, |before, act, say, play| {
            let task = play.state.session.current_task();
            if before.session.current_task() != task {
                approved = None;
            }
            for change in &play.changes {
                match change {
                    Change::Decided { decision, content, .. } => match decision.outcome {
                        Outcome::Complete => approved = Some(content.clone()),
                        Outcome::Issues => approved = None,
                        Outcome::Unavailable => {}
                    },
                    Change::Wanted { .. } => approved = None,
                    _ => {}
                }
            }
            let passes = matches!((act, say), (Act::Gated(_), Say::PassApproved(_)));
            if passes && play.policy.scope != Scope::Session {
                assert_eq!(approved.as_ref(), Some(&play.content.hash));
            }
        });
    }

    #[test]
    fn an_approved_stop_passes_if_and_only_if_the_content_is_the_approved_one(
        played in any_play(),
    ) {
        watch(played, |before, act, say, play| {
            let (Act::Stop { .. }, Phase::Approved { want, approval }) =
                (act, &before.review.phase)
            else { return };
            let is_free = want.trigger == Trigger::Reviewer || waits(before, act, play)
                || (want.trigger == Trigger::Always && play.content == no_work());
            let is_unknown = play.content == Content::unknown();
            assert_eq!(*say == Say::PassUnknown, is_unknown && !is_free);
            let passes = is_free || approval.content == play.content.hash;
            assert_eq!(*say == Say::Nothing, passes);
        });
    }

    #[test]
    fn nothing_but_a_reviewers_approval_leads_to_approved(played in any_play()) {
        let mut approvals = vec![];
        watch(played, |before, _, _, play| {
            let completes = play.changes.iter().filter_map(|change| match change {
                Change::Decided { decision, content, .. }
                    if decision.outcome == Outcome::Complete => Some(content.clone()),
                _ => None,
            });
            approvals.extend(completes);
            if let Phase::Approved { approval, .. } = &play.state.review.phase {
                assert!(approvals.contains(&approval.content));
                let is_new = before.review.phase.name() != "approved";
                let by_content = play.changes == [Change::Restored];
                let by_reviewer = play.changes.iter().any(|change| {
                    matches!(change, Change::Decided { decision, .. }
                        if decision.outcome == Outcome::Complete)
                });
                assert!(!is_new || by_reviewer || by_content, "{:?}", play.changes);
            }
        });
    }

    #[test]
    fn a_release_is_never_an_approval(played in any_play()) {
        watch(played, |_, _, _, play| {
            let releases = |change: &Change| matches!(change, Change::Released { .. });
            if play.changes.last().is_some_and(releases) {
                assert_eq!(play.state.review.phase.approval(), None);
                let approves = play.changes.iter().any(|change| {
                    matches!(change, Change::Decided { decision, .. }
                        if decision.outcome == Outcome::Complete)
                });
                assert!(!approves);
            }
        });
    }

    #[test]
    fn a_token_decides_once_and_only_what_its_reviewer_was_seen_to_decide(played in any_play()) {
        let mut seen: BTreeMap<ReviewerId, Option<DecisionDigest>> = BTreeMap::new();
        watch(played, |_, _, _, play| {
            for change in &play.changes {
                match change {
                    Change::ReviewerStarted { reviewer, proof: Proof::Token(_), .. } => {
                        seen.insert(reviewer.clone(), None);
                    }
                    Change::Attested { reviewer, digest, .. } => {
                        seen.insert(reviewer.clone(), Some(digest.clone()));
                    }
                    Change::Decided { reviewer: reviewer @ ReviewerId::Subagent(_), decision, .. } => {
                        assert_eq!(seen.remove(reviewer), Some(Some(decision.digest())));
                    }
                    _ => {}
                }
            }
        });
    }

    #[test]
    fn nothing_that_an_agent_does_by_itself_opens_the_gate(
        policy in any_policy(),
        before in prop::collection::vec(any_act(), 0..20),
        acts in prop::collection::vec(agents_act(), 0..60),
    ) {
        let mut play = Play::new(policy);
        for act in &before {
            perform(&mut play, act);
        }
        // The loop ends the task, so that a new task begins without an approval or an attested
        // decision.
        while !matches!(play.state.session.task, TaskState::None | TaskState::Done(_)) {
            play.wait(601);
            play.stop();
        }
        play.policy = Policy { scope: Scope::Prompt, mode: Mode::Prompt, ..play.policy };
        play.prompt("#review");
        let task = play.state.session.current_task();
        let mut forced_at = None;
        for act in &acts {
            let say = perform(&mut play, act);
            assert_eq!(play.state.session.current_task(), task);
            assert_eq!(play.state.review.phase.approval(), None);
            if let [Change::Released { by, .. }] = play.changes.as_slice() {
                assert!(matches!(by, ReleasedBy::Breaker | ReleasedBy::Limit));
                forced_at = Some(play.now());
            }
            match (act, &say) {
                (Act::Gated(_), Say::PassUnapproved { .. }) => {
                    let at = forced_at.expect("the gate was forced open");
                    assert!(play.now().millis_since(at) < 300_000);
                }
                (Act::Gated(_), say) => assert!(matches!(say, Say::DenyTool(_)), "{say:?}"),
                _ => {}
            }
            if forced_at.is_none() {
                assert!(play.state.review.phase.open_want().is_some());
            }
        }
    }

    /// After any earlier events, including a release and two reviewed tasks, every new task is
    /// gated.
    #[test]
    fn every_new_task_is_gated_like_the_first((policy, acts) in any_play()) {
        let mut play = watch((Policy { mode: Mode::Prompt, ..policy }, acts), |_, _, _, _| {});
        for round in 0..3 {
            while !matches!(play.state.session.task, TaskState::None | TaskState::Done(_)) {
                let is_alone = play.state.session.subagents.is_empty();
                play.wait(if is_alone { 1 } else { 601 });
                play.stop();
            }
            play.prompt("#review");
            play.edit(work(&format!("round {round}")), "a.rs");
            for number in 1..=3 {
                let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
                assert_eq!((hold.reason, hold.number), (HoldReason::Unreviewed, number));
            }
            match round {
                0 => play.review("new", Outcome::Complete),
                _ => assert!(matches!(play.stop(), Say::PassUnapproved { .. })),
            }
            assert_eq!(play.stop(), Say::Nothing);
        }
    }
}

#[test]
fn the_third_task_of_a_session_is_reviewed_like_the_first() {
    let mut play = Play::default();
    for task in ["one", "two", "three"] {
        play.prompt("#review");
        play.edit(work(task), "a.rs");
        assert!(matches!(play.stop(), Say::RefuseStop(_)), "{task}");
        play.review(task, Outcome::Complete);
        assert_eq!(play.stop(), Say::Nothing, "{task}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1))]

    #[test]
    fn ten_thousand_records_leave_a_small_state(
        policy in any_policy(),
        acts in prop::collection::vec(any_act(), 5_000),
    ) {
        let mut play = Play::new(policy);
        let long = "\u{e9}".repeat(4_000);
        for (number, act) in acts.iter().enumerate() {
            perform(&mut play, act);
            match number % 4 {
                0 => play.edit(content(3), &format!("src/{number}.rs")),
                1 => play.edit(content(4), &format!("{number}{long}")),
                2 => {
                    play.start_reviewer(&format!("a4fe21c09d{number:08}"));
                }
                _ => play.start_subagent(&format!("{number}{long}")),
            }
        }
        check_small(&play.state);
    }
}
