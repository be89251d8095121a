//! `verger why`.

use std::fs;

use verger_event::{Event, EventId, Grounds, Opinion, Verdict};

use crate::recorded::Recorded;

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
        notice: Some("A person can let it pass: verger skip --gate review".into()),
    }
}

/// A session in which verger told the agent something and refused a stop.
fn answered() -> Recorded {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 2, |on| Event::ContextInjected {
        moment: "prompt.submitted".into(),
        on: Some(on),
        sources: vec!["learning-7".into()],
        text: "Tests run with cargo xtask test.\nNot with make.".into(),
        grounds: Grounds::of_rule("recall on prompts").fact("learnings that fit", "1"),
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
fn a_refused_stop_is_explained_with_its_grounds() {
    let recorded = answered();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5"]), @r#"
    event        stop.requested at 1111:5
    id           01M7G83KSG00000000000000FM
    when         2026-11-15 18:39:26
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what         Done.
    answer       deny: Have the work reviewed:
                   verger review run --session 1111
    told person  A person can let it pass: verger skip --gate review
    review       deny: Have the work reviewed:
                   verger review run --session 1111
      rule       wanted, 1 of 3 blocks
      fact       files changed = 2
      setting    review.mode = "prompt" (/home/dev/.config/verger/config.toml:3)
    learning     no opinion
      rule       off
    gate         review: wanted -> wanted
      cause      stop refused
    "#);
    // The verdict itself says the same.
    let of_verdict = recorded.verger(&["why", "1111:8"]).success().stdout;
    assert_eq!(of_verdict, recorded.verger(&["why", "1111:5"]).success().stdout);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5", "--json"]), @r#"{"answers":[{"name":"1111:8","record":{"actor":{"agent_type":null,"is":"main"},"agent":"claude","agent_version":null,"at_ms":1794767970000,"cwd":"$ENV/home/project","effort":null,"evidence":["01M7G83KSG00000000000000FM"],"id":"01M7G83QPG00000000000000W4","importance":null,"kind":"verdict.given","outcome":null,"payload":{"by":["review","learning"],"notice":"A person can let it pass: verger skip --gate review","on":"01M7G83KSG00000000000000FM","opinions":[{"by":"review","grounds":{"facts":[{"name":"files changed","value":"2"}],"rule":"wanted, 1 of 3 blocks","settings":[{"key":"review.mode","origin":"/home/dev/.config/verger/config.toml:3","value":"\"prompt\""}]},"verdict":{"is":"deny","reason":"Have the work reviewed:\n  verger review run --session 1111"}},{"by":"learning","grounds":{"facts":[],"rule":"off","settings":[]},"verdict":{"is":"no_opinion"}}],"verdict":{"is":"deny","reason":"Have the work reviewed:\n  verger review run --session 1111"}},"permission_mode":null,"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","readers":[],"role":null,"scope":"session","seq":8,"session":"1111","task":null,"user":null,"v":1}},{"name":"1111:9","record":{"actor":{"agent_type":null,"is":"main"},"agent":"claude","agent_version":null,"at_ms":1794767971000,"cwd":"$ENV/home/project","effort":null,"evidence":["01M7G83KSG00000000000000FM"],"id":"01M7G83RNR00000000000000Z8","importance":null,"kind":"gate.changed","outcome":null,"payload":{"cause":"stop refused","from":"wanted","gate":"review","to":"wanted"},"permission_mode":null,"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","readers":[],"role":null,"scope":"session","seq":9,"session":"1111","task":null,"user":null,"v":1}}],"asked":{"name":"1111:5","record":{"actor":{"agent_type":null,"is":"main"},"agent":"claude","agent_version":null,"at_ms":1794767966000,"cwd":"$ENV/home/project","effort":null,"evidence":[],"id":"01M7G83KSG00000000000000FM","importance":null,"kind":"stop.requested","outcome":null,"payload":{"stop":{"background":[],"continuation":"first","crons":[],"last_message":"Done."}},"permission_mode":null,"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","readers":[],"role":null,"scope":"session","seq":5,"session":"1111","task":"01M7G83GVR0000000000000068","user":null,"v":1}},"silence":null,"subject":null}"#);
}

#[test]
fn an_injected_text_is_explained_and_forges_no_lines() {
    let recorded = answered();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:2"]), @r#"
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
    "#);
}

#[test]
fn a_gates_change_is_explained_by_its_cause() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("1111", 2, |_| Event::GateReleased {
        gate: "review".into(),
        by: "a person".into(),
        reason: "out of time".into(),
    });
    insta::assert_snapshot!(recorded.verger(&["why", "1111:7"]), @r#"
    event      prompt.submitted at 1111:2
    id         01M7G83GVR0000000000000068
    when       2026-11-15 18:39:23
    session    1111 of claude
    directory  $ENV/home/project
    who        a person
    what       fix the bug
    gate       review released by a person
      cause    out of time
    "#);
}

#[test]
fn silence_is_explained_by_what_is_on() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["why", "1111:3"]), @r#"
    event        tool.requested at 1111:3
    id           01M7G83HV0000000000000009C
    when         2026-11-15 18:39:24
    session      1111 of claude
    directory    $ENV/home/project
    who          the agent
    what         Bash ls
    answer       none: nothing that is on has an opinion on tool.requested
    recording    on, record.enabled = true (default): keeps what agents do in the log
    redaction    on, always: takes secrets out before anything is written
    setting now  record.role = - (default)
    setting now  record.readers = [] (default)
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:3", "--json"]), @r#"{"answers":[],"asked":{"name":"1111:3","record":{"actor":{"agent_type":null,"is":"main"},"agent":"claude","agent_version":null,"at_ms":1794767964000,"cwd":"$ENV/home/project","effort":null,"evidence":[],"id":"01M7G83HV0000000000000009C","importance":null,"kind":"tool.requested","outcome":null,"payload":{"call":{"input":{"command":"ls"},"tool":"Bash","tool_use":"t1"}},"permission_mode":null,"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","readers":[],"role":null,"scope":"session","seq":3,"session":"1111","task":"01M7G83GVR0000000000000068","user":null,"v":1}},"silence":{"capabilities":[{"does":"keeps what agents do in the log","name":"recording","on":true,"setting":{"class":"tighten-only","key":"record.enabled","origins":[{"layer":"default"}],"value":true}},{"does":"takes secrets out before anything is written","name":"redaction","on":true,"setting":null}],"settings":[{"class":"free","key":"record.role","origins":[{"layer":"default"}],"value":null},{"class":"tighten-only","key":"record.readers","origins":[{"layer":"default"}],"value":[]}]},"subject":null}"#);
}

