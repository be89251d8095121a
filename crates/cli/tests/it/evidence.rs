//! Tests that a log that was cut, garbled or removed during its session is reported to the person.

use std::fs;

use crate::recorded::Recorded;

/// A live session with a task.
fn begun() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.answered("1111", "SessionStart", r#""source":"startup""#);
    recorded.answered("1111", "UserPromptSubmit", r##""prompt":"#review fix it""##);
    recorded
}

fn stop(recorded: &mut Recorded) -> String {
    recorded.answered("1111", "Stop", r#""last_assistant_message":"Done.""#)
}

/// The problems of the log that `doctor` reports.
fn problems(recorded: &Recorded) -> String {
    let doctor = recorded.verger(&["doctor"]).stdout;
    let about_log = |line: &&str| {
        line.starts_with("problem  own failures") || line.starts_with("problem  log intact")
    };
    doctor.lines().filter(about_log).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_log_that_was_removed_is_told_when_the_agent_stops() {
    let mut recorded = begun();
    fs::remove_file(recorded.segment("1111")).unwrap();
    let gone =
        "claude-1111: 1 fault: the last records are gone: the file had 903 bytes and now has 0";
    assert!(problems(&recorded).contains(gone), "{}", problems(&recorded));
    let warning = "a part of this session's records is lost, so its gates may let unfinished work pass: the log file is gone; check it with `verger log verify claude-1111`";
    assert!(stop(&mut recorded).contains(warning));
    assert!(
        problems(&recorded).contains(
            "evidence: the log file is gone; check it with `verger log verify claude-1111`"
        )
    );
}

#[test]
fn a_log_that_was_cut_is_told_until_the_next_prompt() {
    let mut recorded = begun();
    let segment = recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    let first = text.lines().next().unwrap();
    fs::write(&segment, format!("{first}\n")).unwrap();
    insta::assert_snapshot!(problems(&recorded), @"problem  log intact      claude-1111: 1 fault: the last records are gone: the file had 903 bytes and now has 264");
    recorded.answered("1111", "PreToolUse", r#""tool_name":"Read","tool_input":{"file_path":"a"}"#);
    for stop in [stop(&mut recorded), stop(&mut recorded)] {
        let warning = "the log file had 903 bytes and now has 264; check it with `verger log verify claude-1111`";
        assert!(stop.contains(warning), "told with every stop of the task: {stop}");
    }
    recorded.answered("1111", "UserPromptSubmit", r#""prompt":"go on""#);
    assert_eq!(stop(&mut recorded), "");
}

#[test]
fn a_garbled_line_is_told() {
    let mut recorded = begun();
    let segment = recorded.segment("1111");
    let mut bytes = fs::read(&segment).unwrap();
    let at = bytes.len() - 30;
    bytes[at] ^= 1;
    fs::write(&segment, bytes).unwrap();
    insta::assert_snapshot!(stop(&mut recorded), @r#"{"systemMessage":"verger: WARNING: a part of this session's records is lost, so its gates may let unfinished work pass: a line of the log is damaged; check it with `verger log verify claude-1111`"}"#);
}

#[test]
fn a_session_whose_first_record_is_a_stop_is_told() {
    let mut recorded = Recorded::nothing();
    insta::assert_snapshot!(stop(&mut recorded), @r#"{"systemMessage":"verger: WARNING: a part of this session's records is lost, so its gates may let unfinished work pass: nothing of this session was recorded before this stop; check it with `verger log verify claude-1111`"}"#);
}
