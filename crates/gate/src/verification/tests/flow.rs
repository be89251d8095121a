//! Tests of whole sessions, from the prompt to the last stop.

use verger_event::Event;
use verger_event::Releaser;

use super::super::*;
use super::built::{check, issue};
use super::play::{Play, content, mode};
use crate::played::{main_agent, stop_beside, subagent};
use crate::{Content, Difference};

const DONE: &str = "The parser is fixed.";
const NOT_DONE: &str = "I looked at the parser. Shall I fix it?";

fn claims() -> Play {
    let mut play = Play::new(mode(Mode::Claims));
    play.prompt("fix the parser");
    play.edit("c1");
    play
}

#[track_caller]
fn reason(say: &Say) -> (HoldReason, u32) {
    match say {
        Say::RefuseStop(hold) => (hold.reason.clone(), hold.number),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_claim_is_verified_before_the_agent_may_stop() {
    let mut play = claims();
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
    play.verify(Depth::Quick, Status::Green);
    assert_eq!(play.gate().phase.name(), "blocked", "it is looked at when the agent stops");
    assert_eq!(play.stop(DONE), Say::Nothing);
    assert_eq!(play.gate().phase.name(), "verified");
    assert_eq!(play.stop(DONE), Say::Nothing, "nothing changed since");
}

#[test]
fn whoever_does_not_say_that_it_is_done_may_stop() {
    let mut play = claims();
    assert_eq!(play.stop(NOT_DONE), Say::Nothing);
    assert_eq!(play.gate(), &Verification::default());
    assert!(play.changes.is_empty());
}

#[test]
fn once_asked_saying_less_does_not_help() {
    let mut play = claims();
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
    assert_eq!(reason(&play.stop(NOT_DONE)), (HoldReason::Unverified, 2));
    let Say::RefuseStop(hold) = play.stop("") else { panic!("it passes") };
    let words = "the parser is fixed".to_owned();
    assert_eq!(hold.ask, Ask { trigger: Trigger::Claim { words }, depth: Depth::Quick });
}

#[test]
fn red_is_told_until_the_work_changes_and_is_green() {
    let mut play = claims();
    play.verify(Depth::Quick, Status::Red);
    let Say::RefuseStop(hold) = play.stop(DONE) else { panic!("it passes") };
    assert_eq!(hold.reason, HoldReason::Red);
    assert_eq!(hold.issues, ["src/save.rs:3: unused variable (lint)"]);
    play.edit("c2");
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::ChangedSince, 1), "there was progress");
    play.verify(Depth::Quick, Status::Incomplete);
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Incomplete, 1));
    play.verify(Depth::Quick, Status::Green);
    assert_eq!(play.stop(DONE), Say::Nothing);
}

#[test]
fn green_for_this_content_counts_also_after_others() {
    let mut play = claims();
    play.verify(Depth::Deep, Status::Green);
    play.edit("c2");
    play.verify(Depth::Deep, Status::Red);
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Red, 1));
    play.edit("c1");
    assert_eq!(play.stop(DONE), Say::Nothing, "it is again what was green");
    assert_eq!(play.gate().phase.name(), "verified");
}

#[test]
fn every_green_content_stays_green_when_the_work_comes_back_to_it() {
    let mut play = claims();
    play.verify(Depth::Deep, Status::Green);
    play.edit("c2");
    play.verify(Depth::Deep, Status::Green);
    play.edit("c1");
    assert_eq!(play.stop(DONE), Say::Nothing);
    play.edit("c2");
    assert_eq!(play.stop(DONE), Say::Nothing);
}

#[test]
fn a_shallower_green_run_does_not_clear_a_deeper_failure() {
    for (status, expected) in
        [(Status::Red, HoldReason::Red), (Status::Incomplete, HoldReason::Incomplete)]
    {
        let mut play = claims();
        play.depth = Depth::Standard;
        play.verify(Depth::Deep, status);
        let Say::RefuseStop(first) = play.stop(DONE) else { panic!("it passes") };
        assert_eq!((&first.reason, first.ask.depth), (&expected, Depth::Deep));
        play.verify(Depth::Standard, Status::Green);
        let Say::RefuseStop(hold) = play.stop(DONE) else { panic!("it passes") };
        assert_eq!(hold, Hold { number: 2, ..first }, "the same is wrong as before");
        play.edit("c2");
        play.verify(Depth::Standard, Status::Green);
        play.edit("c1");
        let Say::RefuseStop(hold) = play.stop(DONE) else { panic!("it passes") };
        assert_eq!((&hold.reason, hold.ask.depth), (&expected, Depth::Deep));
        play.verify(Depth::Deep, Status::Green);
        assert_eq!(play.stop(DONE), Say::Nothing);
    }
}