#[test]
fn a_warning_is_shown_with_the_event_it_belongs_to() {
    let mut recorded = Recorded::nothing();
    recorded.event("3333", "PreToolUse", r#""tool_name":7"#);
    insta::assert_snapshot!(recorded.verger(&["why", "3333:1"]), @r#"
    event        tool.requested at 3333:1
    id           01M7G83FWG0000000000000034
    when         2026-11-15 18:39:22
    session      3333 of claude
    directory    $ENV/home/project
    who          the agent
    what         (not of a form that this version reads)
    warning      hook PreToolUse: read the payload of PreToolUse: it is not of that event's form at line 1, column 105
    answer       none: nothing that is on has an opinion on tool.requested
    recording    on, record.enabled = true (default): keeps what agents do in the log
    redaction    on, always: takes secrets out before anything is written
    setting now  record.role = - (default)
    setting now  record.readers = [] (default)
    "#);
}

#[test]
fn a_record_whose_subject_is_gone_or_was_never_named_is_still_explained() {
    let mut recorded = Recorded::two_sessions();
    recorded.own_event("2222", 1, |on| deny(EventId::new(on.made_at(), 7)));
    insta::assert_snapshot!(recorded.verger(&["why", "2222:2"]), @r#"
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
    told person  A person can let it pass: verger skip --gate review
    review       deny: Have the work reviewed:
                   verger review run --session 1111
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
    });
    insta::assert_snapshot!(recorded.verger(&["why", "2222:3"]), @r#"
    event       context.injected at 2222:3
    id          01M7G83QPG00000000000000W4
    when        2026-11-15 18:39:30
    session     2222 of claude
    directory   $ENV/home/project
    who         verger
    what        Be kind.
    told agent  Be kind.
      grounds   not recorded
    "#);
}

#[test]
fn the_last_thing_said_is_found_in_the_session_then_in_the_project() {
    let recorded = answered();
    let refused = recorded.verger(&["why", "1111:5"]).success().stdout;
    let last = |arguments: &[&str]| {
        let arguments = [&["why", "--last"], arguments].concat();
        recorded.verger(&arguments).success().stdout
    };
    // 2222 is the only live session here, and nothing was said in it.
    assert_eq!(last(&[]), recorded.verger(&["why", "2222:1"]).success().stdout);
    assert_eq!(last(&["--session", "11"]), refused);
    let mut recorded = recorded;
    recorded.event("3333", "SessionStart", r#""source":"startup""#);
    // Two are live: the last thing said in the project.
    assert_eq!(recorded.verger(&["why", "--last"]).success().stdout, refused);
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
    verger: nothing was recorded of this session of claude, 9999
    hint: verger sessions lists what was; name one with --session
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
    hint: verger sessions lists all; name one with --session
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
}

#[test]
fn an_event_that_is_not_there_is_answered_with_near_ones() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83"]), @r#"
    ------- stderr -------
    verger: the ids of 7 events begin with "01M7G83"
    hint: say more of the id: 01M7G83NR000000000000000NW, 01M7G83FWG0000000000000034, 01M7G83GVR0000000000000068
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83NR000000000000000NX"]), @r#"
    ------- stderr -------
    verger: no event's id begins with "01M7G83NR000000000000000NX"
    hint: verger trace SESSION -v lists them; near it: 01M7G83NR000000000000000NW, 01M7G83HV0000000000000009C, 01M7G83MRR00000000000000JR
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "1111:9"]), @r#"
    ------- stderr -------
    verger: session 1111 has no event 9: its last is 6
    hint: verger trace 1111 lists them
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "1121:9"]), @r#"
    ------- stderr -------
    verger: no session begins with "1121"
    hint: verger sessions lists them; near it: 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "the last one", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"give an id, the beginning of one, or SESSION:NUMBER, as verger trace SESSION -v shows them","message":"\"the last one\" is not an event's id"}
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
    insta::assert_snapshot!(output.stderr, @"verger: nothing was said in the latest 50 of 51 sessions, and the others were not looked at; verger why --last --session SESSION looks at one");
}

#[test]
fn nothing_recorded_is_said() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["why", "--last"]), @r#"
    ------- stderr -------
    verger: nothing was recorded yet
    hint: verger status says whether the hook is registered with your agent
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["why", "01M7G83"]), @r#"
    ------- stderr -------
    verger: no event's id begins with "01M7G83"
    hint: verger trace SESSION -v lists them; verger sessions, the sessions
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
fn what_cannot_be_read_hides_nothing_else() {
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
    insta::assert_snapshot!(recorded.verger(&["why", "1111:5"]), @r#"
    ------- stderr -------
    verger: session 1111 has no event 5: its last is 10
    hint: verger trace 1111 lists them
    ------- exit code 2 -------
    "#);
    assert_eq!(recorded.verger(&["why", "1111:8"]).code, 0);
}
