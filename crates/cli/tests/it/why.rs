//! `verger why`.

use std::fs;

use verger_event::{
    ContentHash, Event, EventId, Grounds, GuardMode, Opinion, Releaser, Sent, Triage, Verdict,
};
use verger_gate::review::{Change, Decision, Outcome, Proof, Ran, ReviewerId, ReviewerProgram};

use crate::recorded::Recorded;
use crate::reviewed::{By, Reviewed};

fn deny(on: EventId) -> Event {
    let reason = "Have the work reviewed:\n  verger review run --session 1111";
    Event::VerdictGiven {
        verdict: Verdict::Deny { reason: reason.into() },
        on,
        by: vec![
            Opinion {
                by: "review".into(),
                verdict: Verdict::Deny { reason: reason.into() },
                grounds: Grounds::of_rule("wanted, 1 of 3 blocks")
                    .fact("files changed", "2")
                    .setting("review.mode", "\"prompt\"", "/home/dev/.config/verger/config.toml:3"),
            },
            Opinion {
                by: "learning".into(),
                verdict: Verdict::NoOpinion,
                grounds: Grounds::of_rule("off"),
            },
        ],
        notice: Some("A person can let it pass: verger release review".into()),
    }
}

/// A session in which verger gave the agent a message and refused its stop.
fn answered() -> Recorded {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 2, |on| Event::ContextInjected {
        moment: "prompt.submitted".into(),
        on: Some(on),
        sources: vec!["learning-7".into()],
        text: "Tests run with cargo xtask test.\nNot with make.".into(),
        grounds: Grounds::of_rule("recall on prompts").fact("learnings that fit", "1"),
        scores: [].into(),
        corrections: vec![],
    });
    recorded.own_event("1111", 5, deny);
    recorded.own_event("1111", 5, |_| Event::GateChanged {
        gate: "review".into(),
        from: "wanted".into(),
        to: "wanted".into(),
        cause: "stop refused".into(),
        change: None,
    });
    recorded.event("1111", "SessionEnd", r#""reason":"other""#);
    recorded
}

#[test]
fn an_unreported_opinion_of_the_guard_is_explained() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 3, |on| Event::GuardJudged {
        on,
        triage: Triage::Deny,
        rule: "git-reset-hard".into(),
        why: "it throws away changes that are not committed".into(),
        mode: GuardMode::Observe,
        sent: Sent::Silence,
    });
    insta::assert_snapshot!(recorded.verger(&["why", "1111:3"]), @r#"
    Not blocked: the guard would deny it (rule git-reset-hard), but guard.mode was observe.

    event         tool.requested at 1111:3
    id            01M7G83HV0000000000000009C
    when          2026-11-15 18:39:24
    session       1111 of claude
    directory     $ENV/home/project
    who           the agent
    what          Read a
    guard         deny: it throws away changes that are not committed
      rule        git-reset-hard
      told        silence, because guard.mode was observe
    answer        none
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    setting now   record.role is not set
    setting now   record.readers = [] (default)
    "#);
}

