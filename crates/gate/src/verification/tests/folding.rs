//! Tests that the gate's state is the fold of its changes.

use verger_event::Timestamp;

use super::super::*;
use super::built::{issue, verified};
use crate::blocks::{Block, Mark};
use crate::played::{Played, main_agent};

const fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

fn boxed(verified: &Verified) -> Change {
    Change::Verified { verified: Box::new(verified.clone()) }
}

fn folded(changes: &[Change]) -> Verification {
    let mut gate = Verification::default();
    for (second, change) in (1..).zip(changes) {
        gate.apply(change, at(second));
    }
    gate
}

fn green(content: &str) -> Verified {
    verified(content, Depth::Deep, Status::Green)
}

fn red(content: &str) -> Verified {
    let issues = vec![issue("unused variable")];
    Verified { issues, ..verified(content, Depth::Quick, Status::Red) }
}

fn held(number: u32) -> Change {
    let mark = Mark { content: verger_event::ContentHash::new("c1"), findings: None };
    let block = Block { number, at: at(1), mark };
    Change::Held { block, ask: Ask { trigger: Trigger::Always, depth: Depth::Quick } }
}

fn started(run: &str) -> Change {
    let content = verger_event::ContentHash::new("c1");
    Change::Started { run: run.to_owned(), depth: Depth::Quick, content }
}

#[test]
fn the_last_verification_and_the_last_green_one_are_known() {
    let quick = verified("c2", Depth::Quick, Status::Green);
    let gate = folded(&[boxed(&green("c1")), boxed(&quick), boxed(&red("c3"))]);
    let (last, last_green) = (gate.last.clone(), gate.outcomes.last_green().cloned());
    assert_eq!(last, Some(Ended { at: at(3), verified: red("c3") }));
    let expected = Outcome {
        run: "r1".to_owned(),
        depth: Depth::Quick,
        content: quick.content.clone(),
        status: Status::Green,
        plan: None,
        at: at(2),
    };
    assert_eq!(last_green, Some(expected));
    assert_eq!(gate.trouble, Trouble::Now);
}

/// Checks the stored outcomes for the content `c1` after these verifications: the depth of the
/// deepest green outcome, and the deepest outcome that wasn't green.
#[track_caller]
fn check_known(made: &[(Depth, Status)], green: Option<Depth>, wrong: Option<(Depth, Status)>) {
    let changes: Vec<_> =
        made.iter().map(|(depth, status)| boxed(&verified("c1", *depth, *status))).collect();
    let outcomes = folded(&changes).outcomes;
    let content = verger_event::ContentHash::new("c1");
    let known = (
        outcomes.green(&content).map(|outcome| outcome.depth),
        outcomes.wrong(&content).map(|outcome| (outcome.depth, outcome.status)),
    );
    assert_eq!(known, (green, wrong), "{made:?}");
}

#[test]
fn a_green_run_as_deep_replaces_a_failure() {
    use Depth::{Deep, Quick, Standard};
    use Status::{Green, Incomplete, Red};
    check_known(&[(Deep, Red), (Standard, Green)], Some(Standard), Some((Deep, Red)));
    check_known(&[(Deep, Incomplete), (Quick, Green)], Some(Quick), Some((Deep, Incomplete)));
    check_known(&[(Deep, Red), (Standard, Green), (Deep, Green)], Some(Deep), None);
    check_known(&[(Standard, Red), (Deep, Green)], Some(Deep), None);
    check_known(&[(Deep, Green), (Standard, Green)], Some(Deep), None);
    check_known(&[(Deep, Green), (Standard, Red)], None, Some((Standard, Red)));
    check_known(
        &[(Deep, Red), (Quick, Incomplete), (Quick, Green)],
        Some(Quick),
        Some((Deep, Red)),
    );
}

#[test]
fn the_last_eight_are_known() {
    let changes: Vec<_> = (0..10).map(|number| boxed(&green(&format!("c{number}")))).collect();
    let outcomes = folded(&changes).outcomes;
    let is_known = |number: &u32| {
        let content = verger_event::ContentHash::new(format!("c{number}"));
        outcomes.green(&content).is_some()
    };
    assert_eq!((0..10).filter(is_known).collect::<Vec<_>>(), (2..10).collect::<Vec<_>>());
}

