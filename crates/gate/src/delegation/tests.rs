use proptest::prelude::*;
use verger_event::{Event, ToolCall};

use super::*;
use crate::played::{Played, check_small, check_stored, main_agent, subagent};

fn enforce() -> Policy {
    Policy { mode: Mode::Enforce, ..Policy::default() }
}

fn used(role: Role, target: Target) -> Use {
    Use { role, source: RoleSource::Environment, target }
}

/// Decides about a use of a work tool by the main agent, and records the result. Returns the
/// message.
fn play(played: &mut Played, used: Use, policy: &Policy) -> Say {
    let call = ToolCall::edit("a", "", "");
    played.record(main_agent(), &Event::ToolRequested(call));
    let state = played.state.delegation.clone();
    let Step { say, change } = step(&state, used, policy, played.now());
    if let Some(change) = change {
        let event = event(&state, &change, "Edit".to_owned(), policy, played.now());
        played.record(main_agent(), &event);
    }
    say
}

#[test]
fn a_conductor_is_reminded_and_stopped_and_goes_on_once_it_delegates() {
    let mut played = Played::default();
    let edit = used(Role::Conductor, Target::Source);
    let said: Vec<_> = (0..7).map(|_| play(&mut played, edit, &enforce())).collect();
    let remind = |number| Say::Remind { number };
    let too_many = Say::TooMany { number: 5 };
    assert_eq!(
        said,
        [Say::Nothing, Say::Nothing, remind(3), remind(4), too_many, too_many, too_many]
    );
    played.record(subagent("a"), &Event::SubagentStarted);
    let said: Vec<_> = (0..3).map(|_| play(&mut played, edit, &enforce())).collect();
    assert_eq!(said, [Say::Nothing, Say::Nothing, remind(3)]);
    check_small(&played.state);
}

#[test]
fn uses_before_the_time_window_do_not_count() {
    let mut played = Played::default();
    let line = used(Role::Conductor, Target::Other);
    for _ in 0..4 {
        play(&mut played, line, &enforce());
        played.wait(100);
    }
    assert_eq!(play(&mut played, line, &enforce()), Say::TooMany { number: 5 });
    played.wait(199);
    assert_eq!(play(&mut played, line, &enforce()), Say::TooMany { number: 5 });
    played.wait(1);
    assert_eq!(play(&mut played, line, &enforce()), Say::Remind { number: 4 });
    assert_eq!(play(&mut played, line, &enforce()), Say::TooMany { number: 5 });
}

#[test]
fn warned_an_agent_does_what_it_wants_and_hears_of_it() {
    let mut played = Played::default();
    let policy = Policy { mode: Mode::Warn, remind_at: 1, deny_at: 2, ..Policy::default() };
    let edit = used(Role::Conductor, Target::Source);
    let said: Vec<_> = (0..3).map(|_| play(&mut played, edit, &policy)).collect();
    let too_many = |number| Say::TooMany { number };
    assert_eq!(said, [Say::Remind { number: 1 }, too_many(2), too_many(3)]);
    for _ in 0..2 * MAX_COUNTED {
        play(&mut played, edit, &policy);
    }
    assert_eq!(play(&mut played, edit, &policy), too_many(MAX_COUNTED as u64 + 1));
    check_small(&played.state);
}

#[test]
fn the_role_and_the_file_decide_which_uses_count() {
    let three = Policy { tiers: Tiers::Three, deny_at: 1, ..enforce() };
    let two = Policy { deny_at: 1, ..enforce() };
    let off = Policy { mode: Mode::Off, ..two.clone() };
    let too_many = Say::TooMany { number: 1 };
    for (policy, role, said) in [
        (&two, Role::Musician, [Say::Nothing; 4]),
        (&two, Role::Conductor, [Say::Nothing, too_many, too_many, too_many]),
        // With two tiers a section leader counts as a conductor.
        (&two, Role::SectionLeader, [Say::Nothing, too_many, too_many, too_many]),
        (&three, Role::SectionLeader, [Say::Nothing, Say::Nothing, Say::Sources, too_many]),
        (&three, Role::Conductor, [Say::Nothing, too_many, too_many, too_many]),
        (&three, Role::Musician, [Say::Nothing; 4]),
        (&off, Role::Conductor, [Say::Nothing; 4]),
    ] {
        let targets = [Target::Allowed, Target::Document, Target::Source, Target::Other];
        let step = |target| {
            let now = Timestamp::from_millis(0);
            step(&Delegation::default(), used(role, target), policy, now)
        };
        let steps = targets.map(step);
        assert_eq!(steps.clone().map(|step| step.say), said, "{policy:?} {role}");
        assert_eq!(steps.map(|step| step.change), [const { None }; 4], "{policy:?} {role}");
    }
}