#[test]
fn a_refused_stop_is_explained_with_its_grounds() {
    let recorded = answered();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5"]), @r#"
    Held: wanted, 1 of 3 blocks.

    event        stop.requested at 1111:5
    id           01M7G83KSG00000000000000FM
    when         2026-11-15 18:39:26
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what         Done.
    answer       deny: Have the work reviewed:
                   verger review run --session 1111
    told person  A person can let it pass: verger release review
    review       said so
      rule       wanted, 1 of 3 blocks
      fact       files changed = 2
      setting    review.mode = "prompt" (/home/dev/.config/verger/config.toml:3)
    learning     no opinion
      rule       off
    gate         review: stays wanted
      cause      stop refused
    "#);
    // `verger why` gives the same explanation for the verdict itself.
    let of_verdict = recorded.verger(&["why", "1111:10"]).success().stdout;
    assert_eq!(of_verdict, recorded.verger(&["why", "1111:5"]).success().stdout);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5", "--json"]), @r#"{"answers":[{"name":"1111:9","record":{"agent":"claude","at_ms":1794767970000,"cwd":"$ENV/home/project","evidence":["01M7G83KSG00000000000000FM"],"id":"01M7G83QPG00000000000000W4","kind":"verdict.given","payload":{"by":["review","learning"],"notice":"A person can let it pass: verger release review","on":"01M7G83KSG00000000000000FM","opinions":[{"by":"review","grounds":{"facts":[{"name":"files changed","value":"2"}],"rule":"wanted, 1 of 3 blocks","settings":[{"key":"review.mode","origin":"/home/dev/.config/verger/config.toml:3","value":"\"prompt\""}]},"verdict":{"is":"deny","reason":"Have the work reviewed:\n  verger review run --session 1111"}},{"by":"learning","grounds":{"rule":"off"},"verdict":{"is":"no_opinion"}}],"verdict":{"is":"deny","reason":"Have the work reviewed:\n  verger review run --session 1111"}},"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","seq":9,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}},{"name":"1111:10","record":{"agent":"claude","at_ms":1794767971000,"cwd":"$ENV/home/project","evidence":["01M7G83KSG00000000000000FM"],"id":"01M7G83RNR00000000000000Z8","kind":"gate.changed","payload":{"cause":"stop refused","from":"wanted","gate":"review","to":"wanted"},"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","seq":10,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}}],"asked":{"name":"1111:5","record":{"agent":"claude","at_ms":1794767966000,"cwd":"$ENV/home/project","id":"01M7G83KSG00000000000000FM","kind":"stop.requested","payload":{"stop":{"continuation":"first","last_message":"Done."}},"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","seq":5,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}},"drift":null,"review":null,"sentence":"Held: wanted, 1 of 3 blocks.","silence":null,"subject":null}"#);
}

#[test]
fn a_gate_that_this_program_does_not_know_is_explained_like_the_others() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 5, |on| Event::VerdictGiven {
        verdict: Verdict::Deny { reason: "the toy is full".into() },
        on,
        by: vec![Opinion {
            by: "toy".into(),
            verdict: Verdict::Deny { reason: "the toy is full".into() },
            grounds: Grounds::of_rule("the toy is full").fact("meals", "2"),
        }],
        notice: None,
    });
    recorded.own_event("1111", 5, |_| Event::GateChanged {
        gate: "toy".into(),
        from: "1".into(),
        to: "2".into(),
        cause: "it was fed".into(),
        change: Some(serde_json::json!({ "is": "fed", "portions": 1 })),
    });
    recorded.event("1111", "SessionEnd", r#""reason":"other""#);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5"]), @"
    Held: the toy is full.

    event      stop.requested at 1111:5
    id         01M7G83KSG00000000000000FM
    when       2026-11-15 18:39:26
    session    1111 of claude
    directory  $ENV/home/project
    who        the agent
    what       Done.
    answer     deny: the toy is full
    toy        said so
      rule     the toy is full
      fact     meals = 2
    gate       toy: 1 -> 2
      cause    it was fed
    ");
}

#[test]
fn an_injected_text_is_explained_and_forges_no_lines() {
    let recorded = answered();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:2"]), @"
    Told the agent: recall on prompts.

    event       prompt.submitted at 1111:2
    id          01M7G83GVR0000000000000068
    when        2026-11-15 18:39:23
    session     1111 of claude
    directory   $ENV/home/project
    who         a person
    what        fix the bug
    told agent  Tests run with cargo xtask test.
                Not with make.
      from      learning-7
      rule      recall on prompts
      fact      learnings that fit = 1
    ");
}

#[test]
fn a_gates_change_is_explained_by_its_cause() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 2, |_| Event::GateReleased {
        gate: "review".into(),
        by: Releaser::Person,
        reason: "out of time".into(),
    });
    insta::assert_snapshot!(recorded.verger(&["why", "1111:9"]), @"
    ------- stderr -------
    verger: session 1111 has no event 9: its last is 8
    hint: verger session trace 1111 lists its events
    ------- exit code 2 -------
    ");
}