#[test]
fn a_run_whose_lasting_status_is_green_counts_as_green() {
    let lasting = Some(Status::Green);
    let live = Verified { lasting, ..verified("c1", Depth::Quick, Status::Red) };
    let gate = folded(&[boxed(&live)]);
    assert_eq!(
        (gate.trouble, gate.outcomes.last_green().map(|green| green.content.clone())),
        (Trouble::Never, Some(live.content))
    );
}

#[test]
fn a_run_is_under_way_until_its_own_end() {
    let runs = |changes: &[Change]| folded(changes).started.map(|started| started.run);
    let ended = boxed(&green("c1"));
    let lost = |run: &str| Change::Lost { run: run.to_owned() };
    for (changes, expected) in [
        (vec![started("r1")], Some("r1")),
        (vec![started("r1"), ended.clone()], None),
        (vec![started("r2"), ended], Some("r2")),
        (vec![started("r1"), lost("r1")], None),
        (vec![started("r1"), lost("r2")], Some("r1")),
        (vec![started("r1"), started("r2")], Some("r2")),
    ] {
        assert_eq!(runs(&changes).as_deref(), expected, "{changes:?}");
    }
}

#[test]
fn failures_are_known_until_the_same_thing_succeeds_or_the_gate_has_its_answer() {
    let failed = |what: &str| {
        let what = what.to_owned();
        Change::Failed { what, kind: WatchedKind::Tests }
    };
    let succeeded = |what: &str| Change::Succeeded { what: what.to_owned() };
    let released = Change::Released { by: ReleasedBy::Person, reason: None };
    for (changes, expected) in [
        (vec![failed("a"), failed("b"), failed("a")], vec!["b", "a"]),
        (vec![failed("a"), failed("b"), succeeded("a")], vec!["b"]),
        (vec![failed("a"), succeeded("b")], vec!["a"]),
        (vec![failed("a"), Change::Satisfied], vec![]),
        (vec![failed("a"), released], vec![]),
    ] {
        let gate = folded(&changes);
        let known: Vec<_> = gate.failures.iter().map(|failure| failure.what.as_str()).collect();
        assert_eq!(known, expected, "{changes:?}");
    }
    let many: Vec<_> = (0..20).map(|number| failed(&number.to_string())).collect();
    let gate = folded(&many);
    assert_eq!((gate.failures.iter().count(), gate.failures.contains("19")), (12, true));
}

#[test]
fn a_new_task_is_asked_anew_and_remembers_what_outlasts_a_task() {
    let failed = Change::Failed { what: "cargo test".to_owned(), kind: WatchedKind::Tests };
    let changes = [boxed(&green("c1")), boxed(&red("c2")), failed, started("r9"), held(1), held(2)];
    let before = folded(&changes);
    let since = at(5);
    let ask = Ask { trigger: Trigger::Always, depth: Depth::Quick };
    assert_eq!(before.phase, Phase::Blocked { ask, since });
    let mut after = before.clone();
    after.begin_task();
    let expected = Verification {
        started: before.started,
        outcomes: folded(&[boxed(&green("c1"))]).outcomes,
        trouble: Trouble::Before,
        ..Verification::default()
    };
    assert_eq!(after, expected);
}

#[test]
fn the_gate_is_a_part_of_the_sessions_state() {
    let mut played = Played::default();
    played.prompt("fix it");
    let steps = [
        Input::Started { run: "r1", depth: Depth::Quick, content: &red("c1").content.clone() },
        Input::Ended(&red("c1")),
        Input::Failed { what: "cargo test", kind: WatchedKind::Tests },
    ]
    .map(|input| {
        let (before, now) = (played.state.verification.clone(), played.now());
        let step = step(&before, &input, &Policy::default(), now);
        for event in events(&before, &step, now) {
            played.record(main_agent(), &event);
        }
        assert_eq!(played.state.verification, step.applied_to(&before, now));
        step.say
    });
    assert_eq!(steps, [Say::Taken, Say::Taken, Say::Nothing]);
    let kinds: Vec<_> = played.log.iter().map(|record| record.draft.event.kind()).collect();
    let expected = [
        "prompt.submitted",
        "gate.changed",
        "gate.changed",
        "verification.recorded",
        "gate.changed",
    ];
    assert_eq!(kinds, expected);
    let gate = &played.state.verification;
    assert_eq!((gate.failures.contains("cargo test"), gate.trouble), (true, Trouble::Now));
}
