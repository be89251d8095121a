//! Tests invariants of the learning gate with random sequences of events. The number of refused
//! stops is limited, invalid input never opens the gate, and a reflection or a skip opens it.

use proptest::prelude::*;

use super::super::*;
use super::acts::{Act, any_act, any_play, any_policy, idle_act, perform, waits, watch};
use super::play::Play;
use crate::played::{Refusals, RefusedInARow, check_small};

proptest! {
    #[test]
    fn a_gate_refuses_three_stops_of_an_agent_that_stands_still(played in any_play()) {
        let mut refusals = Refusals::default();
        watch(played, |before, _, say, play| {
            let is_answered = play.changes.iter().any(|change| {
                matches!(change, Change::Reflected { .. } | Change::Skipped { .. })
            });
            if before.session.current_task() != play.state.session.current_task() || is_answered {
                refusals.forget();
            }
            let Say::RefuseStop(hold) = say else { return };
            refusals.check(hold.want.mark(), play.now(), hold.number);
        });
    }

    /// While a reflection is wanted, the gate refuses every stop that the limits allow it to
    /// refuse.
    #[test]
    fn a_stop_is_refused_while_a_reflection_is_wanted_and_the_bounds_allow_it(
        played in any_play(),
    ) {
        watch(played, |before, act, say, play| {
            let (Act::Stop { .. }, Some(want)) = (act, before.learning.phase.open_want()) else {
                return;
            };
            let is_small = want.changed.is_none() && play.changed.is_below(5)
                && match play.policy.small {
                    Small::Passes => true,
                    Small::IsAskedOnce => before.learning.phase.name() == "blocked",
                    Small::Counts => false,
                };
            let counted = before.learning.blocks.last().map_or(0, |block| block.number);
            match say {
                _ if waits(before, act, play) => assert_eq!(*say, Say::Nothing),
                _ if is_small => {
                    let by = SkippedBy::Auto;
                    assert!(matches!(play.changes[..], [Change::Skipped { by: b, .. }] if b == by));
                }
                Say::PassUnreflected { by: ReleasedBy::Breaker, .. } => assert_eq!(counted, 3),
                Say::PassUnreflected { by: ReleasedBy::Limit, .. } => {
                    assert!(!before.stops.may_refuse());
                }
                _ => assert!(matches!(say, Say::RefuseStop(_)), "{say:?}"),
            }
        });
    }

    #[test]
    fn seven_stops_in_a_row_are_refused_at_most(
        policy in any_policy(),
        max_blocks in 1..20_u32,
        acts in prop::collection::vec(
            prop_oneof![9 => Just(Act::Stop { beside_subagent: false }), 1 => any_act()], 0..60,
        ),
    ) {
        let blocks = crate::blocks::Policy { max_blocks, ..policy.blocks };
        let close = Act::Close { ticket: 0, by_subagent: false };
        let acts = [vec![Act::Prompt, close], acts].concat();
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
                assert_eq!(play.state.learning, before.learning);
            }
        });
    }

    /// Rejected reflections, notes, time and new tickets don't open the gate.
    #[test]
    fn nothing_but_an_answer_or_the_bounds_opens_a_gate_that_is_wanted(played in any_play()) {
        watch(played, |before, act, _, play| {
            let was_wanted = before.learning.phase.open_want().is_some();
            let is_wanted = play.state.learning.phase.open_want().is_some();
            if !was_wanted || is_wanted {
                return;
            }
            let opens = |change: &Change| match change {
                Change::Reflected { .. } => matches!(act, Act::Reflect),
                Change::Skipped { by: SkippedBy::Auto, .. } => play.policy.small != Small::Counts,
                Change::Skipped { by: SkippedBy::Agent, .. } => {
                    play.policy.skip == SkipIs::Agents
                }
                Change::Skipped { by: SkippedBy::Person, .. } => true,
                Change::Released { .. } => matches!(act, Act::Stop { .. }),
                Change::CloseEnded { end, .. } => *end != CallEnd::Succeeded,
                _ => false,
            };
            assert!(play.changes.iter().any(opens), "{act:?}: {:?}", play.changes);
        });
    }

    #[test]
    fn an_agent_that_does_not_answer_stops_unreflected_and_somebody_is_told(
        before in prop::collection::vec(any_act(), 0..20),
        acts in prop::collection::vec(idle_act(), 0..60),
    ) {
        let policy = Policy { small: Small::Counts, ..Policy::default() };
        let mut play = watch((policy, before), |_, _, _, _| {});
        play.prompt("another ticket");
        play.close("bd-9");
        let mut last_call = None;
        let mut is_forced = false;
        for act in &acts {
            let say = perform(&mut play, act, &mut last_call);
            is_forced |= matches!(say, Say::PassUnreflected { .. });
            assert!(!matches!(
                play.gate().phase,
                Phase::Reflected { .. } | Phase::Skipped { .. }
            ));
            if !is_forced {
                assert!(play.gate().phase.open_want().is_some(), "{act:?}");
            }
        }
    }

    #[test]
    fn a_session_without_edits_is_never_asked_without_a_ticket(
        (policy, acts) in any_play(),
    ) {
        let acts = acts.into_iter().filter(|act| !matches!(
            act, Act::Close { .. } | Act::CompleteTodo(_) | Act::Changed(_)
        ));
        let acts = [vec![Act::Changed(Changed::Nothing)], acts.collect()].concat();
        watch((policy, acts), |_, _, say, _| assert!(!matches!(say, Say::RefuseStop(_))));
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
        let mut last_call = None;
        let long = "\u{e9}".repeat(4_000);
        for (number, act) in acts.iter().enumerate() {
            perform(&mut play, act, &mut last_call);
            match number % 4 {
                0 => drop(play.close(&format!("{number}{long}"))),
                1 => play.create_todo(&format!("{number}{long}")),
                2 => play.find(&format!("{number}{long}")),
                _ => drop(play.reflect_badly(&long)),
            }
        }
        check_small(&play.state);
    }
}
