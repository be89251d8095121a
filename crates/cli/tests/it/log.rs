//! `verger log show`, `verger log verify` and `verger log rebuild`.

use std::fs;

use serde_json::Value;

use crate::recorded::Recorded;

#[test]
fn the_events_of_a_session_are_shown_one_a_line() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["log", "show", "1111"]), @"
    2026-11-15 18:39:22  session.started          startup
    2026-11-15 18:39:23  prompt.submitted         fix the bug
    2026-11-15 18:39:24  tool.requested           Read a
    2026-11-15 18:39:25  tool.succeeded           Read a
    2026-11-15 18:39:26  stop.requested           Done.
    2026-11-15 18:39:27  session.ended            other
    2026-11-15 18:39:27  handoff.written          before the session ended
    ");
    let json = recorded.verger(&["log", "show", "1111", "--json"]).success().stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["agent"], &json["session"]), (&"claude".into(), &"1111".into()));
    let lines = recorded.verger(&["log", "show", "1111", "--jsonl"]).success().stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json["events"], Value::from(lines.clone()));
    assert_eq!(lines.len(), 7);
    insta::assert_snapshot!(lines[1], @r#"{"entry":"record","record":{"agent":"claude","at_ms":1794767963000,"cwd":"$ENV/home/project","id":"01M7G83GVR0000000000000068","kind":"prompt.submitted","payload":{"origin":{"is":"person"},"prompt":"fix the\nbug"},"project":"149d121308a57831c2283e2f6efb7bf6","prompt":"p1","seq":2,"session":"1111","task":"01M7G83GVR0000000000000068","v":2}}"#);
    let both = recorded.verger(&["log", "show", "1111", "--json", "--jsonl"]);
    assert_eq!(both.code, 2, "{both}");
}

#[test]
fn without_a_name_the_log_of_the_live_session_is_shown() {
    let recorded = Recorded::two_sessions();
    let named = recorded.verger(&["log", "show", "2222"]).success().stdout;
    assert_eq!(recorded.verger(&["log", "show"]).success().stdout, named);
    insta::assert_snapshot!(Recorded::nothing().verger(&["log", "show"]), @"
    ------- stderr -------
    verger: no session of this project was recorded
    hint: verger status says whether the hook is registered with your agent
    ------- exit code 2 -------
    ");
}

#[test]
fn an_untouched_log_has_no_faults() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"2 segments, 8 records, 0 faults");
    insta::assert_snapshot!(recorded.verger(&["log", "verify", "2222", "--json"]), @r#"
    {"segments":[{"faults":[],"foreign":0,"name":"claude-2222","records":1,"segment":"session","spilled":0}]}
    "#);
}

#[test]
fn a_changed_record_is_named_and_the_rest_is_still_read() {
    let recorded = Recorded::two_sessions();
    let segment = recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("Read", "Reed", 1)).unwrap();
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"
    claude-1111: bad line at byte 532: the checksum does not match
    claude-1111: found record 4 where record 3 belongs
    claude-1111: record 4 does not follow the one before it: something was changed or removed
    2 segments, 7 records, 3 faults
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["log", "verify", "1111", "--json"]), @r#"
    {"segments":[{"faults":[{"damage":"the checksum does not match","fault":"bad_line","offset":532},{"expected":3,"fault":"misnumbered","seq":4},{"fault":"broken_chain","seq":4}],"foreign":0,"name":"claude-1111","records":6,"segment":"session","spilled":0}]}
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "1111"]), @"
    1  2026-11-15 18:39:22  session.started          startup
    2  2026-11-15 18:39:23  prompt.submitted         fix the bug
      a bad line at byte 532: the checksum does not match
    4  2026-11-15 18:39:25  tool.succeeded           Read a
    5  2026-11-15 18:39:26  stop.requested           Done.
    6  2026-11-15 18:39:27  session.ended            other
    7  2026-11-15 18:39:27  handoff.written          before the session ended
    ");
}

#[test]
fn a_removed_record_breaks_the_chain() {
    let recorded = Recorded::two_sessions();
    let segment = recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    fs::write(&segment, [&lines[..2], &lines[3..]].concat().concat()).unwrap();
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"
    claude-1111: found record 4 where record 3 belongs
    claude-1111: record 4 does not follow the one before it: something was changed or removed
    claude-1111: the last records are gone: the log had a record 7
    2 segments, 7 records, 3 faults
    ------- exit code 1 -------
    ");
}