#[test]
fn a_look_that_is_not_deep_enough_is_none() {
    let mut play = claims();
    play.verify(Depth::Quick, Status::Green);
    play.depth = Depth::Standard;
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::TooShallow(Depth::Quick), 1));
    play.verify(Depth::Deep, Status::Green);
    assert_eq!(play.stop(DONE), Say::Nothing);
    play.depth = Depth::Quick;
    play.edit("c2");
    play.verify(Depth::Quick, Status::Red);
    play.depth = Depth::Deep;
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Red, 1), "what is wrong is wrong");
}

#[test]
fn a_verification_that_was_started_is_waited_for() {
    let mut play = claims();
    let found = play.found(Depth::Quick, Status::Green);
    let started = Input::Started {
        run: &found.run.clone(),
        depth: Depth::Quick,
        content: &found.content.clone(),
    };
    play.step(&started);
    let (HoldReason::Started(started), 1) = reason(&play.stop(DONE)) else { panic!() };
    assert_eq!(started.run, "r1");
    play.edit("c2");
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1), "that one is of other work");
    play.edit("c1");
    play.step(&Input::Ended(&found));
    assert_eq!(play.stop(DONE), Say::Nothing);
    play.edit("c3");
    let content = play.content.hash.clone();
    play.step(&Input::Started { run: "r9", depth: Depth::Quick, content: &content });
    play.step(&Input::Lost { run: "r9" });
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::ChangedSince, 1));
}

#[test]
fn a_test_that_failed_asks_until_it_succeeds() {
    let mut play = claims();
    play.fail("cargo test -p save");
    let Say::RefuseStop(hold) = play.stop(NOT_DONE) else { panic!("it passes") };
    let what = "cargo test -p save".to_owned();
    assert_eq!(hold.ask.trigger, Trigger::Failure { what });
    let mut play = claims();
    play.fail("cargo test -p save");
    play.succeed("cargo test -p other");
    play.succeed("cargo build");
    assert_eq!(play.gate().failures.iter().count(), 1);
    play.succeed("cargo test");
    assert_eq!(play.stop(NOT_DONE), Say::Nothing);
}

#[test]
fn a_test_that_succeeded_after_it_asked_is_not_said_to_fail() {
    let mut play = claims();
    let trigger = |play: &mut Play| match play.stop(NOT_DONE) {
        Say::RefuseStop(hold) => hold.ask.trigger.to_string(),
        other => panic!("not refused: {other:?}"),
    };
    play.fail("cargo test");
    assert_eq!(trigger(&mut play), "`cargo test` failed and has not succeeded since");
    play.succeed("cargo test");
    assert_eq!(trigger(&mut play), "`cargo test` failed, and the work was not verified since");
    play.fail("cargo build");
    assert_eq!(trigger(&mut play), "`cargo build` failed and has not succeeded since");
}

#[test]
fn every_change_is_verified_where_the_mode_says_so() {
    let mut play = Play::new(mode(Mode::Always));
    play.prompt("what does it do?");
    assert_eq!(play.stop("It parses."), Say::Nothing, "nothing changed");
    play.prompt("fix it");
    play.edit("c1");
    assert_eq!(reason(&play.stop("Hm.")), (HoldReason::Unverified, 1));
    play.content = Content::nothing();
    assert_eq!(play.stop("I took it back."), Say::Nothing);
    assert_eq!(play.gate().phase.name(), "verified");
}

#[test]
fn a_task_without_a_change_is_satisfied_whatever_is_said() {
    let mut play = Play::new(mode(Mode::Claims));
    play.prompt("what does it do?");
    play.fail("cargo test");
    assert_eq!(play.stop(DONE), Say::Nothing);
    assert_eq!(play.stop("[[VERIFY:done]]"), Say::Nothing);
}

#[test]
fn a_plain_answer_after_a_settled_claim_is_not_held() {
    type Settle = fn(&mut Play);
    const ANSWER: &str = "Fixed in the second loop. The parser is fixed since then.";
    assert!(claim(ANSWER).is_some(), "an answer may read like a claim");
    let settle: [(&str, Settle); 3] = [
        ("verified", |play| play.verify(Depth::Quick, Status::Green)),
        ("released by a person", |play| assert_eq!(play.skip(), Say::Taken)),
        ("released by the breaker", |play| {
            for _ in 0..2 {
                play.stop(DONE);
            }
        }),
    ];
    for (how, settle) in settle {
        for policy in [Mode::Claims, Mode::Always].map(mode) {
            let mut play = claims();
            play.policy = policy;
            assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
            settle(&mut play);
            let last = play.stop(DONE);
            assert!(!matches!(last, Say::RefuseStop(_)), "{how}: {last:?}");
            play.prompt("which loop was it?");
            play.content = Content::nothing();
            let before = play.changes.len();
            assert_eq!(play.stop(ANSWER), Say::Nothing, "{how}");
            play.notification();
            assert_eq!(play.stop(ANSWER), Say::Nothing, "{how}, and told again");
            assert_eq!(play.changes.len(), before, "{how}: nothing is recorded of it");
            play.prompt("then fix the printer as well");
            play.edit("c2");
            assert!(matches!(play.stop(DONE), Say::RefuseStop(_)), "{how}: new work is asked for");
        }
    }
}

