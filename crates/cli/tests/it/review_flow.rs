//! The test flows of the earlier review gates, run through the real programs: the client's calls,
//! `verger hook` and `verger decide`. If verger's rules differ from those of an earlier gate, a
//! comment describes the difference.

use insta::assert_snapshot;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::reviewing::{conversation, decide, decision, review, reviewer, shell, trace, verger};

const REVIEWER: &str = "verger:reviewer";

/// A task whose prompt asks for a review, with one changed file.
#[track_caller]
fn wanted() -> Conversation {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#roz fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation
}

/// A task with gated tools, with this scope of approvals.
#[track_caller]
fn gated(scope: &str) -> Conversation {
    let conversation = conversation();
    let tools = r#"["Bash:gh issue close*", "mcp__tissue__close*"]"#;
    conversation.configure(format!("[review]\nscope = \"{scope}\"\ngated_tools = {tools}\n"));
    assert_eq!(conversation.prompt("fix it and close the ticket"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation
}

#[track_caller]
fn close(conversation: &Conversation, number: u32) -> HookAnswer {
    conversation.bash(Speaker::Main, &format!("gh issue close {number}"))
}

#[test]
fn flow_01_reviewed_and_complete() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    review(&conversation, "r1", "complete 'read all of it'");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_snapshot!(trace(&conversation), @"
    session.started          startup
    prompt.submitted         #roz fix the parser
    gate.changed             review: idle -> pending, review wanted by a prompt with #roz
    start_tree.taken         of git
    tool.requested           Write $ENV/home/project/parser.rs
    stop.requested           Task complete.
    gate.changed             verification: idle -> claimed, the agent wanted to stop without a green verification: this work was …
    gate.changed             review: pending -> blocked, stop refused, number 1
    verdict.given            deny: verger: do not stop yet: this work was not reviewed yet. An independent review has to approve …
    subagent.started         [verger:reviewer r1]
    gate.changed             [verger:reviewer r1] review: stays blocked, reviewer started: subagent:r1
    context.injected         [verger:reviewer r1] verger: you review session f0357e9b-fb48-41a1-afb7-88e26c9c25cd. The work you look at is fixed by it…
    tool.requested           [verger:reviewer r1] Bash verger decide complete 'read all of it' --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --token …
    gate.changed             [verger:reviewer r1] review: stays blocked, reviewer runs `verger decide complete`
    verdict.given            [verger:reviewer r1] allow: the reviewer decides
    gate.changed             review: blocked -> approved, reviewer decided complete
    review.decided           complete: read all of it
    subagent_stop.requested  [verger:reviewer r1] sub result text
    stop.requested           Task complete.
    ");
}

#[test]
fn flow_02_issues_reach_the_agent_and_a_second_review_approves() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    review(&conversation, "r1", "issues 'one bug' --message 'parser.rs:1: handle \"\" too'");
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: the last review found issues. An independent review has to approve this work first.
    The reviewer found: one bug
    parser.rs:1: handle "" too
    Changed so far: 1 file
    What is left, in order:
    1. Finish the task and check your work yourself.
    2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
    You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; a review is needed first (wanted by a prompt with #roz; refusal 1 of 3). To let it stop without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    conversation.write("parser.rs", "fn parse() { todo!() }\n");
    review(&conversation, "r2", "complete fixed");
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn flow_03_a_reviewer_that_took_its_time_may_leave_once_it_has_decided() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    conversation.pass_seconds(120);
    review(&conversation, "r1", "complete 'read all of it'");
}

/// The earlier gate compares times; verger knows which reviewer decided.
#[test]
fn flow_04_the_decision_of_an_earlier_reviewer_does_not_let_the_next_one_leave() {
    let conversation = wanted();
    review(&conversation, "r1", "issues 'one bug' --message 'fix it'");
    conversation.pass_seconds(2 * 60 * 60);
    assert_eq!(conversation.stop().word(), "block");
    conversation.pass_seconds(5 * 60);
    let _token = conversation.start_reviewer("r2");
    assert_snapshot!(conversation.stop_subagent("r2", REVIEWER), @r#"
    block: verger: you have not decided yet. Before you stop, run exactly one of these as one plain command, with the token from your context:
    verger decide complete "one-line summary" --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --token YOUR_TOKEN
    verger decide issues "one-line summary" --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --token YOUR_TOKEN --message "what to change, and where"
    verger decide unavailable "why no review was possible" --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --token YOUR_TOKEN
    "#);
}

/// The earlier gate refuses a decision from the future. For verger, only the order of records
/// matters, not the clock.
#[test]
fn flow_05_a_clock_that_is_set_back_makes_no_difference() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    let token = conversation.start_reviewer("r1");
    conversation.pass_seconds(60 * 60);
    let line = decision(&conversation, "complete 'read all of it'", &token);
    assert!(decide(&conversation, "r1", &line).is_success());
    conversation.set_back_seconds(2 * 60 * 60);
    assert_eq!(conversation.stop_subagent("r1", REVIEWER), HookAnswer::default());
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn flow_06_another_subagent_may_leave() {
    let conversation = wanted();
    assert_eq!(conversation.start_subagent("a1", "general-purpose"), HookAnswer::default());
    assert_eq!(conversation.stop_subagent("a1", "general-purpose"), HookAnswer::default());
}

#[test]
fn flow_07_a_review_for_a_gated_tool_needs_no_refused_stop() {
    let conversation = gated("prompt");
    assert_eq!(close(&conversation, 5).word(), "deny");
    conversation.pass_seconds(180);
    review(&conversation, "r1", "complete 'read all of it'");
    assert_eq!(close(&conversation, 5), HookAnswer::default());
}

/// The earlier gate allows the third stop. Verger refuses three stops.
#[test]
fn flow_08_three_stops_are_refused_and_the_fourth_passes() {
    let conversation = wanted();
    let words = [(); 4].map(|()| conversation.stop().word().to_owned());
    assert_eq!(words, ["block", "block", "block", "silence"]);
}

#[test]
fn flow_09_without_the_word_nothing_is_wanted() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("fix the #roz parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn flow_10_in_the_scope_session_an_approval_opens_other_gated_tools_too() {
    let conversation = gated("session");
    assert_eq!(close(&conversation, 5).word(), "deny");
    review(&conversation, "r1", "complete 'read all of it'");
    assert_eq!(close(&conversation, 5), HookAnswer::default());
    let other = conversation.tool(Speaker::Main, "mcp__tissue__close", &serde_json::json!({}));
    assert_eq!(other, HookAnswer::default());
    // The gate stays open even after a change of the work and a new prompt.
    conversation.write("parser.rs", "fn parse() { 1 }\n");
    assert_eq!(conversation.prompt("go on"), HookAnswer::default());
    assert_eq!(close(&conversation, 6), HookAnswer::default());
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn flow_11_in_the_scope_prompt_a_later_prompt_voids_an_approval() {
    for denied_before in [false, true] {
        let conversation = gated("prompt");
        if denied_before {
            assert_eq!(close(&conversation, 5).word(), "deny");
        }
        review(&conversation, "r1", "complete 'read all of it'");
        assert_eq!(close(&conversation, 5), HookAnswer::default());
        assert_eq!(close(&conversation, 6), HookAnswer::default());
        assert_eq!(conversation.prompt("and the next one"), HookAnswer::default());
        assert_eq!(close(&conversation, 7).word(), "deny", "{denied_before}");
    }
}

#[test]
fn flow_11_a_prompt_that_was_sent_during_the_review_voids_nothing() {
    let conversation = gated("prompt");
    assert_eq!(close(&conversation, 5).word(), "deny");
    let token = conversation.start_reviewer("r1");
    assert_eq!(conversation.prompt("how long will it take?"), HookAnswer::default());
    let line = decision(&conversation, "complete 'read all of it'", &token);
    assert!(decide(&conversation, "r1", &line).is_success());
    assert_eq!(close(&conversation, 5), HookAnswer::default());
}

/// The earlier gate denies every call, so the tool can never be used. Verger allows the reviewed
/// call once.
#[test]
fn flow_12_in_the_scope_tool_an_approval_opens_one_call() {
    let conversation = gated("tool");
    assert_eq!(close(&conversation, 5).word(), "deny");
    review(&conversation, "r1", "complete 'read all of it'");
    assert_eq!(close(&conversation, 5), HookAnswer::default());
    assert_snapshot!(close(&conversation, 5), @r#"
    deny: verger blocked this call: `Bash:gh issue close*` needs an approved review first, and the existing approval does not cover this call.
    Next step: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    When it is approved, make the same call again. A person can release this gate; you cannot.
    notice: verger: `Bash:gh issue close*` is blocked until a review approves the work. To allow it without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    review(&conversation, "r2", "complete 'read all of it'");
    assert_eq!(close(&conversation, 6).word(), "deny");
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn flow_13_what_is_not_gated_meets_no_objection() {
    let conversation = gated("prompt");
    for line in ["gh issue view 5", "ls", "echo gh issue close 5"] {
        assert_eq!(conversation.bash(Speaker::Main, line), HookAnswer::default());
    }
    conversation.configure("");
    assert_eq!(close(&conversation, 5), HookAnswer::default());
}

/// The earlier gate stays open for the rest of the session. Verger's gate is only open during the
/// cooldown.
#[test]
fn flow_14_a_tripped_gate_is_open_for_tools_during_the_cooldown() {
    let conversation = gated("prompt");
    assert_eq!(close(&conversation, 5).word(), "deny");
    for _ in 0..4 {
        drop(conversation.stop());
    }
    assert_eq!(close(&conversation, 5).word(), "silence");
    conversation.pass_seconds(300);
    assert_eq!(close(&conversation, 5).word(), "deny");
}

#[test]
fn flow_15_the_reviewer_sees_which_call_it_was_for() {
    let conversation = gated("prompt");
    assert_eq!(close(&conversation, 5).word(), "deny");
    let token = conversation.start_reviewer("r1");
    let session = conversation.session().to_owned();
    let context = format!("verger context --session {session}");
    assert_eq!(conversation.bash(reviewer("r1"), &context).word(), "allow");
    assert_snapshot!(shell(&conversation, &context), @"
    session        f0357e9b-fb48-41a1-afb7-88e26c9c25cd of claude
    directory      $ENV/home/project
    review gate    pending: wanted by a gated tool; review by subagent:r1 began 2 s ago
    learning gate  idle
    prompt 1       given 2026-11-15 18:39:22
                   fix it and close the ticket
    waits          Bash, which fits `Bash:gh issue close*`
                   gh issue close 5
    changed        1 file, content 9f0963edd9a1a5efb01158cd98ff46d85f060afe9d269d6ddfddb3b0eaa5c265
                   added    parser.rs
    since          the task began, at c9f3b6633596b56e35ff6828b42c185d57406400 in $ENV/home/project
      diff         git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400
    note           git diff also shows changes that were uncommitted when the task began, and does not show untracked files
    ");
    let line = decision(&conversation, "complete 'read all of it'", &token);
    assert!(decide(&conversation, "r1", &line).is_success());
    assert_eq!(close(&conversation, 5), HookAnswer::default());
}

#[test]
fn flow_16_attempts_are_counted_until_they_succeed() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    assert_snapshot!(verger(&conversation, &["stats", "review"]), @"
    reviews within 30 days
                   default  all
    stops refused        1    1
      still open         1    1
    ");
    assert_eq!(conversation.stop().word(), "block");
    review(&conversation, "r1", "complete 'read all of it'");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_snapshot!(verger(&conversation, &["stats", "review"]), @"
    reviews within 30 days
                                       again  default   all
    stops refused                          1        1     2
      reviewed then                        1        0     1
      no reviewer started                  0        1     1
    reviewed, not counting open ones   100 %      0 %  50 %
    approved                               1        0     1
    refusals per approval                2.0        -   2.0
    first refusal to approval, median    5 s        -   5 s
      90 % within                        5 s        -   5 s
    ");
}

#[test]
fn flow_17_a_session_is_traced_from_its_start_to_its_end() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#roz fix it"), HookAnswer::default());
    let end = [("reason", serde_json::json!("logout"))];
    assert_eq!(conversation.call("SessionEnd-other", &end), HookAnswer::default());
    assert_snapshot!(trace(&conversation), @r#"
    session.started          startup
    prompt.submitted         #roz fix it
    gate.changed             review: idle -> pending, review wanted by a prompt with #roz
    session.ended            logout
    "#);
}

/// The earlier gate writes no file. Verger records the end, as it records every event.
#[test]
fn flow_18_the_end_of_an_unknown_session_is_recorded_and_nothing_else() {
    let mut conversation = conversation();
    conversation.continue_as("0a0b0c0d-0000-4000-8000-000000000000");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_snapshot!(trace(&conversation), @"session.ended            other");
}

#[test]
fn flow_19_what_is_wanted_outlives_the_end_of_the_session() {
    let conversation = wanted();
    assert_eq!(conversation.stop().word(), "block");
    assert_eq!(conversation.call("SessionEnd-other", &[]), HookAnswer::default());
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
    let blocked = conversation.stop();
    assert!(blocked.notice.unwrap().contains("refusal 2 of 3"));
    let told = verger(&conversation, &["context", "--session", conversation.session()]);
    assert!(told.stdout.contains("#roz fix the parser"), "{told}");
}

/// The earlier gate releases the third stop, because the client reports an earlier refusal. For
/// verger, that report is only information.
#[test]
fn flow_20_that_the_agent_was_refused_before_changes_nothing() {
    let conversation = wanted();
    let first = [conversation.stop(), conversation.stop()];
    let rest = [(); 2].map(|()| conversation.call("Stop-active", &[]));
    let words: Vec<_> = first.iter().chain(&rest).map(HookAnswer::word).collect();
    assert_eq!(words, ["block", "block", "block", "silence"]);
}

#[test]
fn flow_21_a_reviewer_that_was_refused_before_still_has_to_decide() {
    let conversation = wanted();
    let token = conversation.start_reviewer("r1");
    let leave = || conversation.call_of(reviewer("r1"), "SubagentStop-active", &[]);
    assert_eq!(leave().word(), "block");
    let line = decision(&conversation, "complete 'read all of it'", &token);
    assert!(decide(&conversation, "r1", &line).is_success());
    assert_eq!(leave(), HookAnswer::default());
}