#[test]
fn a_conductor_by_a_file_stays_one_without_the_file() {
    let mut played = Played::default();
    let by_file = Use { source: RoleSource::Marker, ..used(Role::Conductor, Target::Other) };
    assert!(!played.state.delegation.is_marked());
    play(&mut played, by_file, &enforce());
    played.record(subagent("a"), &Event::SubagentStarted);
    assert!(played.state.delegation.is_marked());
}

#[test]
fn names_of_roles_are_read_as_people_write_them() {
    for (name, expected) in [
        ("conductor", Some(Role::Conductor)),
        (" Conductor ", Some(Role::Conductor)),
        ("section_leader", Some(Role::SectionLeader)),
        ("section-leader", Some(Role::SectionLeader)),
        ("Section Leader", Some(Role::SectionLeader)),
        ("musician", Some(Role::Musician)),
        ("", None),
        ("reviewer", None),
        ("conductors", None),
    ] {
        assert_eq!(Role::named(name), expected, "{name:?}");
    }
}

#[test]
fn changes_have_the_stored_form_that_they_always_had() {
    let counted = |role, source| Change::Counted { role, source };
    check_stored(
        include_str!("tests/changes.jsonl"),
        &[
            counted(Role::Conductor, RoleSource::Settings),
            counted(Role::SectionLeader, RoleSource::Environment),
            counted(Role::Conductor, RoleSource::Marker),
        ],
    );
}

#[test]
fn an_agent_is_told_what_to_do_and_never_how_to_lift_it() {
    let two = enforce();
    let three = Policy { tiers: Tiers::Three, ..enforce() };
    let warn = Policy { mode: Mode::Warn, window_millis: 90_000, ..Policy::default() };
    let told = |say, role, policy| reason(say, Advice { role, policy }).unwrap();
    insta::assert_snapshot!(told(Say::Remind { number: 3 }, Role::Conductor, &two), @"verger: you are the conductor here: you plan and delegate, and others do the work. This is use 3 of a work tool in 10 minutes; use 5 is denied. Give the rest to a subagent that you start: describe the work, its files, and how to check that it is done. Delegating resets the count.");
    insta::assert_snapshot!(told(Say::TooMany { number: 5 }, Role::Conductor, &two), @"verger: this did not run: you are the conductor here, and this is use 5 of a work tool in 10 minutes without delegating. Give the work to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.");
    insta::assert_snapshot!(told(Say::TooMany { number: 6 }, Role::Conductor, &warn), @"verger: you are the conductor here, and this is use 6 of a work tool in 90 seconds without delegating. Give the work to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.");
    insta::assert_snapshot!(told(Say::TooMany { number: 5 }, Role::Conductor, &three), @"verger: this did not run: you are the conductor here, and this is use 5 of a work tool in 10 minutes without delegating. Give the work to a section leader, or to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.");
    insta::assert_snapshot!(told(Say::Sources, Role::SectionLeader, &three), @"verger: this did not run: you are a section leader here: you write plans and documents, but no source files. Give the work to a subagent that you start: describe the work, its files, and how to check that it is done. Do not do it with another tool; this is recorded. If no other agent can do it, tell the person.");
    insta::assert_snapshot!(notice_denied(Advice { role: Role::Conductor, policy: &three }), @"verger denied a tool call of the conductor, who should delegate. `verger why --last` explains it and names the settings.");
    for say in [Say::Remind { number: 3 }, Say::TooMany { number: 5 }, Say::Sources] {
        let text = told(say, Role::Conductor, &two);
        for word in ["delegation.mode", "config set", "skip", "verger release", "AGENT_ROLE"] {
            assert!(!text.contains(word), "{text}");
        }
    }
    assert_eq!(reason(Say::Nothing, Advice { role: Role::Conductor, policy: &three }), None);
}

proptest! {
    /// Plays any sequence of uses, starts of subagents and time. A conductor never has more uses
    /// within the time window than allowed, and the gate never denies a use below the limit.
    #[test]
    fn no_more_is_done_than_may_be(
        deny_at in 1_u64..8,
        steps in prop::collection::vec((0_u64..400, prop::bool::weighted(0.15)), 0..60),
    ) {
        let policy = Policy { deny_at, ..enforce() };
        let mut played = Played::default();
        let mut done: Vec<Timestamp> = vec![];
        for (seconds, delegates) in steps {
            played.wait(seconds);
            if delegates {
                played.record(subagent("a"), &Event::SubagentStarted);
                done.clear();
                continue;
            }
            let now = played.now();
            done.retain(|at| now.millis_since(*at) < policy.window_millis);
            let edit = used(Role::Conductor, Target::Source);
            match play(&mut played, edit, &policy) {
                Say::TooMany { number } => {
                    prop_assert_eq!(number, deny_at);
                    prop_assert_eq!(done.len() as u64 + 1, deny_at);
                }
                _ => done.push(now),
            }
            prop_assert!((done.len() as u64) < deny_at);
        }
    }
}
