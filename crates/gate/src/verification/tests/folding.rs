//! What the state of the gate is, given what the log keeps.

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
    verified(content, Profile::Deep, Status::Green)
}

fn red(content: &str) -> Verified {
    let issues = vec![issue("unused variable")];
    Verified { issues, ..verified(content, Profile::Quick, Status::Red) }
}

fn held(number: u32) -> Change {
    let mark = Mark { content: verger_event::ContentHash::new("c1"), findings: None };
    let block = Block { number, at: at(1), mark };
    Change::Held { block, ask: Ask { trigger: Trigger::Always, profile: Profile::Quick } }
}

fn started(run: &str) -> Change {
    let content = verger_event::ContentHash::new("c1");
    Change::Started { run: run.to_owned(), profile: Profile::Quick, content }
}

#[test]
fn the_last_verification_and_the_last_green_one_are_known() {
    let quick = verified("c2", Profile::Quick, Status::Green);
    let gate = folded(&[boxed(&green("c1")), boxed(&quick), boxed(&red("c3"))]);
    let last_green = Green {
        run: "r1".to_owned(),
        profile: Profile::Quick,
        content: quick.content.clone(),
        at: at(2),
    };
    let expected = Verification {
        last: Some(Ended { at: at(3), verified: red("c3") }),
        last_green: Some(last_green),
        trouble: Trouble::Now,
        ..Verification::default()
    };
    assert_eq!(gate, expected);
}

#[test]
fn what_is_green_by_its_content_counts_as_green() {
    let lasting = Some(Status::Green);
    let live = Verified { lasting, ..verified("c1", Profile::Quick, Status::Red) };
    let gate = folded(&[boxed(&live)]);
    assert_eq!(
        (gate.trouble, gate.last_green.map(|green| green.content)),
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
    let ask = Ask { trigger: Trigger::Always, profile: Profile::Quick };
    assert_eq!(before.phase, Phase::Blocked { ask, since });
    let mut after = before.clone();
    after.begin_task();
    let expected = Verification {
        started: before.started,
        last_green: before.last_green,
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
        Input::Started { run: "r1", profile: Profile::Quick, content: &red("c1").content.clone() },
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
