//! Tests tables of every state with every input of a reviewer, and of every reviewer with every
//! decision.

use insta::assert_snapshot;
use verger_event::SubagentId;

use super::super::*;
use super::built::*;
use super::shown::{named, phase, row};
use crate::Content;

/// The state with one reviewer in every stage. All of them review the content `a`.
fn with_reviewers(mut review: Review) -> Review {
    let mut start = |reviewer: ReviewerId, proof, stage, holds| {
        let reviewing = Reviewing { content: hash("a"), since: at(850), proof, stage, holds };
        review.reviewers.start(reviewer, reviewing);
    };
    for outcome in Outcome::ALL {
        let name = outcome.as_str();
        let stage = Stage::Attested { digest: decision(outcome).digest() };
        start(subagent(name), Proof::Token(token(name)), stage, 0);
    }
    for (name, stage, holds) in [
        ("looks", Stage::Looking, 0),
        ("tired", Stage::Looking, MAX_HOLDS),
        ("done", Stage::Decided, 0),
    ] {
        start(subagent(name), Proof::Token(token(name)), stage, holds);
    }
    start(ReviewerId::Command("j1".to_owned()), run(), Stage::Looking, 0);
    review
}

/// The result of the input in the state `blocked`, with reviewers.
fn when_blocked(input: &Input<'_>) -> String {
    let review = with_reviewers(blocked(want(prompt_trigger()), 1, "a"));
    row(&review, &step(&review, input, &policy(), NOW))
}

/// The next phase of every state after an attested decision about the content `a`.
fn decided(outcome: Outcome, policy: &Policy) -> String {
    let (decision, content, reviewer) = (decision(outcome), work("a"), subagent(outcome.as_str()));
    let given = Given { decision: &decision, content: &content, changed_paths: &[] };
    let input = Input::Decide { token: Some(token(outcome.as_str())), given };
    let lines = states().into_iter().map(|(name, review)| {
        let review = with_reviewers(review);
        let step = step(&review, &input, policy, NOW);
        let (decision, content) = (decision.clone(), hash("a"));
        let taken = Change::Decided { reviewer: reviewer.clone(), decision, content };
        let releases = Change::Released { by: ReleasedBy::Unavailable, reason: None };
        let becomes = match step.changes.as_slice() {
            [first] if *first == taken => "",
            [first, then] if (first, then) == (&taken, &releases) => "released ",
            other => panic!("{other:?}"),
        };
        let after = step.applied_to(&review, NOW);
        assert_eq!(after.reviewers.get(&reviewer).unwrap().stage, Stage::Decided);
        let is_same = after.phase == review.phase;
        let next = if is_same { "stays".to_owned() } else { phase(&after.phase) };
        (name, format!("{becomes}{next}"))
    });
    named(&lines.collect::<Vec<_>>())
}

#[test]
fn a_reviewer_starts_in_any_state_and_is_told_how_to_decide() {
    let content = work("b");
    for (name, review) in states() {
        for (reviewer, proof) in [
            (subagent("new"), Proof::Token(token("new"))),
            (ReviewerId::Command("j2".to_owned()), run()),
        ] {
            let (id, given) = (reviewer.clone(), proof.clone());
            let input = Input::ReviewerStarted { reviewer: id, proof: given, content: &content };
            let step = step(&review, &input, &policy(), NOW);
            let (id, given) = (reviewer.clone(), proof.clone());
            let change = Change::ReviewerStarted { reviewer: id, proof: given, content: hash("b") };
            let expected = Step { changes: vec![change], say: Say::BriefReviewer };
            assert_eq!(step, expected, "{name}");
            let mut after = review.clone();
            after.reviewers.start(reviewer, Reviewing::new(&hash("b"), &proof, NOW));
            assert_eq!(step.applied_to(&review, NOW), after, "{name}: nothing else changes");
        }
    }
}

