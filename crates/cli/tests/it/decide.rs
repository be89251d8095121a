//! `verger decide`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::Value;

use crate::reviewed::{By, Reviewed};

const A1: By<'_> = By::Reviewer("a1");

/// The number of records after a reviewer has begun.
const BEGUN: usize = 10;

#[test]
fn a_reviewer_approves_and_the_agent_may_stop() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["complete", "all of it", "--session", "1111", "--token", &token];
    insta::assert_snapshot!(reviewed.decide(A1, &words), @r#"
    decision recorded: complete, for session 1111
    the agent may stop as long as the work stays as it is
    "#);
    insta::assert_snapshot!(reviewed.kinds_after(BEGUN), @r#"
    start_tree.taken         [verger:reviewer a1] of git
    tool.requested           [verger:reviewer a1] Bash verger decide 'complete' 'all of it' '--session' '1111' '--token' '[redacted:reviewer-token:e40…
    gate.changed             [verger:reviewer a1] review: stays blocked, reviewer runs `verger decide complete`
    verdict.given            [verger:reviewer a1] allow: the reviewer decides
    gate.changed             review: blocked -> approved, reviewer decided complete
    review.decided           complete: all of it
    "#);
    assert_eq!(reviewed.stop(), "");
    let last = reviewed.verger(&["session", "trace", "1111", "--jsonl"]).success().stdout;
    let decided = last.lines().find(|line| line.contains("review.decided")).unwrap();
    insta::assert_snapshot!(decided, @r#"{"entry":"record","record":{"agent":"claude","at_ms":1794767968000,"cwd":"$ENV/home/project","evidence":["01M7G83MRR00000000000000JR","01M7G83KSG00000000000000FM","01M7G83JT800000000000000CG"],"id":"01M7G83NR000000000000000NX","kind":"review.decided","payload":{"content_hash":"nothing","decision":"complete","reviewer":"subagent:a1","summary":"all of it"},"project":"149d121308a57831c2283e2f6efb7bf6","scope":"project","seq":16,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}}"#);
    assert!(!last.contains(&token));
}

#[test]
fn issues_reach_the_agent_and_an_unavailable_review_releases_it() {
    let (mut reviewed, token) = Reviewed::begun();
    let message = ["--message", "a.rs:3 panics", "--opinions", "another model agrees", "--json"];
    let words = [&["issues", "one thing", "--token", &token], &message[..]].concat();
    insta::assert_snapshot!(reviewed.decide(A1, &words), @r#"{"decision":"issues","gate":"pending","session":"1111","taken":true}"#);
    let told = reviewed.stop();
    assert!(told.contains("one thing") && told.contains("a.rs:3 panics"), "{told}");
    let token = reviewed.begin_review("a2");
    let words = ["unavailable", "no quota", "--token", &token];
    insta::assert_snapshot!(reviewed.decide(By::Reviewer("a2"), &words), @r#"
    decision recorded: unavailable, for session 1111
    the agent may stop without a review; the person is told
    "#);
    let told = reviewed.stop();
    assert!(!told.contains("block"), "{told}");
}

#[test]
fn a_long_message_is_read_from_standard_input() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["issues", "two things", "--session", "1111", "--token", &token, "--message", "-"];
    let line = format!("verger decide {} <<'END'\n1. a\n2. b\nEND", quoted(&words));
    reviewed.tool(A1, "Bash", &serde_json::json!({ "command": line }));
    insta::assert_snapshot!(reviewed.run_decide(&words, "1. a\n2. b\n"), @r#"
    decision recorded: issues, for session 1111
    the agent gets the requested changes when it wants to stop
    "#);
    assert!(reviewed.stop().contains("1. a\\n2. b"));
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

/// The message for a refused decision, and its records in the log.
#[track_caller]
fn refused(reviewed: &mut Reviewed, words: &[&str], input: &[u8]) -> String {
    let before = reviewed.kinds_after(0).lines().count();
    let output = reviewed.run_decide(words, input);
    let lines: Vec<_> = output.stdout.lines().collect();
    // The message has the problem in its first line, and then the remedy.
    assert!(output.code == 1 && lines.len() > 1, "{output}");
    format!("{}\n{}", lines[0], reviewed.kinds_after(before))
}

#[test]
fn an_unseen_decision_is_refused_and_logged() {
    let (mut reviewed, token) = Reviewed::begun();
    let stolen = ["complete", "mine", "--token", &token];
    insta::assert_snapshot!(refused(&mut reviewed, &stolen, b""), @"
    verger rejected this decision: verger did not see the reviewer run this command.
    gate.changed             review: stays blocked, decision refused: verger did not see the reviewer run this command
    ");
    insta::assert_snapshot!(refused(&mut reviewed, &["complete", "mine"], b""), @r#"
    verger rejected this decision: a decision needs the reviewer's token.
    gate.changed             review: stays blocked, decision refused: a decision needs the reviewer's token
    "#);
    let made_up = ["complete", "mine", "--token", "vrt_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"];
    insta::assert_snapshot!(refused(&mut reviewed, &made_up, b""), @r#"
    verger rejected this decision: this token belongs to no reviewer of this task.
    gate.changed             review: stays blocked, decision refused: this token belongs to no reviewer of this task
    "#);
    // The hook saw a different decision of the reviewer.
    reviewed.seen(A1, &["issues", "one thing", "--message", "fix it", "--token", &token]);
    insta::assert_snapshot!(refused(&mut reviewed, &stolen, b""), @"
    verger rejected this decision: verger did not see the reviewer run this command.
    gate.changed             review: stays blocked, decision refused: verger did not see the reviewer run this command
    ");
    // The hook denies the main agent's call, and the program refuses the decision too.
    assert!(reviewed.seen(By::Main, &stolen).contains("deny"));
    insta::assert_snapshot!(refused(&mut reviewed, &stolen, b""), @"
    verger rejected this decision: verger did not see the reviewer run this command.
    gate.changed             review: stays blocked, decision refused: verger did not see the reviewer run this command
    ");
    let told = reviewed.run_decide(&[&stolen[..], &["--json"]].concat(), "");
    let mut json: Value = serde_json::from_str(&told.stdout).unwrap();
    assert!(json["message"].take().is_string());
    insta::assert_snapshot!(json, @r#"{"decision":"complete","gate":"blocked","message":null,"refusal":{"because":"not_attested"},"session":"1111","taken":false}"#);
    assert!(reviewed.stop().contains("block"));
}

#[test]
fn a_token_decides_once_and_only_in_its_session() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["complete", "all of it", "--session", "1111", "--token", &token];
    assert_eq!(reviewed.decide(A1, &words).code, 0);
    insta::assert_snapshot!(refused(&mut reviewed, &words, b""), @r#"
    verger rejected this decision: the token was used already.
    gate.changed             review: stays approved, decision refused: the token was used already
    "#);
    reviewed.event("2222", "SessionStart", r#""source":"startup""#);
    let words = ["complete", "all of it", "--session", "2222", "--token", &token];
    let told = reviewed.run_decide(&words, "");
    insta::assert_snapshot!(told.stdout.lines().next().unwrap(), @"verger rejected this decision: this token belongs to no reviewer of this task.");
    assert_eq!(told.code, 1);
}

#[test]
fn a_decision_that_says_too_little_is_refused_and_logged() {
    let (mut reviewed, token) = Reviewed::begun();
    let given = ["--token", token.as_str()];
    let mut refused =
        |words: &[&str], input: &[u8]| refused(&mut reviewed, &[words, &given].concat(), input);
    insta::assert_snapshot!(refused(&["complete", " "], b""), @r#"
    verger rejected this decision: a decision needs a summary in one line.
    gate.changed             review: stays blocked, decision refused: a decision needs a summary in one line
    "#);
    insta::assert_snapshot!(refused(&["issues", "one thing"], b""), @r#"
    verger rejected this decision: issues need a message that says what to change.
    gate.changed             review: stays blocked, decision refused: issues need a message that says what to change
    "#);
    insta::assert_snapshot!(refused(&["issues", "one thing", "--message", "-"], b" \n"), @r#"
    verger rejected this decision: issues need a message that says what to change.
    gate.changed             review: stays blocked, decision refused: issues need a message that says what to change
    "#);
    insta::assert_snapshot!(refused(&["issues", "one thing", "--message", "-"], b"a\xff"), @r#"
    verger rejected this decision: the message is not UTF-8.
    gate.changed             review: stays blocked, decision refused: the message is not UTF-8
    "#);
    let long = "x".repeat(64 * 1024 + 1);
    insta::assert_snapshot!(refused(&["issues", "one", "--message", "-"], long.as_bytes()), @r#"
    verger rejected this decision: the message is longer than 64 KiB.
    gate.changed             review: stays blocked, decision refused: the message is longer than 64 KiB
    "#);
}

#[test]
fn work_that_changed_meanwhile_is_not_approved() {
    let mut reviewed = Reviewed::wanted();
    reviewed.write("a.rs", "fn main() {}");
    let token = reviewed.begin_review("a1");
    reviewed.environment.write("b.rs", "fn more() {}");
    let words = ["complete", "all of it", "--token", &token];
    insta::assert_snapshot!(reviewed.decide(A1, &words), @r#"
    verger rejected this decision: the work changed since the reviewer started: b.rs.
    Look at the work as it is now: it needs a new review.
    ------- exit code 1 -------
    "#);
    // The reviewer's findings are recorded even if the work changed.
    let words = ["issues", "b.rs is new", "--message", "look again", "--token", &token];
    insta::assert_snapshot!(reviewed.decide(A1, &words), @r#"
    decision recorded: issues, for session 1111
    the agent gets the requested changes when it wants to stop
    "#);
}

#[test]
fn work_that_cannot_be_compared_is_not_approved_and_findings_count() {
    let mut reviewed = Reviewed::wanted();
    reviewed.write("a.rs", "fn main() {}");
    let token = reviewed.begin_review("a1");
    std::fs::remove_dir_all(reviewed.environment.verger_home().join("data/trees")).unwrap();
    insta::assert_snapshot!(reviewed.decide(A1, &["complete", "all", "--token", &token]), @r#"
    ------- stderr -------
    verger: cannot compare the work with what was reviewed: the start of the task is no longer recorded
    hint: try again; if it fails again, decide unavailable and give the reason
    ------- exit code 3 -------
    "#);
    let words = ["unavailable", "nothing to compare with", "--token", &token];
    insta::assert_snapshot!(reviewed.decide(A1, &words), @r#"
    decision recorded: unavailable, for session 1111
    the agent may stop without a review; the person is told
    "#);
}

#[test]
fn arguments_that_do_not_fit_name_no_token_and_create_nothing() {
    let (mut reviewed, token) = Reviewed::begun();
    let mut run = |words: &[&str]| reviewed.run_decide(words, "");
    insta::assert_snapshot!(run(&["complete", "x", "--session", "3333", "--token", &token]), @r#"
    ------- stderr -------
    verger: no session begins with "3333"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&["complete", "x", "--session", &token]), @r#"
    ------- stderr -------
    verger: no session begins with "[token]"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&["complete", "x", &token]), @r#"
    ------- stderr -------
    error: unexpected argument '[token]' found

    Usage: verger decide [OPTIONS] <DECISION> <SUMMARY>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&["complete", "x", &token, "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"unexpected argument '[token]' found"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&["approved", "x", "--token", &token]), @r#"
    ------- stderr -------
    error: invalid value 'approved' for '<DECISION>'
      [possible values: complete, issues, unavailable]

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(run(&["complete", "--token", &token]), @r#"
    ------- stderr -------
    error: the following required arguments were not provided:
      <SUMMARY>

    Usage: verger decide --token <TOKEN> <DECISION> <SUMMARY>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
    assert_eq!(reviewed.kinds_after(BEGUN), "");
    let mut command = reviewed.environment.command(env!("CARGO_BIN_EXE_verger"));
    command.args(["decide", "complete"]).arg(OsStr::from_bytes(b"a\xff"));
    insta::assert_snapshot!(reviewed.environment.run_command(command, ""), @r#"
    ------- stderr -------
    error: invalid UTF-8 was detected in one or more arguments

    Usage: verger decide [OPTIONS] <DECISION> <SUMMARY>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}
