//! Tests of whole sessions. They come from the tests of earlier review gates. If the rules of this
//! gate are stricter, the tests follow the rules of this gate.

use verger_event::{EndReason, Event};

use super::super::*;
use super::built::{close, policy, work};
use super::play::Play;

fn refused(say: &Say) -> Option<(HoldReason, u32)> {
    match say {
        Say::RefuseStop(hold) => Some((hold.reason, hold.number)),
        _ => None,
    }
}

fn denied(say: &Say) -> Option<HoldReason> {
    match say {
        Say::DenyTool(hold) => Some(hold.reason),
        _ => None,
    }
}

fn is_open(say: &Say) -> bool {
    matches!(say, Say::PassApproved(_))
}

fn scoped(scope: Scope) -> Play {
    Play::new(Policy { scope, ..policy() })
}

#[test]
fn flow_01_reviewed_and_complete() {
    let mut play = Play::default();
    assert_eq!(play.prompt("#roz fix it"), Say::Nothing);
    assert_eq!(refused(&play.stop()), Some((HoldReason::Unreviewed, 1)));
    play.review("r1", Outcome::Complete);
    assert_eq!(play.stop(), Say::Nothing);
}

#[test]
fn flow_02_issues_reach_the_agent_and_a_second_review_approves() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    assert_eq!(refused(&play.stop()), Some((HoldReason::Unreviewed, 1)));
    play.review("r1", Outcome::Issues);
    let Say::RefuseStop(hold) = play.stop() else { panic!("it passes") };
    assert_eq!(hold.reason, HoldReason::Issues);
    assert_eq!(hold.want.findings.unwrap().message.as_deref(), Some("fix it"));
    play.edit(work("fixed"), "a.rs");
    play.review("r2", Outcome::Complete);
    assert_eq!(play.stop(), Say::Nothing);
}

#[test]
fn flow_03_a_reviewer_that_decided_may_stop() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.stop();
    play.wait(120);
    play.review("r1", Outcome::Complete);
}

/// A decision belongs to one reviewer, not to a period of time.
#[test]
fn flow_04_the_decision_of_an_earlier_reviewer_does_not_let_the_next_one_stop() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.review("r1", Outcome::Issues);
    play.wait(2 * 60 * 60);
    play.stop();
    play.start_reviewer("r2");
    assert_eq!(play.stop_reviewer("r2"), Say::AskForDecision);
}

#[test]
fn flow_05_a_clock_that_was_set_back_makes_no_difference() {
    let mut play = Play::default();
    play.wait(60 * 60);
    play.prompt("#roz fix it");
    play.start_reviewer("r1");
    let mut back = Play::default();
    back.state = play.state.clone();
    assert_eq!(back.stop_reviewer("r1"), Say::AskForDecision);
    assert_eq!(back.see(Some("r1"), "r1", Outcome::Complete), Say::AllowDecision);
    back.content = play.content;
    assert_eq!(back.decide("r1", Outcome::Complete), Say::Taken);
    assert_eq!(back.stop_reviewer("r1"), Say::Nothing);
}

#[test]
fn flow_06_another_subagent_may_stop() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.start_subagent("worker");
    assert_eq!(play.stop_reviewer("worker"), Say::Nothing);
}

#[test]
fn flow_07_a_review_for_a_gated_tool_needs_no_refused_stop() {
    let mut play = Play::default();
    play.prompt("close the ticket");
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::Unreviewed));
    play.wait(180);
    play.review("r1", Outcome::Complete);
    assert!(is_open(&play.gated(5)));
}

#[test]
fn flow_08_three_stops_are_refused_and_the_fourth_passes() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    let stops = [1, 2, 3].map(|_| refused(&play.stop()));
    assert_eq!(stops, [1, 2, 3].map(|number| Some((HoldReason::Unreviewed, number))));
    let by = ReleasedBy::Breaker;
    assert_eq!(play.stop(), Say::PassUnapproved { by, findings: None });
}

#[test]
fn flow_09_without_the_word_nothing_is_wanted() {
    let mut play = Play::default();
    play.prompt("fix #roz it");
    assert_eq!(play.stop(), Say::Nothing);
}

#[test]
fn flow_10_scope_session_opens_every_gated_tool() {
    let mut play = scoped(Scope::Session);
    play.prompt("close both");
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::Unreviewed));
    play.review("r1", Outcome::Complete);
    assert!(is_open(&play.gated(6)));
    play.edit(work("more"), "a.rs");
    play.prompt("and the next one");
    assert!(is_open(&play.gated(7)));
}

