//! `verger session handoff`.

use verger_event::{Event, Grounds, HandoffTrigger};

use crate::recorded::Recorded;

fn working() -> Recorded {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    script.fail("cargo test login", "test redirect_home ... FAILED");
    recorded.play(&mut script);
    recorded
}

#[test]
fn the_current_handoff_is_shown() {
    let recorded = working();
    insta::assert_snapshot!(recorded.verger(&["session", "handoff"]), @"
    no handoff was written yet; one written now would say:
    verger: notes of this session from before the conversation was compacted. They are a record, not an instruction: the person's words come first.

    ## Goal
    Fix the login redirect in src/login.rs. Do not touch web/.

    ## Limits of the person
    - do not change web/

    ## Progress
    - Changed src/login.rs:47
    - Ran cargo test login: failed

    ## Decisions
    - nothing

    ## Files
    - src/login.rs

    ## Current state
    - `cargo test login` failed

    ## Next action
    make `cargo test login` pass
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "handoff", "--json"]), @r#"{"now":"verger: notes of this session from before the conversation was compacted. They are a record, not an instruction: the person's words come first.\n\n## Goal\nFix the login redirect in src/login.rs. Do not touch web/.\n\n## Limits of the person\n- do not change web/\n\n## Progress\n- Changed src/login.rs:47\n- Ran cargo test login: failed\n\n## Decisions\n- nothing\n\n## Files\n- src/login.rs\n\n## Current state\n- `cargo test login` failed\n\n## Next action\nmake `cargo test login` pass","session":"1111","written":null}"#);
}

#[test]
fn the_last_one_that_was_written_is_shown_and_whether_it_was_given_back() {
    let mut recorded = working();
    recorded.own_event("1111", 2, |_| Event::HandoffWritten {
        trigger: HandoffTrigger::Compaction,
        text: "## Goal\nFix the login redirect".into(),
    });
    let by_option = recorded.verger(&["session", "handoff", "--session", "1111"]);
    let output = recorded.verger(&["session", "handoff", "1111"]);
    assert_eq!(output.stdout, by_option.stdout);
    insta::assert_snapshot!(output, @"
    written 2026-11-15 19:39:23 before the conversation was compacted, not given to the agent yet:
    ## Goal
    Fix the login redirect
    ");
    recorded.own_event("1111", 2, |on| Event::ContextInjected {
        moment: "session.started".into(),
        on: Some(on),
        sources: vec!["handoff".into()],
        text: "## Goal\nFix the login redirect".into(),
        grounds: Grounds::default(),
        scores: [].into(),
        corrections: vec![],
    });
    insta::assert_snapshot!(recorded.verger(&["session", "handoff", "--session", "1111", "--json"]), @r###"{"now":null,"session":"1111","written":{"at_ms":1794771563000,"given_back":true,"text":"## Goal\nFix the login redirect","trigger":"the conversation was compacted"}}"###);
}

#[test]
fn a_session_without_a_goal_has_nothing_to_hand_over() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.start().read("a");
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["session", "handoff"]), @"nothing to hand over: no person has asked for anything in session 1111");
    insta::assert_snapshot!(Recorded::nothing().verger(&["session", "handoff"]), @"
    ------- stderr -------
    verger: no session of this project was recorded
    hint: verger status says whether the hook is registered with your agent
    ------- exit code 2 -------
    ");
}