#[test]
fn a_decision_is_attested_for_the_reviewer_with_its_own_token_alone() {
    let seen = |by: Option<&str>, token_of: &str, outcome| {
        let said = Ok((token(token_of), decision(outcome)));
        let by = by.map(SubagentId::new);
        when_blocked(&Input::DecideSeen(DecideCall { by, said }))
    };
    let cannot = |by: Option<&str>, why| {
        let by = by.map(SubagentId::new);
        when_blocked(&Input::DecideSeen(DecideCall { by, said: Err(why) }))
    };
    let issues = Outcome::Issues;
    let lines = [
        ("right", seen(Some("looks"), "looks", issues)),
        ("again, otherwise", seen(Some("complete"), "complete", issues)),
        ("main agent", seen(None, "looks", issues)),
        ("other subagent", seen(Some("worker"), "looks", issues)),
        ("other reviewer's", seen(Some("looks"), "tired", issues)),
        ("nobody's token", seen(Some("looks"), "nobody", issues)),
        ("used token", seen(Some("done"), "done", issues)),
        ("bad decision", cannot(Some("looks"), BadDecision::NoMessage.into())),
        ("no token", cannot(Some("looks"), Refusal::NoToken)),
        ("other session", cannot(Some("looks"), Refusal::OtherSession)),
        ("not plain", cannot(Some("looks"), Refusal::NotPlain)),
        ("main, bad", cannot(None, BadDecision::NoSummary.into())),
    ];
    assert_snapshot!(named(&lines), @r#"
    right                  attested(subagent:looks issues) [allow decision] {subagent:looks: a @850 token attested held 0}
    again, otherwise       attested(subagent:complete issues) [allow decision] {subagent:complete: a @850 token attested held 0}
    main agent             refused(NotTheReviewer) [refuse decision: only the reviewer can decide, and this agent is not the reviewer]
    other subagent         refused(NotTheReviewer) [refuse decision: only the reviewer can decide, and this agent is not the reviewer]
    other reviewer's       refused(UnknownToken) [refuse decision: this token belongs to no reviewer of this task]
    nobody's token         refused(UnknownToken) [refuse decision: this token belongs to no reviewer of this task]
    used token             refused(TokenUsed) [refuse decision: the token was used already]
    bad decision           refused(Bad { problem: "issues need a message that says what to change" }) [refuse decision: issues need a message that says what to change]
    no token               refused(NoToken) [refuse decision: a decision needs the reviewer's token]
    other session          refused(OtherSession) [refuse decision: the decision names another session]
    not plain              refused(NotPlain) [refuse decision: a decision must be one plain command]
    main, bad              refused(NotTheReviewer) [refuse decision: only the reviewer can decide, and this agent is not the reviewer]
    "#);
}

#[test]
fn attesting_a_decision_does_not_change_the_phase() {
    for (name, review) in states() {
        let review = with_reviewers(review);
        for (by, token_of) in [(None, "looks"), (Some("looks"), "looks"), (Some("looks"), "done")] {
            let said = Ok((token(token_of), decision(Outcome::Complete)));
            let by = by.map(SubagentId::new);
            let step = step(&review, &Input::DecideSeen(DecideCall { by, said }), &policy(), NOW);
            assert_eq!(step.applied_to(&review, NOW).phase, review.phase, "{name}");
        }
    }
}

#[test]
fn a_decision_is_taken_once_as_it_was_attested_and_for_what_was_looked_at() {
    let (a, b) = (work("a"), work("b"));
    let paths = ["src/main.rs".to_owned()];
    let line = |token_of: Option<&str>, outcome, content: &Content| {
        let decision = decision(outcome);
        let given = Given { decision: &decision, content, changed_paths: &paths };
        when_blocked(&Input::Decide { token: token_of.map(token), given })
    };
    let lines = [
        ("right", line(Some("complete"), Outcome::Complete, &a)),
        ("no token", line(None, Outcome::Complete, &a)),
        ("wrong token", line(Some("nobody"), Outcome::Complete, &a)),
        ("used token", line(Some("done"), Outcome::Complete, &a)),
        ("not attested", line(Some("looks"), Outcome::Complete, &a)),
        ("another decision", line(Some("issues"), Outcome::Complete, &a)),
        ("content changed", line(Some("complete"), Outcome::Complete, &b)),
        ("issues, changed", line(Some("issues"), Outcome::Issues, &b)),
    ];
    assert_snapshot!(named(&lines), @r#"
    right                  decided(subagent:complete a complete "well done" None) [taken] -> approved(#review @100; a @1000 by subagent:complete, for no call) {subagent:complete: a @850 token decided held 0}
    no token               refused(NoToken) [refuse decision: a decision needs the reviewer's token]
    wrong token            refused(UnknownToken) [refuse decision: this token belongs to no reviewer of this task]
    used token             refused(TokenUsed) [refuse decision: the token was used already]
    not attested           refused(NotAttested) [refuse decision: verger did not see the reviewer run this command]
    another decision       refused(NotAttested) [refuse decision: verger did not see the reviewer run this command]
    content changed        refused(ContentChanged { paths: ["src/main.rs"] }) [refuse decision: the work changed since the reviewer started: src/main.rs]
    issues, changed        decided(subagent:issues a issues "a bug" Some("fix it")) [taken] -> pending(#review @100, issues @1000 "a bug": fix it) {subagent:issues: a @850 token decided held 0}
    "#);
}

#[test]
fn a_decision_in_every_state() {
    assert_snapshot!(decided(Outcome::Complete, &policy()), @r#"
    idle                   approved(unasked @1000; a @1000 by subagent:complete, for no call)
    idle, approved before  approved(unasked @1000; a @1000 by subagent:complete, for no call)
    idle, breaker          approved(unasked @1000; a @1000 by subagent:complete, for no call)
    idle, limit            approved(unasked @1000; a @1000 by subagent:complete, for no call)
    idle, unavailable      approved(unasked @1000; a @1000 by subagent:complete, for no call)
    idle, person           approved(unasked @1000; a @1000 by subagent:complete, for no call)
    pending                approved(#review @100; a @1000 by subagent:complete, for no call)
    pending, always        approved(always @100; a @1000 by subagent:complete, for no call)
    pending, tool          approved(tool @100, #5; a @1000 by subagent:complete, for #5)
    pending, issues        approved(#review @100; a @1000 by subagent:complete, for no call)
    blocked                approved(#review @100; a @1000 by subagent:complete, for no call)
    blocked, last time     approved(#review @100; a @1000 by subagent:complete, for no call)
    blocked, issues        approved(#review @100; a @1000 by subagent:complete, for no call)
    blocked, lapsed        approved(#review @100; a @1000 by subagent:complete, for no call)
    approved               approved(#review @100, #5; a @1000 by subagent:complete, for #5)
    approved, used         approved(#review @100, #5; a @1000 by subagent:complete, for #5)
    approved, always       approved(always @100, #5; a @1000 by subagent:complete, for #5)
    approved, unasked      approved(unasked @100, #5; a @1000 by subagent:complete, for #5)
    "#);
    assert_snapshot!(decided(Outcome::Issues, &policy()), @r#"
    idle                   stays
    idle, approved before  stays
    idle, breaker          stays
    idle, limit            stays
    idle, unavailable      stays
    idle, person           stays
    pending                pending(#review @100, issues @1000 "a bug": fix it)
    pending, always        pending(always @100, issues @1000 "a bug": fix it)
    pending, tool          pending(tool @100, #5, issues @1000 "a bug": fix it)
    pending, issues        pending(#review @100, issues @1000 "a bug": fix it)
    blocked                pending(#review @100, issues @1000 "a bug": fix it)
    blocked, last time     pending(#review @100, issues @1000 "a bug": fix it)
    blocked, issues        pending(#review @100, issues @1000 "a bug": fix it)
    blocked, lapsed        pending(#review @100, issues @1000 "a bug": fix it)
    approved               pending(#review @1000, #5, issues @1000 "a bug": fix it)
    approved, used         pending(#review @1000, #5, issues @1000 "a bug": fix it)
    approved, always       pending(always @1000, #5, issues @1000 "a bug": fix it)
    approved, unasked      idle
    "#);
    assert_snapshot!(decided(Outcome::Unavailable, &policy()), @r#"
    idle                   stays
    idle, approved before  stays
    idle, breaker          stays
    idle, limit            stays
    idle, unavailable      stays
    idle, person           stays
    pending                released idle(unavailable @1000, unavailable @1000 "no quota")
    pending, always        released idle(unavailable @1000, unavailable @1000 "no quota")
    pending, tool          released idle(unavailable @1000, unavailable @1000 "no quota")
    pending, issues        released idle(unavailable @1000, unavailable @1000 "no quota")
    blocked                released idle(unavailable @1000, unavailable @1000 "no quota")
    blocked, last time     released idle(unavailable @1000, unavailable @1000 "no quota")
    blocked, issues        released idle(unavailable @1000, unavailable @1000 "no quota")
    blocked, lapsed        released idle(unavailable @1000, unavailable @1000 "no quota")
    approved               stays
    approved, used         stays
    approved, always       stays
    approved, unasked      stays
    "#);
    let stays = Policy { on_unavailable: OnUnavailable::Block, ..policy() };
    assert_snapshot!(decided(Outcome::Unavailable, &stays), @r#"
    idle                   stays
    idle, approved before  stays
    idle, breaker          stays
    idle, limit            stays
    idle, unavailable      stays
    idle, person           stays
    pending                pending(#review @100, unavailable @1000 "no quota")
    pending, always        pending(always @100, unavailable @1000 "no quota")
    pending, tool          pending(tool @100, #5, unavailable @1000 "no quota")
    pending, issues        pending(#review @100, unavailable @1000 "no quota")
    blocked                pending(#review @100, unavailable @1000 "no quota")
    blocked, last time     pending(#review @100, unavailable @1000 "no quota")
    blocked, issues        pending(#review @100, unavailable @1000 "no quota")
    blocked, lapsed        pending(#review @100, unavailable @1000 "no quota", lapsed a @900 by subagent:r1, for #5)
    approved               stays
    approved, used         stays
    approved, always       stays
    approved, unasked      stays
    "#);
}

#[test]
fn the_end_of_a_run_is_taken_once() {
    let (a, b) = (work("a"), work("b"));
    let ended = |job: &str, outcome, content: &Content| {
        let decision = decision(outcome);
        let given = Given { decision: &decision, content, changed_paths: &[] };
        when_blocked(&Input::RunEnded { job, ran: &ran(), given })
    };
    let lines = [
        ("complete", ended("j1", Outcome::Complete, &a)),
        ("complete, changed", ended("j1", Outcome::Complete, &b)),
        ("issues, changed", ended("j1", Outcome::Issues, &b)),
        ("unavailable", ended("j1", Outcome::Unavailable, &a)),
        ("not known", ended("j2", Outcome::Complete, &a)),
    ];
    assert_snapshot!(named(&lines), @r#"
    complete               run_ended(command:j1) decided(command:j1 a complete "well done" None) [taken] -> approved(#review @100; a @1000 by command:j1, for no call) {command:j1: gone}
    complete, changed      run_ended(command:j1) refused(ContentChanged { paths: [] }) [refuse decision: the work changed since the reviewer started] {command:j1: gone}
    issues, changed        run_ended(command:j1) decided(command:j1 a issues "a bug" Some("fix it")) [taken] -> pending(#review @100, issues @1000 "a bug": fix it) {command:j1: gone}
    unavailable            run_ended(command:j1) decided(command:j1 a unavailable "no quota" None) released(unavailable) [taken] -> idle(unavailable @1000, unavailable @1000 "no quota") {command:j1: gone}
    not known              [-]
    "#);
    let mut review = with_reviewers(blocked(want(prompt_trigger()), 1, "a"));
    let decision = decision(Outcome::Complete);
    let given = Given { decision: &decision, content: &b, changed_paths: &[] };
    let input = Input::RunEnded { job: "j1", ran: &ran(), given };
    review = step(&review, &input, &policy(), NOW).applied_to(&review, NOW);
    let again = step(&review, &input, &policy(), NOW);
    assert_eq!(again, Step { changes: vec![], say: Say::Nothing });
}

#[test]
fn a_reviewer_that_stops_without_a_decision_is_asked_for_one_twice() {
    let lines = ["looks", "complete", "tired", "done", "worker"].map(|name| {
        let reviewer = SubagentId::new(name);
        format!("{name:<9} {}", when_blocked(&Input::ReviewerStop { reviewer: &reviewer }))
    });
    assert_snapshot!(lines.join("\n"), @r#"
    looks     reviewer_held(subagent:looks) [ask for decision] {subagent:looks: a @850 token looking held 1}
    complete  reviewer_held(subagent:complete) [ask for decision] {subagent:complete: a @850 token attested held 1}
    tired     reviewer_ended(subagent:tired) [-] {subagent:tired: gone}
    done      [-]
    worker    [-]
    "#);
    for (name, review) in states() {
        let review = with_reviewers(review);
        let reviewer = SubagentId::new("looks");
        let step = step(&review, &Input::ReviewerStop { reviewer: &reviewer }, &policy(), NOW);
        assert_eq!(step.say, Say::AskForDecision, "{name}");
        assert_eq!(step.applied_to(&review, NOW).phase, review.phase, "{name}");
    }
}

#[test]
fn the_oldest_of_too_many_reviewers_is_forgotten_and_one_with_a_hostile_name_is_not_known() {
    let mut reviewers = Review::default().reviewers;
    let ids = (0..10).map(|n| subagent(&format!("r{n}"))).collect::<Vec<_>>();
    for (id, second) in ids.iter().zip(0..) {
        let proof = Proof::Token(token(&id.to_string()));
        reviewers.start(id.clone(), Reviewing::new(&hash("a"), &proof, at(second)));
    }
    let long = subagent(&"x".repeat(200));
    reviewers.start(long, Reviewing::new(&hash("a"), &run(), at(20)));
    let known: Vec<_> = reviewers.iter().map(|(id, _)| id.clone()).collect();
    assert_eq!(known, ids[2..]);
}

#[test]
fn a_reviewer_whose_model_service_failed_could_not_run() {
    let error = "API Error: 400 refused\nsecond line";
    let failed = |name: &str, policy: &Policy| {
        let review = with_reviewers(blocked(want(prompt_trigger()), 1, "a"));
        let reviewer = SubagentId::new(name);
        let input = Input::ReviewerFailed { reviewer: &reviewer, error };
        row(&review, &step(&review, &input, policy, NOW))
    };
    let lines = ["looks", "complete", "done", "worker"]
        .map(|name| format!("{name:<9} {}", failed(name, &policy())));
    assert_snapshot!(lines.join("\n"), @r#"
    looks     decided(subagent:looks a unavailable "the reviewer could not run: API Error: 400 refused" None) released(unavailable) [taken] -> idle(unavailable @1000, unavailable @1000 "the reviewer could not run: API Error: 400 refused") {subagent:looks: a @850 token decided held 0}
    complete  decided(subagent:complete a unavailable "the reviewer could not run: API Error: 400 refused" None) released(unavailable) [taken] -> idle(unavailable @1000, unavailable @1000 "the reviewer could not run: API Error: 400 refused") {subagent:complete: a @850 token decided held 0}
    done      [-]
    worker    [-]
    "#);
    let blocks = Policy { on_unavailable: OnUnavailable::Block, ..policy() };
    assert_snapshot!(failed("looks", &blocks), @r#"decided(subagent:looks a unavailable "the reviewer could not run: API Error: 400 refused" None) [taken] -> pending(#review @100, unavailable @1000 "the reviewer could not run: API Error: 400 refused") {subagent:looks: a @850 token decided held 0}"#);
}