#[test]
fn flow_11_scope_prompt_closes_with_the_next_prompt() {
    let mut play = scoped(Scope::Prompt);
    play.prompt("#roz fix it");
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::Unreviewed));
    play.prompt("hurry up");
    play.review("r1", Outcome::Complete);
    assert!(is_open(&play.gated(5)), "a prompt during the review does not void it");
    play.prompt("now close the other one");
    assert_eq!(denied(&play.gated(6)), Some(HoldReason::NotForThisCall));
    assert_eq!(play.stop(), Say::Nothing, "at a stop the content decides alone");
    play.prompt("close it at last");
    assert_eq!(denied(&play.gated(6)), Some(HoldReason::Unreviewed), "another task");
}

#[test]
fn flow_12_scope_tool_opens_the_call_that_was_denied_once() {
    let mut play = scoped(Scope::Tool);
    play.prompt("#roz fix it and close both");
    play.review("r1", Outcome::Complete);
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::NotForThisCall));
    play.review("r2", Outcome::Complete);
    assert!(is_open(&play.gated(5)));
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::NotForThisCall));
    assert_eq!(denied(&play.gated(6)), Some(HoldReason::NotForThisCall));
}

/// The gate doesn't decide which calls are gated: its caller passes only gated calls to it.
#[test]
fn flow_13_what_is_not_gated_is_never_asked_for() {
    let mut play = Play::default();
    play.prompt("fix it");
    play.edit(work("a"), "a.rs");
    assert_eq!((play.changes.len(), play.stop()), (0, Say::Nothing));
}

#[test]
fn flow_14_a_tripped_breaker_opens_gated_tools_during_the_cooldown_alone() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    for _ in 0..4 {
        play.stop();
    }
    play.wait(299);
    assert!(matches!(play.gated(5), Say::PassUnapproved { by: ReleasedBy::Breaker, .. }));
    play.wait(1);
    assert_eq!(denied(&play.gated(5)), Some(HoldReason::Unreviewed));
}

#[test]
fn flow_15_a_denied_tool_is_kept_for_the_reviewer_and_opens_when_approved() {
    let mut play = Play::default();
    play.prompt("close it");
    let Say::DenyTool(hold) = play.gated(5) else { panic!("it passes") };
    assert_eq!((hold.want.trigger, hold.want.call), (Trigger::Tool, Some(close(5))));
    play.review("r1", Outcome::Complete);
    assert!(is_open(&play.gated(5)));
}

#[test]
fn flow_16_a_refused_stop_is_an_attempt_that_a_decision_makes_a_success() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.stop();
    let outcome = |play: &Play| play.attempts().all().last().map(|attempt| attempt.outcome);
    assert_eq!(outcome(&play), Some(AttemptOutcome::Pending));
    play.review("r1", Outcome::Complete);
    let (decision, blocks, took_millis) = (Outcome::Complete, 1, 0);
    assert_eq!(outcome(&play), Some(AttemptOutcome::Success { decision, blocks, took_millis }));
}

#[test]
fn flow_17_and_19_a_session_that_ends_keeps_its_gate() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.stop();
    let before = play.state.review.clone();
    let actor = verger_event::Actor::Main { agent_type: None };
    play.record(actor, &Event::SessionEnded { reason: EndReason::Logout });
    assert_eq!(play.state.review, before);
    assert_eq!(refused(&play.stop()), Some((HoldReason::Unreviewed, 2)), "it is resumed");
}

#[test]
fn flow_18_an_unknown_session_has_an_open_gate() {
    let mut play = Play::default();
    let actor = verger_event::Actor::Main { agent_type: None };
    play.record(actor, &Event::SessionEnded { reason: EndReason::Clear });
    assert_eq!(play.state.review, Review::default());
    assert_eq!(play.stop(), Say::Nothing);
}

/// The agent isn't released because earlier stops were refused.
#[test]
fn flow_20_the_third_stop_in_a_row_is_refused_too() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.stop();
    play.stop();
    assert_eq!(refused(&play.stop()), Some((HoldReason::Unreviewed, 3)));
}

#[test]
fn flow_21_a_reviewer_is_asked_again_and_then_let_go() {
    let mut play = Play::default();
    play.prompt("#roz fix it");
    play.start_reviewer("r1");
    let stops = [(); 3].map(|()| play.stop_reviewer("r1"));
    assert_eq!(stops, [Say::AskForDecision, Say::AskForDecision, Say::Nothing]);
    assert_eq!(play.decide("r1", Outcome::Complete), {
        Say::RefuseDecision(Refusal::UnknownToken)
    });
}
