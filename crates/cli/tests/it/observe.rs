//! `verger observe`.

use crate::recorded::Recorded;

fn one_session() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    recorded
}

#[test]
fn a_note_is_kept_in_the_log_of_the_session() {
    let mut recorded = one_session();
    let note = ["observe", "The parser \u{1b}[2Jdrops\nempty lines.", "--author", "explorer"];
    insta::assert_snapshot!(recorded.verger(&note), @r#"
    noted, for session 1111
    the agent is shown this note when a reflection is due
    "#);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["observe", "one more thing", "--json"]), @r#"{"noted":true,"session":"1111"}"#);
    recorded.tick();
    let quiet = ["observe", "--session", "11", "--quiet"];
    insta::assert_snapshot!(recorded.verger_with_input(&quiet, "from\nstdin\n"), @"noted, for session 1111");
    let records = recorded.verger(&["session", "trace", "1111", "--jsonl"]).success().stdout;
    let notes: Vec<_> = records.lines().filter(|line| line.contains("observation")).collect();
    insta::assert_snapshot!(notes[0], @r#"{"entry":"record","record":{"agent":"claude","at_ms":1794767963000,"cwd":"$ENV/home/project","id":"01M7G83GVR0000000000000068","kind":"observation.recorded","payload":{"author":"explorer","text":"The parser \u001b[2Jdrops\nempty lines."},"project":"149d121308a57831c2283e2f6efb7bf6","scope":"project","seq":2,"session":"1111","v":2}}"#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "1111"]), @r#"
    1  2026-11-15 18:39:22  session.started          startup
    2  2026-11-15 18:39:23  observation.recorded     The parser  [2Jdrops empty lines.
    3  2026-11-15 18:39:24  observation.recorded     one more thing
    4  2026-11-15 18:39:25  observation.recorded     from stdin
    "#);
}

#[test]
fn a_note_that_cannot_be_kept_is_told() {
    let recorded = one_session();
    insta::assert_snapshot!(recorded.verger(&["observe", " "]), @r#"
    ------- stderr -------
    verger: the note is empty
    hint: give the note in at most 2000 characters
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["observe", &"a".repeat(2001), "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"give the note in at most 2000 characters","message":"the note has more than 2000 characters"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger_with_input(&["observe", "-"], [0xff]), @r#"
    ------- stderr -------
    verger: the note is not UTF-8
    hint: give the note in at most 2000 characters
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["observe", "a", "--session", "9"]), @r#"
    ------- stderr -------
    verger: no session begins with "9"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
    let nothing = Recorded::nothing();
    insta::assert_snapshot!(nothing.verger(&["observe", "a"]), @r#"
    ------- stderr -------
    verger: no session is live in this project
    hint: verger session list shows all sessions; name one with --session
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_secret_in_a_note_does_not_reach_the_log() {
    let recorded = one_session();
    let key = format!("sk-ant-api03-{}", "a1B2c3D4e5".repeat(9));
    assert_eq!(recorded.verger(&["observe", &format!("the key is {key}")]).code, 0);
    let kept = std::fs::read_to_string(recorded.segment("1111")).unwrap();
    assert_eq!((kept.contains(&key), kept.contains("[redacted:")), (false, true));
}