#[test]
fn work_that_was_moved_elsewhere_is_still_asked_for() {
    let mut play = claims();
    play.content = Content { difference: Difference::MovedOut, ..content("stashed") };
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
}

#[test]
fn unknown_content_passes_and_is_not_verified() {
    let mut play = claims();
    play.content = Content::unknown();
    assert_eq!(play.stop(DONE), Say::PassUnknown);
    assert_eq!(play.gate().phase.name(), "claimed");
}

#[test]
fn a_gate_that_is_off_asks_for_nothing() {
    let mut play = Play::new(mode(Mode::Off));
    play.prompt("fix it");
    play.edit("c1");
    assert_eq!(play.stop("[[VERIFY:done]]"), Say::Nothing);
    let mut play = claims();
    play.stop(DONE);
    play.policy.mode = Mode::Off;
    assert_eq!(play.stop(DONE), Say::Nothing, "also one that had asked");
}

#[test]
fn the_agents_list_is_looked_at_when_it_stops() {
    let mut play = claims();
    play.verify(Depth::Quick, Status::Green);
    play.open_tasks = 2;
    let Say::RefuseStop(hold) = play.stop(DONE) else { panic!("a stale green passes") };
    assert_eq!(hold.reason, HoldReason::Unmet);
    let expected =
        ["not done: #0 without a title (open tasks)", "not done: #1 without a title (open tasks)"];
    assert_eq!(hold.issues, expected);
    play.open_tasks = 1;
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unmet, 1), "one less is progress");
    play.open_tasks = 0;
    assert_eq!(play.stop(DONE), Say::Nothing, "nothing has to be verified again");
}

#[test]
fn a_failure_of_the_list_alone_ends_with_the_list() {
    let mut play = claims();
    play.open_tasks = 1;
    let red = Verified { lasting: Some(Status::Green), ..play.found(Depth::Quick, Status::Red) };
    play.step(&Input::Ended(&red));
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unmet, 1));
    play.open_tasks = 0;
    assert_eq!(play.stop(DONE), Say::Nothing);
}

#[test]
fn of_a_red_verification_only_what_lasts_is_told_again() {
    let mut play = claims();
    play.policy.required = Requirement::ALL.to_vec();
    play.open_tasks = 1;
    let checks = vec![
        check(CheckKind::GitState, CheckStatus::Failed),
        check(CheckKind::Lint, CheckStatus::Failed),
    ];
    let uncommitted = Issue { check: "git state".to_owned(), ..issue("is not committed") };
    let regressed = Regressed::Nothing;
    let about = Circumstances {
        required: &play.policy.required,
        regressed: &regressed,
        changed: &[],
        review: "Have it reviewed.",
        again: "verger verify",
    };
    let next_steps = next_steps(&checks, about);
    assert_eq!(
        next_steps,
        ["Commit the work.", "Fix what lint found.", "Then run `verger verify`."]
    );
    let red = Verified {
        checks,
        next_steps,
        issues: vec![uncommitted, issue("unused variable")],
        ..play.found(Depth::Quick, Status::Red)
    };
    play.step(&Input::Ended(&red));
    let Say::RefuseStop(hold) = play.stop(DONE) else { panic!("it passes") };
    let issues =
        ["src/save.rs:3: unused variable (lint)", "not done: #0 without a title (open tasks)"];
    let steps = [
        "Fix what lint found.",
        "Finish the open items of your list, or remove those that no longer apply.",
    ];
    assert_eq!(
        (hold.issues, hold.steps),
        (issues.map(str::to_owned).into(), steps.map(str::to_owned).into())
    );
}

#[test]
fn a_requirement_that_is_off_refuses_no_stop() {
    let mut play = claims();
    play.policy.required = vec![];
    play.open_tasks = 3;
    play.verify(Depth::Quick, Status::Green);
    assert_eq!(play.stop(DONE), Say::Nothing);
}

#[test]
fn three_times_and_then_the_agent_goes_for_as_long_as_the_gate_rests() {
    let mut play = claims();
    for number in 1..=3 {
        assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, number));
    }
    let Say::PassUnverified { by: ReleasedBy::Breaker, hold } = play.stop(DONE) else { panic!() };
    assert_eq!(hold.reason, HoldReason::Unverified);
    play.notification();
    play.wait(299);
    assert_eq!(play.stop(DONE), Say::Nothing, "tripped");
    play.wait(1);
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1), "and asks again");
}

