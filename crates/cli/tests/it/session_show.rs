//! `verger session show`.

use std::fs;

use crate::recorded::Recorded;
use crate::reviewed::Reviewed;

#[test]
fn a_session_is_shown_as_verger_folds_it() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["session", "show", "1111"]), @"
    session            1111
    agent              claude
    life               ended (other)
    task               done, begun by prompt 01M7G83GVR0000000000000068
    user               -
    project            149d121308a57831c2283e2f6efb7bf6
    directory          $ENV/home/project
    first event        2026-11-15 18:39:22
    last event         2026-11-15 18:39:27
    events             7
    review gate        idle
    verification gate  idle
    work               no tool that can change a file was called
    segment            $ENV/home/.verger/data/log/a8/claude-1111.jsonl (2113 bytes)
    snapshot           $ENV/home/.verger/data/sessions/claude-1111.json (up to record 7, byte 2113)
    replay             agrees
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "show", "22", "--json"]), @r#"{"agent":"claude","agrees_with_replay":true,"name":"claude-2222","replayed":null,"segment":{"bytes":264,"path":"$ENV/home/.verger/data/log/4e/claude-2222.jsonl"},"session":"2222","snapshot":null,"spill":{"bytes":0,"path":"$ENV/home/.verger/data/log/4e/claude-2222.spill","records":0},"state":{"session":{"agent_version":null,"client":null,"cwd":"$ENV/home/project","events":1,"first_at":1794767968000,"last_at":1794767968000,"last_reason":null,"life":"running","project":"149d121308a57831c2283e2f6efb7bf6","recent":"","subagents":{},"task":"none","user":null,"warnings":{"count":0,"last":null}}}}"#);
}

#[test]
fn subagents_warnings_and_the_snapshot_are_shown() {
    let mut recorded = Recorded::nothing();
    for n in 0..17 {
        recorded.event("3333", "SubagentStart", &format!(r#""agent_id":"a{n}","agent_type":"x""#));
        recorded.event("3333", "SubagentStop", &format!(r#""agent_id":"a{n}","agent_type":"x""#));
    }
    recorded.event("3333", "SubagentStart", r#""agent_id":"b","agent_type":"x""#);
    recorded.event("3333", "PreToolUse", r#""tool_name":7"#);
    insta::assert_snapshot!(recorded.verger(&["session", "show", "3333"]), @"
    session            3333
    agent              claude
    life               running, or ended without an end event
    task               none yet
    user               -
    project            -
    directory          $ENV/home/project
    first event        2026-11-15 18:39:22
    last event         2026-11-15 18:39:57
    events             37
    subagent           b since 2026-11-15 18:39:56
    review gate        idle
    verification gate  idle
    work               no tool that can change a file was called
    warnings           1 warning; the last at 2026-11-15 18:39:57: hook PreToolUse: read the payload of PreToolUse: it doesn't match the event's format at line 1, column 105
    segment            $ENV/home/.verger/data/log/c1/claude-3333.jsonl (9041 bytes)
    snapshot           $ENV/home/.verger/data/sessions/claude-3333.json (up to record 37, byte 9041)
    replay             agrees
    ");
}

#[test]
fn a_state_that_differs_from_the_log_is_told() {
    let mut recorded = Recorded::nothing();
    for n in 0..20 {
        recorded.event("3333", "SubagentStart", &format!(r#""agent_id":"a{n}","agent_type":"x""#));
    }
    let segment = recorded.segment("3333");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("\"x\"", "\"y\"", 1)).unwrap();
    let output = recorded.verger(&["session", "show", "3333"]);
    assert_eq!(output.code, 1);
    insta::assert_snapshot!(output.stdout.lines().last().unwrap(), @"replay             differs from the state in the snapshot: verger log rebuild repairs it");
    let json = recorded.verger(&["session", "show", "3333", "--json"]);
    assert_eq!((json.code, json.stdout.contains(r#""agrees_with_replay":false"#)), (1, true));
    assert_eq!(recorded.verger(&["log", "rebuild"]).code, 0);
    assert_eq!(recorded.verger(&["session", "show", "3333"]).code, 0);
}

#[test]
fn a_session_that_is_not_there_is_answered_with_near_ones() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["session", "show", "1121"]), @r#"
    ------- stderr -------
    verger: no session begins with "1121"
    hint: verger session list shows all sessions; similar ids: 1111
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_gate_is_part_of_the_state() {
    let (mut reviewed, _) = Reviewed::begun();
    reviewed.write("a.rs", "fn main() {}");
    let output = reviewed.verger(&["session", "show", "1111"]).success().stdout;
    let is_of_gate = |line: &&str| line.starts_with("review gate") || line.starts_with("work");
    insta::assert_snapshot!(output.lines().filter(is_of_gate).collect::<Vec<_>>().join("\n"), @r#"
    review gate        blocked: wanted by a prompt with #review, 1 stop refused; review by subagent:a1 began 1 s ago
    work               tools named 1 file; changes are compared with the files at the start
    "#);
}
