//! Tests invariants of the verification gate with random sequences of events. The number of refused
//! stops is limited. Only a green verification of the current content, a person or a limit releases
//! the agent.

use proptest::prelude::*;
use verger_event::ContentHash;

use super::super::*;
use super::acts::{Act, Says, any_act, any_play, any_policy, idle_act, perform, waits, watch};
use super::built::{check, could_not_run, issue, named, verified};
use super::play::Play;
use crate::Difference;
use crate::played::{Refusals, RefusedInARow, check_small};

/// Whether the agent's work is verified. The current content has a green verification of the wanted
/// depth, and every later verification at least as deep was green. If the list is required to be
/// done, it is done.
fn is_verified(gate: &Verification, play: &Play) -> bool {
    let hash = &play.content.hash;
    let is_done = play.open_tasks == 0 || !play.policy.required.contains(&Requirement::OpenTasks);
    gate.outcomes.green(hash).is_some_and(|green| green.depth >= play.depth)
        && gate.outcomes.wrong(hash).is_none()
        && is_done
}

proptest! {
    #[test]
    fn a_gate_refuses_three_stops_of_an_agent_that_stands_still(played in any_play()) {
        let mut refusals = Refusals::default();
        watch(played, |before, _, say, play| {
            let is_settled = play.changes.iter().any(|change| {
                matches!(change, Change::Satisfied | Change::Released { .. })
            });
            if before.session.current_task() != play.state.session.current_task() || is_settled {
                refusals.forget();
            }
            let Say::RefuseStop(hold) = say else { return };
            refusals.check(hold.mark(&play.content.hash), play.now(), hold.number);
        });
    }

    /// If a verification is wanted, the gate refuses every stop that the limits allow it to refuse.
    #[test]
    fn a_stop_is_refused_while_a_verification_is_wanted_and_the_bounds_allow_it(
        played in any_play(),
    ) {
        watch(played, |before, act, say, play| {
            let Act::Stop { says, .. } = act else { return };
            let gate = &before.verification;
            let rests = match &gate.phase {
                Phase::Released { by: ReleasedBy::Person, .. } => true,
                Phase::Released { at, .. } => play.now().millis_since(*at) < 300_000,
                _ => false,
            };
            let asks = match play.policy.mode {
                Mode::Off | Mode::Observe => false,
                Mode::Always => true,
                Mode::Claims => {
                    gate.phase.open_ask().is_some()
                        || *says != Says::Nothing
                        || gate.failures.last().is_some()
                }
            };
            let expected = match play.content.difference {
                _ if waits(before, act, play) || rests || !asks => Say::Nothing,
                Difference::None => Say::Nothing,
                Difference::Unknown => Say::PassUnknown,
                _ if is_verified(gate, play) => Say::Nothing,
                _ => {
                    let counted = gate.blocks.last().map_or(0, |block| block.number);
                    match say {
                        Say::PassUnverified { by: ReleasedBy::Breaker, .. } => {
                            assert_eq!(counted, 3);
                        }
                        Say::PassUnverified { by: ReleasedBy::Limit, .. } => {
                            assert!(!before.stops.may_refuse());
                        }
                        other => assert!(matches!(other, Say::RefuseStop(_)), "{other:?}"),
                    }
                    return;
                }
            };
            assert_eq!(*say, expected);
        });
    }

    #[test]
    fn seven_stops_in_a_row_are_refused_at_most(
        policy in any_policy(),
        max_blocks in 1..20_u32,
        acts in prop::collection::vec(
            prop_oneof![
                9 => Just(Act::Stop { says: Says::Done, beside_subagent: false }),
                1 => any_act(),
            ],
            0..60,
        ),
    ) {
        let blocks = crate::blocks::Policy { max_blocks, ..policy.blocks };
        let acts = [vec![Act::Prompt], acts].concat();
        let mut in_a_row = RefusedInARow::default();
        watch((Policy { blocks, ..policy }, acts), |before, act, say, play| match (act, say) {
            (Act::Prompt, _) => in_a_row.interrupted(),
            (Act::Stop { .. }, Say::RefuseStop(_)) => in_a_row.refused(),
            (Act::Stop { .. }, _) if !waits(before, act, play) => in_a_row.interrupted(),
            _ => {}
        });
    }

    #[test]
    fn a_stop_beside_a_running_subagent_passes_uncounted(played in any_play()) {
        watch(played, |before, act, say, play| {
            if waits(before, act, play) {
                assert_eq!((say, &play.changes), (&Say::Nothing, &vec![]));
                assert_eq!(play.state.stops, before.stops);
                assert_eq!(play.state.verification, before.verification);
            }
        });
    }

    /// Time, edits, other prompts, and lost and red verifications don't open the gate.
    #[test]
    fn nothing_but_green_a_person_or_the_bounds_opens_a_gate_that_asked(played in any_play()) {
        watch(played, |before, act, _, play| {
            let asked = before.verification.phase.open_ask().is_some();
            let same_task =
                before.session.current_task() == play.state.session.current_task();
            if !asked || !same_task || play.gate().phase.open_ask().is_some() {
                return;
            }
            let opens = match &play.changes[..] {
                [Change::Satisfied] => {
                    is_verified(&before.verification, play)
                        || play.content.difference == Difference::None
                }
                [Change::Released { by: ReleasedBy::Person, .. }] => matches!(act, Act::Skip),
                [Change::Released { .. }] => matches!(act, Act::Stop { .. }),
                _ => false,
            };
            assert!(opens, "{act:?}: {:?}", play.changes);
        });
    }

    /// This test compares with all outcomes of the session, not with the limited number in the
    /// gate's state.
    #[test]
    fn a_failure_is_cleared_only_by_a_run_as_deep(played in any_play()) {
        let mut made: Vec<(ContentHash, Depth, Status)> = vec![];
        watch(played, |before, act, _, play| {
            if before.session.current_task() != play.state.session.current_task() {
                made.clear();
            }
            for change in &play.changes {
                if let Change::Verified { verified } = change {
                    made.push((verified.content.clone(), verified.depth, verified.status));
                }
            }
            let is_open = play.changes.contains(&Change::Satisfied)
                && play.content.difference != Difference::None;
            // The gate's state has at most 8 outcomes.
            if !is_open || made.len() > 8 {
                return;
            }
            let of_it: Vec<_> =
                made.iter().filter(|(content, _, _)| *content == play.content.hash).collect();
            for (number, (_, depth, status)) in of_it.iter().enumerate() {
                let is_as_deep = |(_, later, _): &&(_, Depth, _)| later >= depth;
                let is_made_well = of_it[number + 1..].iter().copied().any(|later| is_as_deep(&later));
                assert!(*status == Status::Green || is_made_well, "{act:?}: {of_it:?}");
            }
        });
    }

    #[test]
    fn an_agent_that_has_nothing_verified_stops_unverified_and_somebody_is_told(
        before in prop::collection::vec(any_act(), 0..20),
        acts in prop::collection::vec(idle_act(), 0..60),
    ) {
        let policy = Policy { mode: Mode::Always, ..Policy::default() };
        let mut play = watch((policy, before), |_, _, _, _| {});
        play.wait(600);
        play.prompt("another task");
        play.edit("fresh");
        for act in acts {
            // Content with a number from 100 on was never verified before.
            let act = match act {
                Act::Edit(number) => Act::Edit(100 + number),
                other => other,
            };
            let before = play.state.clone();
            let say = perform(&mut play, &act);
            let is_let_go = matches!(act, Act::Stop { .. }) && say == Say::Nothing;
            let is_open = matches!(play.gate().phase, Phase::Released { .. });
            prop_assert!(!is_let_go || is_open || waits(&before, &act, &play), "{:?}", act);
            let is_verified = matches!(play.gate().phase, Phase::Verified { .. });
            prop_assert!(!is_verified);
        }
    }

    #[test]
    fn a_session_without_a_change_is_never_asked((policy, acts) in any_play()) {
        let acts = acts.into_iter().filter(|act| !matches!(act, Act::Edit(_) | Act::Lose));
        let acts = [vec![Act::Undo], acts.collect()].concat();
        watch((policy, acts), |_, _, say, _| assert!(!matches!(
            say, Say::RefuseStop(_) | Say::PassUnverified { .. } | Say::PassUnknown
        )));
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
        let long = "\u{e9}\"".repeat(4_000);
        for (number, act) in acts.iter().enumerate() {
            perform(&mut play, act);
            let what = format!("{number}{}", &long[..200]);
            match number % 100 {
                0..60 => play.fail(&what),
                60..99 => play.succeed(&what),
                _ => {
                    let big = Verified {
                        run: number.to_string(),
                        checks: vec![check(CheckKind::Tests, could_not_run()); 20],
                        issues: vec![issue(&long); 60],
                        next_steps: vec![long.clone(); 20],
                        failing_tests: named(&[&*what; 150]),
                        tree_changed: vec![long.clone(); 20],
                        ..verified("c1", Depth::Deep, Status::Green)
                    };
                    play.step(&Input::Ended(&big.bounded()));
                }
            }
        }
        check_small(&play.state);
    }
}
