//! Tests of the outcomes of refused stops, with whole sessions.

use verger_event::{Actor, EndReason, Event};

use super::super::attempts::AttemptOutcome::{
    BadSessionId, NoDecision, NotSpawned, Pending, Success,
};
use super::super::*;
use super::built::work;
use super::play::Play;
use crate::Content;

fn success(decision: Outcome, blocks: u32, seconds: u64) -> AttemptOutcome {
    Success { decision, blocks, took_millis: seconds * 1000 }
}

/// Plays a task in which a review is wanted, and checks the outcomes of its refused stops.
#[track_caller]
fn check(act: impl FnOnce(&mut Play), expected: &[AttemptOutcome]) {
    let mut play = Play::default();
    play.prompt("#review");
    act(&mut play);
    let outcomes: Vec<_> = play.attempts().all().iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, expected);
}

fn stop_after(play: &mut Play, seconds: u64) {
    play.wait(seconds);
    play.stop();
}

fn end(play: &mut Play) {
    let event = Event::SessionEnded { reason: EndReason::Logout };
    play.record(Actor::Main { agent_type: None }, &event);
}

#[test]
fn an_attempt_is_pending_until_something_came_of_it() {
    check(|_| {}, &[]);
    check(|play| stop_after(play, 1), &[Pending]);
    check(
        |play| {
            play.stop();
            play.start_reviewer("r1");
        },
        &[Pending],
    );
}

#[test]
fn a_decision_is_a_success_with_the_blocks_that_it_needed() {
    check(
        |play| {
            play.stop();
            play.wait(40);
            play.review("r1", Outcome::Complete);
            play.stop();
        },
        &[success(Outcome::Complete, 1, 40)],
    );
    check(
        |play| {
            play.stop();
            play.wait(10);
            play.review("r1", Outcome::Issues);
            stop_after(play, 10);
            play.edit(work("fixed"), "a.rs");
            play.wait(10);
            play.review("r2", Outcome::Complete);
            // After a change of the files, a new round begins.
            play.edit(work("more"), "a.rs");
            stop_after(play, 100);
            play.wait(5);
            play.review("r3", Outcome::Complete);
        },
        &[
            success(Outcome::Issues, 1, 10),
            success(Outcome::Complete, 2, 30),
            success(Outcome::Complete, 1, 5),
        ],
    );
    check(
        |play| {
            play.stop();
            play.review("r1", Outcome::Unavailable);
        },
        &[success(Outcome::Unavailable, 1, 0)],
    );
    check(
        |play| {
            play.stop();
            play.start_run("j1");
            play.end_run("j1", Outcome::Complete);
        },
        &[success(Outcome::Complete, 1, 0)],
    );
}

#[test]
fn without_a_reviewer_it_is_not_spawned() {
    check(
        |play| {
            play.stop();
            play.start_subagent("worker");
            play.stop();
        },
        &[NotSpawned, Pending],
    );
    check(
        |play| {
            for _ in 0..4 {
                play.stop();
            }
        },
        &[NotSpawned; 3],
    );
    check(
        |play| {
            play.stop();
            play.skip();
        },
        &[NotSpawned],
    );
    check(
        |play| {
            play.stop();
            end(play);
        },
        &[NotSpawned],
    );
}

#[test]
fn a_reviewer_that_does_not_decide_is_no_decision() {
    check(
        |play| {
            play.stop();
            play.start_reviewer("r1");
            play.stop();
        },
        &[NoDecision, Pending],
    );
    check(
        |play| {
            play.stop();
            play.start_reviewer("r1");
            for _ in 0..3 {
                play.stop_reviewer("r1");
            }
        },
        &[NoDecision],
    );
    check(
        |play| {
            play.stop();
            play.start_run("j1");
            play.edit(work("more"), "a.rs");
            play.end_run("j1", Outcome::Complete);
        },
        &[NoDecision],
    );
    check(
        |play| {
            play.stop();
            play.start_reviewer("r1");
            play.skip();
        },
        &[NoDecision],
    );
}

#[test]
fn a_decision_for_another_session_is_a_bad_session_id_unless_a_right_one_follows() {
    let other = |play: &mut Play| {
        play.stop();
        play.start_reviewer("r1");
        play.see_refused("r1", Refusal::OtherSession);
    };
    check(other, &[BadSessionId]);
    check(
        |play| {
            other(play);
            play.stop_reviewer("r1");
            play.start_reviewer("r2");
            play.stop();
        },
        &[BadSessionId, Pending],
    );
    check(
        |play| {
            other(play);
            play.see(Some("r1"), "r1", Outcome::Complete);
            play.decide("r1", Outcome::Complete);
        },
        &[success(Outcome::Complete, 1, 0)],
    );
    check(
        |play| {
            play.stop();
            play.start_reviewer("r1");
            play.see_refused("r1", Refusal::NotPlain);
            play.stop();
        },
        &[NoDecision, Pending],
    );
}

#[test]
fn a_new_task_ends_the_attempts_of_the_last_and_a_resumed_session_goes_on() {
    let mut play = Play::default();
    play.prompt("#review");
    play.stop();
    end(&mut play);
    play.start_reviewer("r1");
    assert_eq!(play.attempts().all()[0].outcome, Pending);
    play.skip();
    play.stop();
    play.prompt("#review the next");
    play.stop();
    let outcomes: Vec<_> = play.attempts().all().iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [NoDecision, Pending]);
}

#[test]
fn a_release_knows_the_template_of_the_last_refusal() {
    let mut play = Play::default();
    play.prompt("#review");
    for _ in 0..4 {
        play.stop();
    }
    play.prompt("#review");
    play.skip();
    let attempts = play.attempts();
    let seen: Vec<_> = attempts.releases().iter().map(|r| (r.by, r.template.as_deref())).collect();
    assert_eq!(seen, [(ReleasedBy::Breaker, Some("again")), (ReleasedBy::Person, None)]);
}

#[test]
fn a_pass_that_could_not_be_compared_is_counted_apart_from_the_approval() {
    let mut play = Play::default();
    play.prompt("#review");
    play.stop();
    play.review("r1", Outcome::Complete);
    play.wait(5);
    play.content = Content::unknown();
    assert_eq!(play.stop(), Say::PassUnknown);
    assert_eq!(play.gated(5), Say::PassUnknown);
    let attempts = play.attempts();
    let outcomes: Vec<_> = attempts.all().iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [success(Outcome::Complete, 1, 0)]);
    assert_eq!(attempts.uncompared(), [play.now(), play.now()]);
}