#[test]
fn everything_derived_is_made_again_and_is_the_same() {
    let recorded = Recorded::two_sessions();
    let before = recorded.verger(&["session", "list"]).success().stdout;
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 2 sessions with 8 records: no difference");
    let data = recorded.environment.verger_home().join("data");
    fs::remove_file(data.join("index.db")).unwrap();
    if data.join("sessions").exists() {
        fs::remove_dir_all(data.join("sessions")).unwrap();
    }
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild"]), @"rebuilt 2 sessions from 8 records");
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify", "--json"]), @r#"{"differences":[],"records":8,"sessions":2}"#);
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--json"]), @r#"{"records":8,"sessions":2,"settled":0}"#);
    assert_eq!(recorded.verger(&["session", "list"]).success().stdout, before);
}

#[test]
fn a_snapshot_that_says_something_else_than_the_log_is_found() {
    let mut recorded = Recorded::nothing();
    for n in 0..20 {
        recorded.event("3333", "SubagentStart", &format!(r#""agent_id":"a{n}","agent_type":"x""#));
    }
    let segment = recorded.segment("3333");
    // Changes the first record, which the snapshot already includes.
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("\"x\"", "\"y\"", 1)).unwrap();
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @r#"
    claude-3333: the snapshot differs from the log
    claude-3333: the index differs from the log
    compared 1 session with 19 records: 2 differences; verger log rebuild repairs it
    ------- exit code 1 -------
    "#);
    assert_eq!(recorded.verger(&["log", "rebuild"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 1 session with 19 records: no difference");
}

#[test]
fn one_bad_path_hides_no_other_session() {
    let recorded = Recorded::two_sessions();
    let segment = recorded.segment("1111");
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    let data = recorded.environment.verger_home().join("data");
    fs::write(data.join("log/0f"), "").unwrap();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @"
    0 s ago  claude  2222  1 event, open  ~/project
    ------- stderr -------
    verger: skipped: cannot use $ENV/home/.verger/data/log/0f: it is not a directory
    verger: skipped: cannot open $ENV/home/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "2222"]), @r#"
        1  2026-11-15 18:39:28  session.started          startup
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @r#"
    claude-1111: cannot open $ENV/home/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory
    2 segments, 1 record, 1 fault
    ------- stderr -------
    verger: skipped: cannot use $ENV/home/.verger/data/log/0f: it is not a directory
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "verify", "1111", "--json"]), @r#"
    {"segments":[{"faults":[{"fault":"unreadable","problem":"open $ENV/home/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory"}],"foreign":0,"name":"claude-1111","records":0,"segment":"session","spilled":0}]}
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild"]), @r#"
    rebuilt 1 session from 1 record
    ------- stderr -------
    verger: skipped: cannot use $ENV/home/.verger/data/log/0f: it is not a directory
    verger: skipped: cannot open $ENV/home/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @r#"
    compared 1 session with 1 record: no difference
    ------- stderr -------
    verger: skipped: cannot use $ENV/home/.verger/data/log/0f: it is not a directory
    verger: skipped: cannot open $ENV/home/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_log_beside_which_nothing_can_be_written_is_read() {
    let recorded = Recorded::two_sessions();
    let data = recorded.environment.verger_home().join("data");
    for name in ["index.db", "index.lock"] {
        fs::create_dir(data.join(name)).unwrap();
    }
    let lock = recorded.segment("1111").with_extension("lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @"
    0 s ago  claude  2222  1 event, open            ~/project
    1 s ago  claude  1111  7 events, ended (other)  ~/project
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "22"]), @r#"
        1  2026-11-15 18:39:28  session.started          startup
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"2 segments, 8 records, 0 faults");
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 2 sessions with 8 records: no difference");
}

#[test]
fn removed_last_records_are_missed() {
    let recorded = Recorded::two_sessions();
    assert_eq!(recorded.verger(&["session", "list"]).code, 0);
    let segment = recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    fs::write(&segment, lines[..4].concat()).unwrap();
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"
    claude-1111: the last records are gone: the log had a record 7
    2 segments, 5 records, 1 fault
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["log", "verify", "1111", "--json"]), @r#"
    {"segments":[{"faults":[{"expected_seq":7,"fault":"shortened"}],"foreign":0,"name":"claude-1111","records":4,"segment":"session","spilled":0}]}
    ------- exit code 1 -------
    "#);
}
