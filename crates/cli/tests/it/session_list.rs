//! `verger session list`.

use std::fs::File;

use verger_testkit::TerminalSize;

use crate::recorded::Recorded;

#[test]
fn sessions_are_listed_the_latest_first() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @"
    0 s ago  claude  2222  1 event, open            ~/project
    1 s ago  claude  1111  7 events, ended (other)  ~/project
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "list", "-n", "1"]), @"
    0 s ago  claude  2222  1 event, open  ~/project
    there are more: verger session list --limit 0
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "list", "--json"]), @r#"{"sessions":[{"agent":"claude","agent_version":null,"cwd":"$ENV/home/project","ended":null,"events":1,"first_ms":1794767968000,"last_ms":1794767968000,"let_go":[],"project":"149d121308a57831c2283e2f6efb7bf6","session":"2222","user":null,"warnings":0},{"agent":"claude","agent_version":null,"cwd":"$ENV/home/project","ended":"other","events":7,"first_ms":1794767962000,"last_ms":1794767967000,"let_go":[],"project":"149d121308a57831c2283e2f6efb7bf6","session":"1111","user":null,"warnings":0}]}"#);
}

#[test]
fn nothing_recorded_is_said_and_is_no_error() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @"no sessions were recorded yet");
    insta::assert_snapshot!(recorded.verger(&["session", "list", "--json"]), @r#"
    {"sessions":[]}
    "#);
}

#[test]
fn a_damaged_index_is_made_anew() {
    let recorded = Recorded::two_sessions();
    let before = recorded.verger(&["session", "list"]).success().stdout;
    let index = recorded.environment.verger_home().join("data/index.db");
    std::fs::write(&index, "this is no database").unwrap();
    assert_eq!(recorded.verger(&["session", "list"]).success().stdout, before);
    std::fs::write(&index, "").unwrap();
    assert_eq!(recorded.verger(&["session", "list"]).success().stdout, before);
}

#[test]
fn a_person_sees_an_update_of_the_index_that_takes_long() {
    const UPDATING: &str = "updating the index of sessions";
    let mut recorded = Recorded::two_sessions();
    let before = recorded.at_terminal(&["session", "list"], TerminalSize::USUAL).success().stdout;
    assert!(!before.contains(UPDATING), "{before}");
    recorded.event("2222", "SessionEnd", r#""reason":"other""#);
    let lock = File::open(recorded.environment.verger_home().join("data/index.lock")).unwrap();
    lock.lock().unwrap();
    let mut terminal = recorded.start_at_terminal(&["session", "list"], TerminalSize::USUAL);
    terminal.wait_for(UPDATING);
    lock.unlock().unwrap();
    let shown = terminal.finish().success().stdout;
    let (progress, listed) = shown.split_once("\r\x1b[K").unwrap();
    assert!(progress.starts_with(&format!("\r{UPDATING}")), "{shown}");
    assert!(listed.contains("2 events, ended (other)"), "{shown}");
}
