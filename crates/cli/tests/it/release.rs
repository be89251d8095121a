//! `verger release`.

use std::fs;

use verger_testkit::{Output, TerminalSize};

use crate::recorded::Recorded;
use crate::reviewed::Reviewed;

const RELEASE: &[&str] = &["release", "review"];

fn by_person(recorded: &Recorded, arguments: &[&str]) -> Output {
    recorded.at_terminal(&[RELEASE, arguments].concat(), TerminalSize::USUAL)
}

#[test]
fn a_person_opens_the_gate_and_the_log_keeps_it() {
    let recorded = Reviewed::wanted();
    insta::assert_snapshot!(by_person(&recorded, &["--reason", "it is late"]), @r#"
    released: the review gate of session 1111, which was pending
    the agent may stop now; verger status shows the state of its gates
    "#);
    insta::assert_snapshot!(recorded.kinds_after(3), @r#"
    gate.changed             review: pending -> idle, released by person
    gate.released            review by person
    "#);
    let last = recorded.verger(&["session", "trace", "1111", "--jsonl"]).success().stdout;
    insta::assert_snapshot!(last.lines().last().unwrap(), @r#"{"entry":"record","record":{"agent":"claude","at_ms":1794767963000,"cwd":"$ENV/home/project","id":"01M7G83GVR0000000000000069","kind":"gate.released","payload":{"by":"person","gate":"review","reason":"it is late"},"project":"149d121308a57831c2283e2f6efb7bf6","scope":"project","seq":5,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}}"#);
    let projects = recorded.environment.verger_home().join("data/projects");
    let kept: Vec<_> = fs::read_dir(projects).unwrap().collect();
    let kept = fs::read_to_string(kept[0].as_ref().unwrap().path()).unwrap();
    assert_eq!((kept.lines().count(), kept.contains("it is late")), (1, true), "{kept}");
}

#[test]
fn an_open_gate_stays_unchanged() {
    let mut recorded = Reviewed::wanted();
    insta::assert_snapshot!(by_person(&recorded, &["--json"]), @r#"{"gate":"review","released":true,"session":"1111","was":"pending"}"#);
    let before = recorded.kinds_after(3);
    recorded.tick();
    insta::assert_snapshot!(by_person(&recorded, &["--session", "1111"]), @"nothing to release: the review gate of session 1111 is idle");
    insta::assert_snapshot!(by_person(&recorded, &["--json"]), @r#"{"gate":"review","released":false,"session":"1111","was":"idle"}"#);
    assert_eq!(recorded.kinds_after(3), before);
}

#[test]
fn the_session_has_a_short_id_in_text_and_its_whole_id_in_json() {
    const LONG: &str = "f0357e9b-fb48-41a1-afb7-88e26c9c25cd";
    let mut recorded = Recorded::nothing();
    recorded.event(LONG, "SessionStart", r#""source":"startup""#);
    recorded.answered(LONG, "UserPromptSubmit", r##""prompt_id":"p1","prompt":"#review fix it""##);
    let status = recorded.at_terminal(&["status"], TerminalSize::USUAL).success().stdout;
    let command = "verger release review --session f0357e9b";
    assert!(status.lines().any(|line| line.trim_end().ends_with(command)), "{status}");
    assert_eq!(
        by_person(&recorded, &["--session", "f0357e9b"]).stdout.lines().next(),
        Some("released: the review gate of session f0357e9b, which was pending")
    );
    let again = by_person(&recorded, &["--session", "f0357e9b"]).stdout;
    assert_eq!(again, "nothing to release: the review gate of session f0357e9b is idle\n");
    let json = by_person(&recorded, &["--json"]).stdout;
    assert!(json.contains(&format!(r#""session":"{LONG}""#)), "{json}");
}

#[test]
fn two_sessions_that_may_be_meant_are_listed() {
    let mut recorded = Reviewed::wanted();
    recorded.event("2222", "SessionStart", r#""source":"startup""#);
    insta::assert_snapshot!(by_person(&recorded, &[]), @r#"
    verger: 2 sessions are live in this project
    hint: name one with --session: 2222, 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(by_person(&recorded, &["--session", "3"]), @r#"
    verger: no session begins with "3"
    hint: verger session list shows all sessions; the latest is 2222
    ------- exit code 2 -------
    "#);
    assert_eq!(recorded.kinds_after(3), "");
}

#[test]
fn agents_and_scripts_are_refused() {
    let recorded = Reviewed::wanted();
    let verger = env!("CARGO_BIN_EXE_verger");
    let script = ["--wait", verger].into_iter().chain(RELEASE.iter().copied());
    insta::assert_snapshot!(recorded.environment.run("setsid", script, ""), @r#"
    ------- stderr -------
    verger: only a person at a terminal may run `verger release`
    hint: run it in a terminal
    ------- exit code 4 -------
    "#);
    let program = format!("#!/bin/sh\n{verger} \"$@\"\n");
    let agent = recorded.environment.write_program("bin/claude", program);
    let mut command = recorded.environment.command(agent);
    command.args(RELEASE);
    let output = recorded.environment.run_on_terminal(command, TerminalSize::USUAL);
    assert_eq!(output.code, 4, "{output}");
    assert_eq!(recorded.kinds_after(3), "");
}

#[test]
fn a_gate_must_be_named() {
    let recorded = Reviewed::wanted();
    insta::assert_snapshot!(recorded.verger(&["release", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"the following required arguments were not provided: <GATE>"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["release", "roz", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"invalid value 'roz' for '<GATE>' [possible values: review, verify, learning]"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["skip", "--gate", "review", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"invalid value 'review' for '--gate <GATE>' [possible values: learning]"}
    ------- exit code 2 -------
    "#);
}
