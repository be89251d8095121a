//! Tests a table of every state of the review gate with every input that isn't from a reviewer.

use insta::assert_snapshot;

use super::super::*;
use super::built::*;
use super::shown::{call, row, table};
use crate::Content;

fn prompt(text: &str, mode: Mode) -> String {
    let policy = Policy { mode, ..policy() };
    table(&states(), |review| step(review, &Input::Prompt { text }, &policy, NOW))
}

#[test]
fn a_plain_prompt_wants_a_review_in_the_mode_always_alone() {
    for mode in [Mode::Prompt, Mode::Never] {
        assert!(prompt("fix it", mode).lines().all(|line| line.ends_with(" [-]")));
    }
    assert_snapshot!(prompt("fix it", Mode::Always), @r#"
    idle                   wanted(always) [-] -> pending(always @1000)
    idle, approved before  wanted(always) [-] -> pending(always @1000)
    idle, breaker          wanted(always) [-] -> pending(always @1000)
    idle, limit            wanted(always) [-] -> pending(always @1000)
    idle, unavailable      wanted(always) [-] -> pending(always @1000)
    idle, person           wanted(always) [-] -> pending(always @1000)
    pending                [-]
    pending, always        [-]
    pending, tool          [-]
    pending, issues        [-]
    blocked                [-]
    blocked, last time     [-]
    blocked, issues        [-]
    blocked, lapsed        [-]
    approved               [-]
    approved, used         [-]
    approved, always       [-]
    approved, unasked      [-]
    "#);
}

#[test]
fn a_prompt_with_the_word_for_it_wants_a_review() {
    assert_eq!(prompt("#review fix it", Mode::Prompt), prompt("#review fix it", Mode::Always));
    assert_eq!(prompt("#review fix it", Mode::Never), prompt("fix it", Mode::Never));
    assert_snapshot!(prompt("#review fix it", Mode::Prompt), @r#"
    idle                   wanted(#review) [-] -> pending(#review @1000)
    idle, approved before  wanted(#review) [-] -> pending(#review @1000)
    idle, breaker          wanted(#review) [-] -> pending(#review @1000)
    idle, limit            wanted(#review) [-] -> pending(#review @1000)
    idle, unavailable      wanted(#review) [-] -> pending(#review @1000)
    idle, person           wanted(#review) [-] -> pending(#review @1000)
    pending                [-]
    pending, always        wanted(#review) [-] -> pending(#review @100)
    pending, tool          wanted(#review) [-] -> pending(#review @100, #5)
    pending, issues        [-]
    blocked                [-]
    blocked, last time     [-]
    blocked, issues        [-]
    blocked, lapsed        wanted(#review) [-] -> blocked(#review @100)
    approved               wanted(#review) [-] -> pending(#review @1000)
    approved, used         wanted(#review) [-] -> pending(#review @1000)
    approved, always       wanted(#review) [-] -> pending(#review @1000)
    approved, unasked      wanted(#review) [-] -> pending(#review @1000)
    "#);
}

fn gated(call: &GatedCall, content: &Content, policy: &Policy) -> String {
    let input = Input::GatedTool { call, content };
    table(&states(), |review| step(review, &input, policy, NOW))
}

#[test]
fn a_gated_tool_by_scope() {
    let scoped = |scope| gated(&close(5), &work("a"), &Policy { scope, ..policy() });
    assert_snapshot!(scoped(Scope::Prompt), @r#"
    idle                   denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, approved before  denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, breaker          [pass unapproved: breaker]
    idle, limit            [pass unapproved: limit]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [pass unapproved: person]
    pending                denied(#5) [deny tool: Unreviewed] -> pending(#review @100, #5)
    pending, always        denied(#5) [deny tool: Unreviewed] -> pending(always @100, #5)
    pending, tool          denied(#5) [deny tool: Unreviewed]
    pending, issues        denied(#5) [deny tool: Issues] -> pending(#review @100, #5, issues @800 "a bug": fix it)
    blocked                denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, last time     denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, issues        denied(#5) [deny tool: Issues] -> blocked(#review @100, #5, issues @800 "a bug": fix it)
    blocked, lapsed        [pass approved: subagent:r1]
    approved               [pass approved: subagent:r1]
    approved, used         [pass approved: subagent:r1]
    approved, always       [pass approved: subagent:r1]
    approved, unasked      [pass approved: subagent:r1]
    "#);
    assert_snapshot!(scoped(Scope::Session), @r#"
    idle                   denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, approved before  [pass approved: subagent:r1]
    idle, breaker          [pass unapproved: breaker]
    idle, limit            [pass unapproved: limit]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [pass unapproved: person]
    pending                denied(#5) [deny tool: Unreviewed] -> pending(#review @100, #5)
    pending, always        denied(#5) [deny tool: Unreviewed] -> pending(always @100, #5)
    pending, tool          denied(#5) [deny tool: Unreviewed]
    pending, issues        denied(#5) [deny tool: Issues] -> pending(#review @100, #5, issues @800 "a bug": fix it)
    blocked                denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, last time     denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, issues        denied(#5) [deny tool: Issues] -> blocked(#review @100, #5, issues @800 "a bug": fix it)
    blocked, lapsed        [pass approved: subagent:r1]
    approved               [pass approved: subagent:r1]
    approved, used         [pass approved: subagent:r1]
    approved, always       [pass approved: subagent:r1]
    approved, unasked      [pass approved: subagent:r1]
    "#);
    assert_snapshot!(scoped(Scope::Tool), @r#"
    idle                   denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, approved before  denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, breaker          [pass unapproved: breaker]
    idle, limit            [pass unapproved: limit]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [pass unapproved: person]
    pending                denied(#5) [deny tool: Unreviewed] -> pending(#review @100, #5)
    pending, always        denied(#5) [deny tool: Unreviewed] -> pending(always @100, #5)
    pending, tool          denied(#5) [deny tool: Unreviewed]
    pending, issues        denied(#5) [deny tool: Issues] -> pending(#review @100, #5, issues @800 "a bug": fix it)
    blocked                denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, last time     denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, issues        denied(#5) [deny tool: Issues] -> blocked(#review @100, #5, issues @800 "a bug": fix it)
    blocked, lapsed        approval_used [pass approved: subagent:r1] -> blocked(#review @100, lapsed a @900 by subagent:r1, used)
    approved               approval_used [pass approved: subagent:r1] -> approved(#review @100, #5; a @900 by subagent:r1, used)
    approved, used         denied(#5) [deny tool: NotForThisCall] -> pending(#review @1000, #5, lapsed a @900 by subagent:r1, used)
    approved, always       denied(#5) [deny tool: NotForThisCall] -> pending(always @1000, #5, lapsed a @900 by subagent:r1, for no call)
    approved, unasked      denied(#5) [deny tool: NotForThisCall] -> pending(tool @1000, #5, lapsed a @900 by subagent:r1, for no call)
    "#);
}

/// Tests the conditions under which an approval opens a gated tool, in the order of the rules:
/// scope `tool`, time, scope `prompt`, content.
#[test]
fn an_approval_opens_a_gated_tool_by_scope_time_prompts_and_content() {
    let mut lines = vec![];
    for scope in [Scope::Session, Scope::Prompt, Scope::Tool] {
        for (ttl, age) in [(100_001, "new"), (100_000, "old")] {
            let policy = Policy { scope, approval_ttl_millis: Some(ttl), ..policy() };
            for (ticket, content, prompts) in
                [(5, "a", 0), (5, "b", 0), (5, "a", 1), (6, "a", 0), (5, "b", 1)]
            {
                let mut review = approved(prompt_trigger(), fresh());
                review.phase.approval_mut().unwrap().prompts_since = prompts;
                let (asked, content) = (close(ticket), work(content));
                let input = Input::GatedTool { call: &asked, content: &content };
                let said = match step(&review, &input, &policy, NOW).say {
                    Say::PassApproved(approval) => {
                        assert_eq!(Some(&approval), review.phase.approval());
                        "passes".to_owned()
                    }
                    Say::DenyTool(hold) => format!("{:?}", hold.reason),
                    say => panic!("{say:?}"),
                };
                lines.push(format!(
                    "{scope:?}, {age}, {}, {}, prompts {prompts}: {said}",
                    call(&asked),
                    content.hash,
                ));
            }
        }
    }
    assert_snapshot!(lines.join("\n"), @r#"
    Session, new, #5, a, prompts 0: passes
    Session, new, #5, b, prompts 0: passes
    Session, new, #5, a, prompts 1: passes
    Session, new, #6, a, prompts 0: passes
    Session, new, #5, b, prompts 1: passes
    Session, old, #5, a, prompts 0: NotForThisCall
    Session, old, #5, b, prompts 0: NotForThisCall
    Session, old, #5, a, prompts 1: NotForThisCall
    Session, old, #6, a, prompts 0: NotForThisCall
    Session, old, #5, b, prompts 1: NotForThisCall
    Prompt, new, #5, a, prompts 0: passes
    Prompt, new, #5, b, prompts 0: ChangedSince
    Prompt, new, #5, a, prompts 1: NotForThisCall
    Prompt, new, #6, a, prompts 0: passes
    Prompt, new, #5, b, prompts 1: NotForThisCall
    Prompt, old, #5, a, prompts 0: NotForThisCall
    Prompt, old, #5, b, prompts 0: NotForThisCall
    Prompt, old, #5, a, prompts 1: NotForThisCall
    Prompt, old, #6, a, prompts 0: NotForThisCall
    Prompt, old, #5, b, prompts 1: NotForThisCall
    Tool, new, #5, a, prompts 0: passes
    Tool, new, #5, b, prompts 0: ChangedSince
    Tool, new, #5, a, prompts 1: passes
    Tool, new, #6, a, prompts 0: NotForThisCall
    Tool, new, #5, b, prompts 1: ChangedSince
    Tool, old, #5, a, prompts 0: NotForThisCall
    Tool, old, #5, b, prompts 0: NotForThisCall
    Tool, old, #5, a, prompts 1: NotForThisCall
    Tool, old, #6, a, prompts 0: NotForThisCall
    Tool, old, #5, b, prompts 1: NotForThisCall
    "#);
}

#[test]
fn a_gate_that_was_forced_open_is_open_for_tools_during_the_cooldown_alone() {
    let open_for = |by| {
        let review = released(by, None);
        let (call, content) = (close(5), work("a"));
        let input = Input::GatedTool { call: &call, content: &content };
        [1199, 1200].map(|second| {
            matches!(step(&review, &input, &policy(), at(second)).say, Say::PassUnapproved { .. })
        })
    };
    assert_eq!(open_for(ReleasedBy::Breaker), [true, false]);
    assert_eq!(open_for(ReleasedBy::Limit), [true, false]);
    assert_eq!(open_for(ReleasedBy::Unavailable), [true, true]);
    assert_eq!(open_for(ReleasedBy::Person), [true, true]);
}

fn facts(content: &Content) -> StopFacts<'_> {
    StopFacts { content, waits: false, may_refuse: true, template: "t1" }
}

fn stop(facts: StopFacts<'_>) -> String {
    table(&states(), |review| step(review, &Input::Stop(facts), &policy(), NOW))
}

#[test]
fn a_stop_by_content() {
    assert_snapshot!(stop(facts(&work("a"))), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    pending                held(1 on a, t1) [refuse stop: Unreviewed 1] -> blocked(#review @100)
    pending, always        held(1 on a, t1) [refuse stop: Unreviewed 1] -> blocked(always @100)
    pending, tool          held(1 on a, t1) [refuse stop: Unreviewed 1] -> blocked(tool @100, #5)
    pending, issues        held(1 on a "a bug", t1) [refuse stop: Issues 1] -> blocked(#review @100, issues @800 "a bug": fix it)
    blocked                held(2 on a, again) [refuse stop: Unreviewed 2]
    blocked, last time     released(breaker) [pass unapproved: breaker] -> idle(breaker @1000)
    blocked, issues        held(3 on a "a bug", again) [refuse stop: Issues 3]
    blocked, lapsed        restored [-] -> approved(#review @100; a @900 by subagent:r1, for #5)
    approved               [-]
    approved, used         [-]
    approved, always       [-]
    approved, unasked      [-]
    "#);
    assert_snapshot!(stop(facts(&work("b"))), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    pending                held(1 on b, t1) [refuse stop: Unreviewed 1] -> blocked(#review @100)
    pending, always        held(1 on b, t1) [refuse stop: Unreviewed 1] -> blocked(always @100)
    pending, tool          held(1 on b, t1) [refuse stop: Unreviewed 1] -> blocked(tool @100, #5)
    pending, issues        held(1 on b "a bug", t1) [refuse stop: Issues 1] -> blocked(#review @100, issues @800 "a bug": fix it)
    blocked                held(1 on b, t1) [refuse stop: Unreviewed 1]
    blocked, last time     held(1 on b, t1) [refuse stop: Unreviewed 1]
    blocked, issues        held(1 on b "a bug", t1) [refuse stop: Issues 1]
    blocked, lapsed        held(2 on b, again) [refuse stop: ChangedSince 2]
    approved               held(1 on b, t1) [refuse stop: ChangedSince 1] -> blocked(#review @1000, #5, lapsed a @900 by subagent:r1, for #5)
    approved, used         held(1 on b, t1) [refuse stop: ChangedSince 1] -> blocked(#review @1000, #5, lapsed a @900 by subagent:r1, used)
    approved, always       held(1 on b, t1) [refuse stop: ChangedSince 1] -> blocked(always @1000, #5, lapsed a @900 by subagent:r1, for no call)
    approved, unasked      [-]
    "#);
    assert_snapshot!(stop(facts(&no_work())), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    pending                held(1 on 0, t1) [refuse stop: Unreviewed 1] -> blocked(#review @100)
    pending, always        satisfied [-] -> idle
    pending, tool          held(1 on 0, t1) [refuse stop: Unreviewed 1] -> blocked(tool @100, #5)
    pending, issues        held(1 on 0 "a bug", t1) [refuse stop: Issues 1] -> blocked(#review @100, issues @800 "a bug": fix it)
    blocked                held(1 on 0, t1) [refuse stop: Unreviewed 1]
    blocked, last time     held(1 on 0, t1) [refuse stop: Unreviewed 1]
    blocked, issues        held(1 on 0 "a bug", t1) [refuse stop: Issues 1]
    blocked, lapsed        held(1 on 0, t1) [refuse stop: ChangedSince 1]
    approved               held(1 on 0, t1) [refuse stop: ChangedSince 1] -> blocked(#review @1000, #5, lapsed a @900 by subagent:r1, for #5)
    approved, used         held(1 on 0, t1) [refuse stop: ChangedSince 1] -> blocked(#review @1000, #5, lapsed a @900 by subagent:r1, used)
    approved, always       satisfied [-] -> idle
    approved, unasked      [-]
    "#);
    let always: Vec<_> = states().into_iter().filter(|(name, _)| name.contains("always")).collect();
    let moved_out = moved_out();
    let stop = |review: &Review| step(review, &Input::Stop(facts(&moved_out)), &policy(), NOW);
    assert_snapshot!(table(&always, stop), @r#"
    pending, always        held(1 on 0, t1) [refuse stop: Unreviewed 1] -> blocked(always @100)
    approved, always       held(1 on 0, t1) [refuse stop: ChangedSince 1] -> blocked(always @1000, #5, lapsed a @900 by subagent:r1, for no call)
    "#);
}

#[test]
fn a_stop_or_a_gated_tool_when_nobody_can_tell_the_content() {
    let unknown = Content::unknown();
    assert_snapshot!(stop(facts(&unknown)), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    pending                held(1 on unknown, t1) [refuse stop: Unreviewed 1] -> blocked(#review @100)
    pending, always        held(1 on unknown, t1) [refuse stop: Unreviewed 1] -> blocked(always @100)
    pending, tool          held(1 on unknown, t1) [refuse stop: Unreviewed 1] -> blocked(tool @100, #5)
    pending, issues        held(1 on unknown "a bug", t1) [refuse stop: Issues 1] -> blocked(#review @100, issues @800 "a bug": fix it)
    blocked                held(1 on unknown, t1) [refuse stop: Unreviewed 1]
    blocked, last time     held(1 on unknown, t1) [refuse stop: Unreviewed 1]
    blocked, issues        held(1 on unknown "a bug", t1) [refuse stop: Issues 1]
    blocked, lapsed        held(1 on unknown, t1) [refuse stop: ChangedSince 1]
    approved               passed_uncompared [pass unknown]
    approved, used         passed_uncompared [pass unknown]
    approved, always       passed_uncompared [pass unknown]
    approved, unasked      [-]
    "#);
    let once = Policy { scope: Scope::Tool, ..policy() };
    let approved = |row: &&str| row.starts_with("approved");
    let rows = gated(&close(5), &unknown, &once);
    assert_snapshot!(rows.lines().filter(approved).collect::<Vec<_>>().join("\n"), @"
    approved               approval_used passed_uncompared [pass unknown] -> approved(#review @100, #5; a @900 by subagent:r1, used)
    approved, used         denied(#5) [deny tool: NotForThisCall] -> pending(#review @1000, #5, lapsed a @900 by subagent:r1, used)
    approved, always       denied(#5) [deny tool: NotForThisCall] -> pending(always @1000, #5, lapsed a @900 by subagent:r1, for no call)
    approved, unasked      denied(#5) [deny tool: NotForThisCall] -> pending(tool @1000, #5, lapsed a @900 by subagent:r1, for no call)
    ");
    assert_snapshot!(gated(&close(5), &unknown, &policy()), @r#"
    idle                   denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, approved before  denied(#5) [deny tool: Unreviewed] -> pending(tool @1000, #5)
    idle, breaker          [pass unapproved: breaker]
    idle, limit            [pass unapproved: limit]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [pass unapproved: person]
    pending                denied(#5) [deny tool: Unreviewed] -> pending(#review @100, #5)
    pending, always        denied(#5) [deny tool: Unreviewed] -> pending(always @100, #5)
    pending, tool          denied(#5) [deny tool: Unreviewed]
    pending, issues        denied(#5) [deny tool: Issues] -> pending(#review @100, #5, issues @800 "a bug": fix it)
    blocked                denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, last time     denied(#5) [deny tool: Unreviewed] -> blocked(#review @100, #5)
    blocked, issues        denied(#5) [deny tool: Issues] -> blocked(#review @100, #5, issues @800 "a bug": fix it)
    blocked, lapsed        denied(#5) [deny tool: ChangedSince] -> blocked(#review @100, #5, lapsed a @900 by subagent:r1, for #5)
    approved               passed_uncompared [pass unknown]
    approved, used         passed_uncompared [pass unknown]
    approved, always       passed_uncompared [pass unknown]
    approved, unasked      passed_uncompared [pass unknown]
    "#);
}

#[test]
fn a_stop_in_the_mode_always_when_nothing_is_wanted() {
    let policy = Policy { mode: Mode::Always, ..policy() };
    let idle: Vec<_> = states().into_iter().filter(|(name, _)| name.starts_with("idle")).collect();
    let stop = |content: &Content| {
        table(&idle, |review| step(review, &Input::Stop(facts(content)), &policy, NOW))
    };
    assert_snapshot!(stop(&no_work()), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    "#);
    assert_snapshot!(stop(&work("b")), @r#"
    idle                   held(1 on b, t1) [refuse stop: Unreviewed 1] -> blocked(always @1000)
    idle, approved before  held(1 on b, t1) [refuse stop: Unreviewed 1] -> blocked(always @1000)
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    "#);
}

#[test]
fn a_stop_when_no_more_may_be_refused() {
    let content = work("b");
    assert_snapshot!(stop(StopFacts { may_refuse: false, ..facts(&content) }), @r#"
    idle                   [-]
    idle, approved before  [-]
    idle, breaker          [-]
    idle, limit            [-]
    idle, unavailable      [pass unapproved: unavailable, unavailable @800 "no quota"]
    idle, person           [-]
    pending                released(limit) [pass unapproved: limit] -> idle(limit @1000)
    pending, always        released(limit) [pass unapproved: limit] -> idle(limit @1000)
    pending, tool          released(limit) [pass unapproved: limit] -> idle(limit @1000)
    pending, issues        released(limit) [pass unapproved: limit, issues @800 "a bug": fix it] -> idle(limit @1000, issues @800 "a bug": fix it)
    blocked                released(limit) [pass unapproved: limit] -> idle(limit @1000)
    blocked, last time     released(limit) [pass unapproved: limit] -> idle(limit @1000)
    blocked, issues        released(limit) [pass unapproved: limit, issues @800 "a bug": fix it] -> idle(limit @1000, issues @800 "a bug": fix it)
    blocked, lapsed        released(limit) [pass unapproved: limit] -> idle(limit @1000)
    approved               released(limit) [pass unapproved: limit] -> idle(limit @1000)
    approved, used         released(limit) [pass unapproved: limit] -> idle(limit @1000)
    approved, always       released(limit) [pass unapproved: limit] -> idle(limit @1000)
    approved, unasked      [-]
    "#);
}

#[test]
fn a_stop_that_waits_for_a_subagent_passes_whatever_the_state() {
    for content in [work("a"), work("b"), no_work()] {
        for (name, review) in states() {
            for may_refuse in [true, false] {
                let facts = StopFacts { waits: true, may_refuse, ..facts(&content) };
                let passes = Step { changes: vec![], say: Say::Nothing };
                assert_eq!(step(&review, &Input::Stop(facts), &policy(), NOW), passes, "{name}");
            }
        }
    }
}

#[test]
fn a_stop_is_refused_three_times_and_again_after_the_cooldown_or_progress() {
    let content = work("a");
    let mut lines = vec![];
    let mut review = pending(want(prompt_trigger()));
    for _ in 0..4 {
        let step = step(&review, &Input::Stop(facts(&content)), &policy(), NOW);
        let after = step.applied_to(&review, NOW);
        lines.push(row(&review, &step));
        review = after;
    }
    assert_snapshot!(lines.join("\n"), @"
    held(1 on a, t1) [refuse stop: Unreviewed 1] -> blocked(#review @100)
    held(2 on a, again) [refuse stop: Unreviewed 2]
    held(3 on a, again) [refuse stop: Unreviewed 3]
    released(breaker) [pass unapproved: breaker] -> idle(breaker @1000)
    ");
    let number = |review: &Review, content: &Content, second| match step(
        review,
        &Input::Stop(facts(content)),
        &policy(),
        at(second),
    )
    .say
    {
        Say::RefuseStop(hold) => Some(hold.number),
        _ => None,
    };
    let last = blocked(want(prompt_trigger()), 3, "a");
    assert_eq!(number(&last, &work("a"), 1249), None);
    assert_eq!(number(&last, &work("a"), 1250), Some(1), "the cooldown has passed");
    assert_eq!(number(&last, &work("b"), 1000), Some(1), "the content changed");
    let mut found = last.clone();
    found.phase = Phase::Pending { want: super::built::found(Outcome::Issues) };
    assert_eq!(number(&found, &work("a"), 1000), Some(1), "the findings changed");
}

#[test]
fn a_person_opens_what_is_closed() {
    let skip = Input::Skip { reason: Some("late") };
    assert_snapshot!(table(&states(), |review| step(review, &skip, &policy(), NOW)), @r#"
    idle                   [nothing to open]
    idle, approved before  [nothing to open]
    idle, breaker          [nothing to open]
    idle, limit            [nothing to open]
    idle, unavailable      [nothing to open]
    idle, person           [nothing to open]
    pending                released(person: late) [taken] -> idle(person @1000)
    pending, always        released(person: late) [taken] -> idle(person @1000)
    pending, tool          released(person: late) [taken] -> idle(person @1000)
    pending, issues        released(person: late) [taken] -> idle(person @1000, issues @800 "a bug": fix it)
    blocked                released(person: late) [taken] -> idle(person @1000)
    blocked, last time     released(person: late) [taken] -> idle(person @1000)
    blocked, issues        released(person: late) [taken] -> idle(person @1000, issues @800 "a bug": fix it)
    blocked, lapsed        released(person: late) [taken] -> idle(person @1000)
    approved               [nothing to open]
    approved, used         [nothing to open]
    approved, always       [nothing to open]
    approved, unasked      [nothing to open]
    "#);
}
