//! `verger session trace`.

use crate::recorded::Recorded;

#[test]
fn a_session_is_shown_event_by_event() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "1111"]), @"
    1  2026-11-15 18:39:22  session.started          startup
    2  2026-11-15 18:39:23  prompt.submitted         fix the bug
    3  2026-11-15 18:39:24  tool.requested           Read a
    4  2026-11-15 18:39:25  tool.succeeded           Read a
    5  2026-11-15 18:39:26  stop.requested           Done.
    6  2026-11-15 18:39:27  session.ended            other
    7  2026-11-15 18:39:27  handoff.written          before the session ended
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "22", "--verbose"]), @r#"
    1  2026-11-15 18:39:28  session.started          startup
         000000NW  2222:1
         {
           "source": "startup"
         }
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "2222", "--json"]), @r#"{"agent":"claude","events":[{"entry":"record","record":{"agent":"claude","at_ms":1794767968000,"cwd":"$ENV/home/project","id":"01M7G83NR000000000000000NW","kind":"session.started","payload":{"source":"startup"},"project":"149d121308a57831c2283e2f6efb7bf6","seq":1,"session":"2222","v":2}}],"session":"2222"}"#);
}

#[test]
fn a_session_that_is_not_there_is_answered_with_what_is() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "third"]), @r#"
    ------- stderr -------
    verger: no session begins with "third"
    hint: verger session list shows all sessions; the latest is 2222
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "claude-"]), @r#"
    ------- stderr -------
    verger: ambiguous id "claude-": 2 match
    hint: matching ids: 2222, 1111
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "third", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger session list shows all sessions; the latest is 2222","message":"no session begins with \"third\""}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(Recorded::nothing().verger(&["session", "trace", "third"]), @r#"
    ------- stderr -------
    verger: no session begins with "third"
    hint: nothing was recorded yet; register the hook with your agent first
    ------- exit code 2 -------
    "#);
}

#[test]
fn an_agents_text_does_not_steer_the_terminal() {
    let mut recorded = Recorded::nothing();
    recorded.event(
        "3333",
        "UserPromptSubmit",
        r#""prompt_id":"p","prompt":"\u001b[2J\u0007x\u202e""#,
    );
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "3333"]), @"    1  2026-11-15 18:39:22  prompt.submitted          [2J x�");
}

#[test]
fn an_agents_text_forges_no_lines() {
    let mut recorded = Recorded::nothing();
    recorded.event(
        "4444",
        "SubagentStart",
        r#""agent_id":"a\n    2  2026-11-15 18:39:22  stop.requested","agent_type":"x\ny""#,
    );
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "4444"]), @r#"
        1  2026-11-15 18:39:22  subagent.started         [x y a     2  2026-11-15 18:39:22  stop.requested]
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "4444", "-v"]), @"
    1  2026-11-15 18:39:22  subagent.started         [x y a     2  2026-11-15 18:39:22  stop.requested]
         00000034  4444:1
         {}
    ");
}

#[test]
fn of_a_long_session_the_middle_is_left_out() {
    let mut recorded = Recorded::nothing();
    for number in 1..=23 {
        let prompt = format!(r#""prompt_id":"p{number}","prompt":"number {number}""#);
        recorded.event("5555", "UserPromptSubmit", &prompt);
    }
    assert_eq!(recorded.verger(&["session", "trace", "5555"]).stdout.lines().count(), 23);
    recorded.environment.set("VERGER_TRACE_MAX_EVENTS", "20");
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "5555"]), @r#"
      1  2026-11-15 18:39:22  prompt.submitted         number 1
      2  2026-11-15 18:39:23  prompt.submitted         number 2
      3  2026-11-15 18:39:24  prompt.submitted         number 3
      4  2026-11-15 18:39:25  prompt.submitted         number 4
      5  2026-11-15 18:39:26  prompt.submitted         number 5
      6  2026-11-15 18:39:27  prompt.submitted         number 6
      7  2026-11-15 18:39:28  prompt.submitted         number 7
      8  2026-11-15 18:39:29  prompt.submitted         number 8
      9  2026-11-15 18:39:30  prompt.submitted         number 9
     10  2026-11-15 18:39:31  prompt.submitted         number 10
    ...  3 events left out; verger session trace 5555 --all shows them
     14  2026-11-15 18:39:35  prompt.submitted         number 14
     15  2026-11-15 18:39:36  prompt.submitted         number 15
     16  2026-11-15 18:39:37  prompt.submitted         number 16
     17  2026-11-15 18:39:38  prompt.submitted         number 17
     18  2026-11-15 18:39:39  prompt.submitted         number 18
     19  2026-11-15 18:39:40  prompt.submitted         number 19
     20  2026-11-15 18:39:41  prompt.submitted         number 20
     21  2026-11-15 18:39:42  prompt.submitted         number 21
     22  2026-11-15 18:39:43  prompt.submitted         number 22
     23  2026-11-15 18:39:44  prompt.submitted         number 23
    "#);
    let json = recorded.verger(&["session", "trace", "55", "--jsonl"]);
    let lines: Vec<&str> = json.stdout.lines().collect();
    assert_eq!((lines.len(), lines[10]), (21, r#"{"count":3,"entry":"left_out"}"#));
    for output in [
        &["session", "trace", "5555", "--all"][..],
        &["session", "trace", "5555", "--all", "--jsonl"],
    ] {
        assert_eq!(recorded.verger(output).stdout.lines().count(), 23);
    }
}