#[test]
fn silence_is_explained_by_what_is_on() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:3"]), @r#"
    Allowed: no enabled check acts on this event.

    event         tool.requested at 1111:3
    id            01M7G83HV0000000000000009C
    when          2026-11-15 18:39:24
    session       1111 of claude
    directory     $ENV/home/project
    who           the agent
    what          Read a
    answer        none
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    setting now   record.role is not set
    setting now   record.readers = [] (default)
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:3", "--json"]), @r#"{"answers":[],"asked":{"name":"1111:3","record":{"agent":"claude","at_ms":1794767964000,"cwd":"$ENV/home/project","id":"01M7G83HV0000000000000009C","kind":"tool.requested","payload":{"call":{"does":{"read":{"path":"a"}},"tool":"Read","tool_use":"t1"}},"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","seq":3,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}},"drift":null,"review":null,"sentence":"Allowed: no enabled check acts on this event.","silence":{"capabilities":[{"does":"records what agents do in the log","name":"recording","on":true,"settings":[{"class":"tighten-only","key":"record.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"removes secrets before anything is written","name":"redaction","on":true,"settings":[]},{"does":"blocks an agent's stop until its work was reviewed","name":"review","on":true,"settings":[{"class":"tighten-only","key":"review.mode","origins":[{"layer":"default"}],"value":"prompt"},{"class":"tighten-only","key":"review.gated_tools","origins":[{"layer":"default"}],"value":[]}]},{"does":"allows, asks about or denies an agent's calls; only records in mode observe","name":"guard","on":true,"settings":[{"class":"tighten-only","key":"guard.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"saves what a call may destroy, so that it can be brought back","name":"undo","on":true,"settings":[{"class":"tighten-only","key":"undo.enabled","origins":[{"layer":"default"}],"value":true}]},{"does":"asks an agent to write down what a closed ticket taught it","name":"learning","on":true,"settings":[{"class":"tighten-only","key":"learning.mode","origins":[{"layer":"default"}],"value":"on"}]},{"does":"records claims of \"done\" without a green check; in modes claims and always it blocks the agent's stop","name":"verification","on":true,"settings":[{"class":"tighten-only","key":"verification.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops a lead agent from doing the work of its subagents","name":"delegation","on":false,"settings":[{"class":"tighten-only","key":"delegation.mode","origins":[{"layer":"default"}],"value":"off"}]},{"does":"records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct","name":"drift","on":true,"settings":[{"class":"tighten-only","key":"drift.mode","origins":[{"layer":"default"}],"value":"observe"}]},{"does":"stops calls that a project does not want, such as `git add -A`","name":"habits","on":false,"settings":[{"class":"tighten-only","key":"habits.add_all","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.attribution","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.staged_secrets","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.force_push","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.draft_pr","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.merge","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.search_tools","origins":[{"layer":"default"}],"value":"off"},{"class":"tighten-only","key":"habits.subagent_builds","origins":[{"layer":"default"}],"value":"off"}]}],"settings":[{"class":"free","key":"record.role","origins":[{"layer":"default"}],"value":null},{"class":"tighten-only","key":"record.readers","origins":[{"layer":"default"}],"value":[]}]},"subject":null}"#);
}

#[test]
fn a_warning_is_shown_with_the_event_it_belongs_to() {
    let mut recorded = Recorded::nothing();
    recorded.event("3333", "PreToolUse", r#""tool_name":7"#);
    insta::assert_snapshot!(recorded.verger(&["why", "3333:1"]), @r#"
    Recorded: no enabled check acts on this event.

    event         tool.requested at 3333:1
    id            01M7G83FWG0000000000000034
    when          2026-11-15 18:39:22
    session       3333 of claude
    directory     $ENV/home/project
    who           the agent
    what          (this version cannot read it)
    warning       hook PreToolUse: read the payload of PreToolUse: it doesn't match the event's format at line 1, column 105
    answer        none
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    setting now   record.role is not set
    setting now   record.readers = [] (default)
    "#);
}

#[test]
fn a_record_whose_subject_is_gone_or_was_never_named_is_still_explained() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("2222", 1, |on| deny(EventId::new(on.made_at(), 7)));
    insta::assert_snapshot!(recorded.verger(&["why", "2222:2"]), @r#"
    Denied: wanted, 1 of 3 blocks.

    event        verdict.given at 2222:2
    id           01M7G83PQ800000000000000S0
    when         2026-11-15 18:39:29
    session      2222 of claude
    directory    $ENV/home/project
    who          verger
    what         deny: Have the work reviewed:   verger review run --session 1111
    about        01M7G83NR00000000000000007, which cannot be read
    answer       deny: Have the work reviewed:
                   verger review run --session 1111
    told person  A person can let it pass: verger release review
    review       said so
      rule       wanted, 1 of 3 blocks
      fact       files changed = 2
      setting    review.mode = "prompt" (/home/dev/.config/verger/config.toml:3)
    learning     no opinion
      rule       off
    "#);
    recorded.own_event("2222", 1, |_| Event::ContextInjected {
        moment: "session.started".into(),
        on: None,
        sources: vec![],
        text: "Be kind.".into(),
        grounds: Grounds::default(),
        scores: [].into(),
        corrections: vec![],
    });
    insta::assert_snapshot!(recorded.verger(&["why", "2222:3"]), @"
    Told the agent: Be kind.

    event       context.injected at 2222:3
    id          01M7G83QPG00000000000000W4
    when        2026-11-15 18:39:30
    session     2222 of claude
    directory   $ENV/home/project
    who         verger
    what        Be kind.
    told agent  Be kind.
      grounds   not recorded
    ");
}

#[test]
fn the_last_thing_said_is_found_in_the_session_then_in_the_project() {
    let recorded = answered();
    let refused = recorded.verger(&["why", "1111:5"]).success().stdout;
    let last = |arguments: &[&str]| {
        let arguments = [&["why", "--last"], arguments].concat();
        recorded.verger(&arguments).success().stdout
    };
    // 2222 is the only live session in this project, and verger gave no answer in it.
    assert_eq!(last(&[]), recorded.verger(&["why", "2222:1"]).success().stdout);
    assert_eq!(last(&["--session", "11"]), refused);
    let mut recorded = recorded;
    recorded.event("3333", "SessionStart", r#""source":"startup""#);
    // Two sessions are live. The last answer in the project is explained.
    assert_eq!(recorded.verger(&["why", "--last"]).success().stdout, refused);
}

/// The guard only observed, so verger gave no answer.
#[test]
fn the_last_event_that_a_check_acted_on_is_found_behind_later_ones() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 3, |on| Event::GuardJudged {
        on,
        triage: Triage::Deny,
        rule: "git-reset-hard".into(),
        why: "it throws away changes that are not committed".into(),
        mode: GuardMode::Observe,
        sent: Sent::Silence,
    });
    recorded.event("1111", "SessionEnd", r#""reason":"other""#);
    let output = recorded.verger(&["why", "--last", "--session", "1111"]);
    let first = output.stdout.lines().next().unwrap();
    insta::assert_snapshot!(first, @"Not blocked: the guard would deny it (rule git-reset-hard), but guard.mode was observe.");
    insta::assert_snapshot!(output.stderr, @"verger: no check acted on the last event, session.ended; this is the last one that a check acted on");
}

#[test]
fn an_agent_asks_about_its_own_session() {
    let mut recorded = answered();
    recorded.environment.set("CLAUDE_CODE_SESSION_ID", "1111");
    let refused = recorded.verger(&["why", "1111:5"]).success().stdout;
    assert_eq!(recorded.verger(&["why", "--last"]).success().stdout, refused);
    assert_eq!(recorded.verger(&["why", "5"]).success().stdout, refused);
    recorded.environment.set("CLAUDE_CODE_SESSION_ID", "9999");
    insta::assert_snapshot!(recorded.verger(&["why", "5"]), @r#"
    ------- stderr -------
    verger: nothing was recorded of claude session 9999
    hint: verger session list lists the recorded sessions; name one with --session
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_number_needs_a_session() {
    let mut recorded = Recorded::two_sessions();
    assert_eq!(
        recorded.verger(&["why", "1"]).success().stdout,
        recorded.verger(&["why", "2222:1"]).stdout
    );
    recorded.event("3333", "SessionStart", r#""source":"startup""#);
    insta::assert_snapshot!(recorded.verger(&["why", "1"]), @r#"
    ------- stderr -------
    verger: 2 sessions are live in this project
    hint: name one with --session: 3333, 2222
    ------- exit code 2 -------
    "#);
    recorded.environment.set("VERGER_TEST_NOW_MS", "1794967961000");
    insta::assert_snapshot!(recorded.verger(&["why", "1"]), @r#"
    ------- stderr -------
    verger: no session is live in this project
    hint: verger session list shows all sessions; name one with --session
    ------- exit code 2 -------
    "#);
}

#[test]
fn an_id_or_its_beginning_names_an_event() {
    let recorded = answered();
    let by_place = recorded.verger(&["why", "1111:3"]).success().stdout;
    let id = by_place.lines().find_map(|line| line.strip_prefix("id ")).unwrap().trim();
    assert_eq!(recorded.verger(&["why", id]).success().stdout, by_place);
    assert_eq!(recorded.verger(&["why", &id[..10].to_lowercase()]).success().stdout, by_place);
    // Listings show the last characters of an id.
    let shown = recorded.verger(&["session", "trace", "1111", "-v"]).success().stdout;
    let end = &id[id.len() - 8..];
    assert!(shown.contains(&format!(" {end}  1111:3")), "{shown}");
    assert_eq!(recorded.verger(&["why", end]).success().stdout, by_place);
}

#[test]
fn an_event_that_is_not_there_is_answered_with_near_ones() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83"]), @r#"
    ------- stderr -------
    verger: ambiguous id "01M7G83": 8 match
    hint: matching ids: 01M7G83NR000000000000000NW, 01M7G83FWG0000000000000034, 01M7G83GVR0000000000000068, 01M7G83HV0000000000000009C, 01M7G83JT800000000000000CG, and 3 more
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83NR000000000000000NX"]), @r#"
    ------- stderr -------
    verger: no event has the id "01M7G83NR000000000000000NX"
    hint: verger session trace SESSION -v lists the events of a session; similar ids: 01M7G83NR000000000000000NW, 01M7G83HV0000000000000009C, 01M7G83MRR00000000000000JR
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:9"]), @"
    ------- stderr -------
    verger: session 1111 has no event 9: its last is 7
    hint: verger session trace 1111 lists its events
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["why", "1121:9"]), @r#"
    ------- stderr -------
    verger: no session begins with "1121"
    hint: verger session list shows all sessions; similar ids: 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "the last one", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"give an id, the beginning of one, or SESSION:NUMBER, as verger session trace SESSION -v shows them","message":"\"the last one\" is not an event's id"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why"]), @r#"
    ------- stderr -------
    error: the following required arguments were not provided:
      <EVENT>

    Usage: verger why <EVENT>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}

#[test]
fn sessions_that_were_not_looked_at_are_told() {
    let mut recorded = Recorded::nothing();
    for session in 0..51 {
        recorded.event(&format!("s{session:02}"), "SessionStart", r#""source":"startup""#);
    }
    let output = recorded.verger(&["why", "--last"]);
    assert_eq!(output.stdout, recorded.verger(&["why", "s50:1"]).success().stdout);
    insta::assert_snapshot!(output.stderr, @"verger: no check acted in the latest 50 sessions, and earlier ones were not searched; verger why --last --session SESSION searches one");
}

#[test]
fn nothing_recorded_is_said() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["why", "--last"]), @"
    nothing recorded yet
    to record your agent's next session: verger init; verger status says whether verger is registered
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83"]), @r#"
    ------- stderr -------
    verger: no event has the id "01M7G83"
    hint: verger session trace SESSION -v lists the events of a session, verger session list the sessions
    ------- exit code 2 -------
    "#);
}

#[test]
fn without_git_the_last_thing_said_anywhere_is_found() {
    let mut recorded = answered();
    recorded.environment.set("PATH", "");
    let refused = recorded.verger(&["why", "1111:5"]).success().stdout;
    assert_eq!(recorded.verger(&["why", "--last"]).success().stdout, refused);
}

#[test]
fn unreadable_records_hide_nothing_else() {
    let recorded = answered();
    let segment = recorded.segment("2222");
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    let refused = recorded.verger(&["why", "1111:5"]).success().stdout;
    let output = recorded.verger(&["why", "--last"]);
    assert_eq!((output.code, output.stdout), (0, refused));
    let segment = recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("Done.", "Gone.", 1)).unwrap();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5"]), @"
    ------- stderr -------
    verger: session 1111 has no event 5: its last is 12
    hint: verger session trace 1111 lists its events
    ------- exit code 2 -------
    ");
    assert_eq!(recorded.verger(&["why", "1111:10"]).code, 0);
}

#[test]
fn a_decision_is_explained_with_its_evidence() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["issues", "two things", "--token", &token, "--message", "1. a.rs:3\n2. no test"];
    assert_eq!(reviewed.decide(By::Reviewer("a1"), &words).code, 0);
    reviewed.end_review("a1");
    let explained = reviewed.verger(&["why", "1111:12"]).success();
    insta::assert_snapshot!(explained, @"
    Allowed: `verger decide 'issues' 'two things' '--token' '[redacted:reviewer-token:e40970b2]' '--message' '1. a…`: the reviewer has the token for this decision.

    event         tool.requested at 1111:12
    id            01M7G83MRR00000000000000JR
    when          2026-11-15 18:39:27
    session       1111 of claude
    directory     $ENV/home/project
    who           subagent a1 (verger:reviewer)
    what          Bash verger decide 'issues' 'two things' '--token' '[redacted:reviewer-token:e40970b2]' '--message' …
    gate          review: stays blocked
      cause       reviewer runs `verger decide issues`
    answer        allow: the reviewer decides
    review        said so
      rule        the reviewer has the token for this decision
    gate          review: blocked -> pending
      cause       reviewer decided issues
    reviewer      subagent a1 (verger:reviewer), began 2026-11-15 18:39:26
      content     nothing
      was told    Review session 1111.
                  It is fine, I am sure.
      call        01M7G83JT800000000000000CG
      transcript  /home/dev/.claude/agent.jsonl
      decided     2026-11-15 18:39:28, issues: two things
      message     1. a.rs:3
                  2. no test
    ");
    // The records that resulted from the decision have the same explanation.
    for event in ["1111:13", "1111:14", "1111:15", "1111:16"] {
        assert_eq!(reviewed.verger(&["why", event]).success().stdout, explained.stdout, "{event}");
    }
    let json = reviewed.verger(&["why", "1111:16", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["review"], @r#"{"content":"nothing","decided":{"at_ms":1794767968000,"decision":{"message":"1. a.rs:3\n2. no test","opinions":null,"outcome":"issues","summary":"two things"}},"program":null,"ran":null,"reviewer":"subagent:a1","started_ms":1794767966000,"told":[{"event":"01M7G83JT800000000000000CG","text":"Review session 1111.\nIt is fine, I am sure."}],"transcript":"/home/dev/.claude/agent.jsonl","who":"subagent a1 (verger:reviewer)"}"#);
}

/// The first lines of the answer.
fn outline(reviewed: &Reviewed, arguments: &[&str]) -> String {
    let told = reviewed.verger(arguments).success().stdout;
    let lines = told.lines().filter(|line| !line.starts_with("   "));
    lines.map(|line| &line[..line.len().min(70)]).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_stop_is_explained_with_the_review_that_it_follows() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["complete", "all of it", "--token", &token];
    assert_eq!(reviewed.decide(By::Reviewer("a1"), &words).code, 0);
    reviewed.stop();
    // The first stop was refused before any review.
    insta::assert_snapshot!(outline(&reviewed, &["why", "1111:4"]), @r#"
    Held: this work was not reviewed yet; refusal 1 of 3.

    event        stop.requested at 1111:4
    id           01M7G83HV0000000000000009C
    when         2026-11-15 18:39:24
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what         Done.
    gate         review: pending -> blocked
      cause      stop refused, number 1
    answer       deny: verger: do not stop yet: this work was not reviewed
    told person  verger: the agent wanted to stop; a review is needed firs
    review       said so
      rule       this work was not reviewed yet
      fact       wanted by = a prompt with #review
      fact       content = nothing
      fact       changed = nothing
      fact       refusal = 1 of 3
      fact       template = default
      setting    review.mode = "prompt" (default)
      setting    gates.max_blocks = 3 (default)
      setting    gates.cooldown_seconds = 300 (default)
    "#);
    insta::assert_snapshot!(reviewed.verger(&["why", "1111:17"]), @r#"
    Allowed: no enabled check acts on this event.

    event         stop.requested at 1111:17
    id            01M7G83PQ800000000000000S0
    when          2026-11-15 18:39:29
    session       1111 of claude
    directory     $ENV/home/project
    who           the agent
    what          Done.
    answer        none
    recording     on, record.enabled = true (default): records what agents do in the log
    redaction     on, always: removes secrets before anything is written
    review        on, review.mode = "prompt" (default), review.gated_tools = [] (default): blocks an agent's stop until its work was reviewed
    guard         on, guard.mode = "observe" (default): allows, asks about or denies an agent's calls; only records in mode observe
    undo          on, undo.enabled = true (default): saves what a call may destroy, so that it can be brought back
    learning      on, learning.mode = "on" (default): asks an agent to write down what a closed ticket taught it
    verification  on, verification.mode = "observe" (default): records claims of "done" without a green check; in modes claims and always it blocks the agent's stop
    delegation    off, delegation.mode = "off" (default): stops a lead agent from doing the work of its subagents
    drift         on, drift.mode = "observe" (default): records when an agent breaks your limits or goes in circles; corrects the agent only in mode correct
    habits        off, habits.* (default): stops calls that a project does not want, such as `git add -A`
    setting now   record.role is not set
    setting now   record.readers = [] (default)
    reviewer      subagent a1 (verger:reviewer), began 2026-11-15 18:39:26
      content     nothing
      was told    Review session 1111.
                  It is fine, I am sure.
      call        01M7G83JT800000000000000CG
      decided     2026-11-15 18:39:28, complete: all of it
    "#);
}

#[test]
fn a_decision_that_was_not_taken_is_explained() {
    let (mut reviewed, token) = Reviewed::begun();
    reviewed.seen(By::Main, &["complete", "mine", "--token", &token]);
    insta::assert_snapshot!(outline(&reviewed, &["why", "--last"]), @"
    Denied: `verger decide 'complete' 'mine' '--token' '[redacted:reviewer

    event       tool.requested at 1111:12
    id          01M7G83MRR00000000000000JR
    when        2026-11-15 18:39:27
    session     1111 of claude
    directory   $ENV/home/project
    who         the agent
    what        Bash verger decide 'complete' 'mine' '--token' '[redacted:
    gate        review: stays blocked
      cause     decision refused: only the reviewer can decide, and this a
    answer      deny: verger rejected this decision: only the reviewer can
    review      said so
      rule      only the reviewer can decide, and this agent is not the re
    reviewer    subagent a1 (verger:reviewer), began 2026-11-15 18:39:26
      content   nothing
      was told  Review session 1111.
      call      01M7G83JT800000000000000CG
      decided   not yet
    ");
    assert_eq!(reviewed.run_decide(&["complete", "mine", "--token", &token], "").code, 1);
    insta::assert_snapshot!(reviewed.verger(&["why", "1111:15"]), @"
    Recorded: review: stays blocked; decision refused: verger did not see the reviewer run this command.

    event       gate.changed at 1111:15
    id          01M7G83NR000000000000000NW
    when        2026-11-15 18:39:28
    session     1111 of claude
    directory   $ENV/home/project
    who         verger
    what        review: stays blocked, decision refused: verger did not see the reviewer run this command
    gate        review: stays blocked
      cause     decision refused: verger did not see the reviewer run this command
    reviewer    subagent a1 (verger:reviewer), began 2026-11-15 18:39:26
      content   nothing
      was told  Review session 1111.
                It is fine, I am sure.
      call      01M7G83JT800000000000000CG
      decided   not yet
    ");
}

#[test]
fn texts_for_people_are_hidden_from_agents() {
    let mut reviewed = Reviewed::wanted();
    reviewed.stop();
    reviewed.environment.set("CLAUDECODE", "1");
    for arguments in [&["why", "1111:4"][..], &["why", "1111:6"], &["why", "1111:6", "--json"]] {
        let told = reviewed.verger(arguments).success().stdout;
        assert!(told.contains("deny") && !told.contains("verger release"), "{told}");
    }
}

#[test]
fn reviewers_that_begin_together_are_told_apart() {
    let mut reviewed = Reviewed::wanted();
    for prompt in ["first", "second"] {
        let input = serde_json::json!({ "prompt": prompt, "subagent_type": "verger:reviewer" });
        assert_eq!(reviewed.tool(By::Main, "Agent", &input), "");
    }
    for id in ["a1", "a2"] {
        reviewed.start_reviewer(id);
    }
    let told = |event: &str| {
        let json = reviewed.verger(&["why", event, "--json"]).success().stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        json["review"]["told"][0]["text"].as_str().map(str::to_owned)
    };
    assert_eq!((told("1111:6"), told("1111:9")), (Some("first".into()), Some("second".into())));
}

#[test]
fn a_review_by_a_program_names_the_program() {
    let mut reviewed = Reviewed::wanted();
    let by = || ReviewerId::Command("job-1".into());
    let content = || ContentHash::new("c0ffee");
    let program = ReviewerProgram {
        program: "codex".into(),
        path: Some("/usr/bin/codex".into()),
        sha256: Some("5e1f".into()),
        arguments: vec!["exec".into(), "-".into()],
    };
    let decision = Decision {
        outcome: Outcome::Complete,
        summary: "fine".into(),
        message: None,
        opinions: Some("another model: fine".into()),
    };
    let ran = Ran { ending: "exited with 0".into(), took_millis: Some(61_000) };
    let proof = Proof::Run(program);
    for change in [
        Change::ReviewerStarted { reviewer: by(), proof, content: content() },
        Change::Decided { reviewer: by(), decision, content: content() },
        Change::RunEnded { reviewer: by(), ran },
    ] {
        reviewed.own_event("1111", 2, |_| Event::GateChanged {
            gate: "review".into(),
            from: "pending".into(),
            to: "pending".into(),
            cause: change.cause(),
            change: serde_json::to_value(&change).ok(),
        });
    }
    let told = reviewed.verger(&["why", "1111:2"]).success().stdout;
    let lines = told.lines().skip_while(|line| !line.starts_with("reviewer"));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    reviewer    `codex exec -`, run by verger, began 2026-11-15 18:39:24
      content   c0ffee
      program   /usr/bin/codex, SHA-256 5e1f
      ended     exited with 0
      decided   2026-11-15 18:39:25, complete: fine
      opinions  another model: fine
    "#);
    let json = reviewed.verger(&["why", "1111:5", "--json"]).success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    insta::assert_snapshot!(json["review"], @r#"{"content":"c0ffee","decided":{"at_ms":1794767965000,"decision":{"message":null,"opinions":"another model: fine","outcome":"complete","summary":"fine"}},"program":{"arguments":["exec","-"],"path":"/usr/bin/codex","program":"codex","sha256":"5e1f"},"ran":{"ending":"exited with 0","took_millis":61000},"reviewer":"command:job-1","started_ms":1794767964000,"told":[],"transcript":null,"who":"`codex exec -`, run by verger"}"#);
}