#[test]
fn a_new_task_is_asked_anew_and_remembers_that_something_was_wrong() {
    let mut play = claims();
    play.verify(Depth::Quick, Status::Red);
    for _ in 0..4 {
        play.stop(DONE);
    }
    assert_eq!(play.gate().trouble, Trouble::Now);
    play.prompt("and now the printer");
    assert_eq!((play.gate().trouble, &play.gate().last), (Trouble::Before, &None));
    play.edit("c2");
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
}

#[test]
fn a_person_lets_it_go_until_the_next_task() {
    let mut play = claims();
    assert_eq!(play.skip(), Say::NothingToOpen, "nothing was asked for yet");
    play.stop(DONE);
    assert_eq!(play.skip(), Say::Taken);
    let released = Event::GateReleased {
        gate: GATE.into(),
        by: Releaser::Person,
        reason: "it is late".to_owned(),
    };
    assert!(play.log.iter().any(|record| record.draft.event == released));
    assert_eq!(play.stop(DONE), Say::Nothing);
    play.wait(3_600);
    play.edit("c2");
    assert_eq!(play.stop(DONE), Say::Nothing, "the same task");
    play.prompt("and now the printer");
    play.edit("c3");
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
}

#[test]
fn a_stop_beside_a_running_subagent_passes_and_is_asked_for_later() {
    let mut play = claims();
    play.record(subagent("s0"), &Event::SubagentStarted);
    assert_eq!(play.stop_with(DONE, &stop_beside(&["s0"])), Say::Nothing);
    let stop = stop_beside(&[]);
    play.record(subagent("s0"), &Event::SubagentStopRequested { stop, transcript: None });
    assert_eq!(reason(&play.stop(DONE)), (HoldReason::Unverified, 1));
}

#[test]
fn other_gates_refusals_count_for_the_bound_of_all() {
    let mut play = claims();
    for _ in 0..7 {
        let id = play.record(main_agent(), &Event::StopRequested(stop_beside(&[])));
        play.deny(main_agent(), id, "another gate");
    }
    let Say::PassUnverified { by: ReleasedBy::Limit, .. } = play.stop(DONE) else { panic!() };
}

#[test]
fn in_mode_observe_a_claim_is_recorded_and_nothing_is_held() {
    let mut play = Play::new(mode(Mode::Observe));
    play.prompt("fix it");
    play.edit("c1");
    play.fail("make test");
    assert_eq!(play.stop("Shall I go on?"), Say::Nothing);
    assert_eq!(play.gate().phase.name(), "idle");
    assert_eq!(play.stop(DONE), Say::Nothing);
    let told = |play: &Play| (play.gate().phase.name(), play.gate().phase.is_unverified());
    assert_eq!((told(&play), play.gate().blocks.last()), (("claimed", true), None));
    play.verify(Depth::Quick, Status::Incomplete);
    assert_eq!(told(&play), ("claimed", true));
    play.edit("c2");
    play.verify(Depth::Quick, Status::Green);
    assert_eq!(told(&play), ("claimed", true), "it was said of other work");
    assert_eq!(play.stop(DONE), Say::Nothing);
    assert_eq!(told(&play), ("verified", false));
    play.edit("c3");
    assert_eq!(play.stop(DONE), Say::Nothing);
    assert_eq!(told(&play), ("claimed", true));
    play.verify(Depth::Quick, Status::Green);
    assert_eq!(told(&play), ("verified", false), "the check came after the claim");
    play.content = Content::unknown();
    assert_eq!(play.stop(DONE), Say::Nothing);
    assert_eq!(told(&play), ("claimed", true), "work that cannot be compared is not verified");
}

#[test]
fn where_the_project_is_not_trusted_a_stop_is_held_once() {
    let mut play = Play::new(mode(Mode::Claims));
    play.untrusted = Some("/work".to_owned());
    play.prompt("fix it");
    play.edit("c1");
    let Say::RefuseStop(hold) = play.stop(DONE) else { panic!() };
    assert_eq!((hold.number, hold.untrusted.as_deref()), (1, Some("/work")));
    let Say::PassUnverified { by, .. } = play.stop(DONE) else { panic!() };
    assert_eq!((by, play.gate().phase.name()), (ReleasedBy::Untrusted, "released"));
    assert!(play.gate().phase.is_unverified());

    // If there are findings, an agent that can run the checks without trust is still blocked.
    play.prompt("another task");
    play.edit("c2");
    play.verify(Depth::Quick, Status::Red);
    for number in 1..=3 {
        let Say::RefuseStop(hold) = play.stop(DONE) else { panic!() };
        assert_eq!((hold.number, hold.untrusted), (number, None));
    }
}
