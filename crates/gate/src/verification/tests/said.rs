//! Snapshots of all messages and log events of the verification gate.

use insta::assert_snapshot;

use super::super::message::{notice_held, notice_passed, notice_unknown, refuse_stop};
use super::super::*;
use super::built::at;
use verger_event::ContentHash;

fn hold(reason: HoldReason, trigger: Trigger) -> Hold {
    let ask = Ask { trigger, depth: Depth::Standard };
    Hold { reason, ask, issues: vec![], more_issues: 0, steps: vec![], number: 1, untrusted: None }
}

fn claimed() -> Trigger {
    Trigger::Claim { words: "the parser is fixed".to_owned() }
}

#[test]
fn a_block_says_which_command_is_left() {
    let told = refuse_stop(&hold(HoldReason::Unverified, claimed()), "s-1");
    assert_snapshot!(told, @r#"
    verger: do not stop yet: this work was not verified yet. You are asked because you said "the parser is fixed".
    What is left, in order:
    1. Run `verger verify --session s-1 --depth standard`. It runs the checks of this project, changes nothing, and may take a while; if it says that it is still running, run the same command again. Fix what it finds and run it again.
    2. When it passes, stop again. If the work changes afterwards, it has to be verified again.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    "#);
    let (run, content) = ("r1".to_owned(), ContentHash::new("c1"));
    let started = Started { run, depth: Depth::Standard, content, at: at(1) };
    let told = refuse_stop(&hold(HoldReason::Started(started), Trigger::Marker), "s-1");
    assert_snapshot!(told, @r#"
    verger: do not stop yet: a verification of this work is still running. You are asked because you wrote [[VERIFY:done]].
    What is left, in order:
    1. Run `verger verify --session s-1 --depth standard`. It waits for the running verification and prints its result; if it says that it is still running, run the same command again. Fix what it finds and run it again.
    2. When it passes, stop again. If the work changes afterwards, it has to be verified again.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    "#);
}

#[test]
fn a_block_says_what_is_wrong_and_what_is_to_be_done() {
    let red = Hold {
        issues: vec!["src/save.rs:3: unused variable (lint)".to_owned()],
        more_issues: 4,
        steps: vec!["Fix what lint found; `cargo clippy` shows all of it.".to_owned()],
        ..hold(HoldReason::Red, Trigger::Always)
    };
    assert_snapshot!(refuse_stop(&red, "s-1"), @r#"
    verger: do not stop yet: the verification of this work is red. You are asked because every change is verified here.
    What is wrong:
    - src/save.rs:3: unused variable (lint)
    - and 4 more
    What is left, in order:
    1. Fix what lint found; `cargo clippy` shows all of it.
    2. Run `verger verify --session s-1 --depth standard` again.
    3. When it passes, stop again. If the work changes afterwards, it has to be verified again.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    "#);
    let unmet = Hold {
        issues: vec!["not done: #3 Write the tests (open tasks)".to_owned()],
        steps: vec!["Finish the open items of your list.".to_owned()],
        ..hold(HoldReason::Unmet, Trigger::Failure { what: "cargo test".to_owned() })
    };
    assert_snapshot!(refuse_stop(&unmet, "s-1"), @r#"
    verger: do not stop yet: this work is verified, but other requirements are not met. You are asked because `cargo test` failed and has not succeeded since.
    What is wrong:
    - not done: #3 Write the tests (open tasks)
    What is left, in order:
    1. Finish the open items of your list.
    2. Then stop again. If files change before that, run `verger verify --session s-1 --depth standard` first.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    "#);
}

#[test]
fn every_reason_has_its_words() {
    let (run, content) = ("r1".to_owned(), ContentHash::new("c1"));
    let started = Started { run, depth: Depth::Standard, content, at: at(1) };
    let words = [
        HoldReason::Unverified,
        HoldReason::ChangedSince,
        HoldReason::TooShallow(Depth::Quick),
        HoldReason::Started(started),
        HoldReason::Red,
        HoldReason::Incomplete,
        HoldReason::Unmet,
    ]
    .map(|reason| reason.words());
    assert_snapshot!(words.join("\n"), @"
    this work was not verified yet
    the work changed after it was verified
    this work was verified with depth quick, which is not deep enough
    a verification of this work is still running
    the verification of this work is red
    the verification of this work is incomplete: a required check did not run
    this work is verified, but other requirements are not met
    ");
}

#[test]
fn an_agent_is_never_told_how_to_open_the_gate() {
    for trigger in [claimed(), Trigger::Marker, Trigger::Always] {
        let told = refuse_stop(&hold(HoldReason::Incomplete, trigger), "s-1");
        assert!(!told.contains("skip") && !told.contains("verger release"), "{told}");
    }
}

#[test]
fn the_person_is_told_where_only_people_look() {
    let unverified = hold(HoldReason::Unverified, claimed());
    assert_snapshot!(notice_held(&unverified, 3, "s-1"), @r#"verger: the agent wanted to stop; this work was not verified yet (the agent said "the parser is fixed"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session s-1"#);
    assert_snapshot!(notice_passed(&unverified, ReleasedBy::Breaker, "s-1"), @"verger: WARNING: not verified. The agent stopped: the gate released it after several refusals without progress; this work was not verified yet. See: verger why --last --session s-1");
    let red = hold(HoldReason::Red, Trigger::Always);
    assert_snapshot!(notice_passed(&red, ReleasedBy::Limit, "s-1"), @"verger: WARNING: not verified. The agent stopped: too many stops in a row had been refused; the verification of this work is red. See: verger why --last --session s-1");
    assert_snapshot!(notice_unknown("s-1"), @"verger: WARNING: not verified. The agent stopped: verger could not compare the work with its start. See: verger why --last --session s-1");
}
