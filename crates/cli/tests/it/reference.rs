//! `verger ref`.

use crate::learned::{learned, learning, personal};
use crate::recorded::Recorded;

fn project() -> Recorded {
    let own = personal(learning("own", 2, "Run the slow tests before lunch"));
    learned(&[learning("a", 89, "The importer drops empty lines"), own], &[])
}

#[test]
fn a_use_is_kept_in_the_log_and_in_the_statistics() {
    let mut recorded = project();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let how = ["ref", "learn-a", "learn-own", "learn-a", "--how", "kept me from a loop"];
    insta::assert_snapshot!(recorded.verger(&how), @"
    noted: learn-a was useful
    noted: learn-own was useful
    ");
    insta::assert_snapshot!(recorded.verger(&["session", "trace", "1111"]), @"
    1  2026-11-15 18:39:23  session.started          startup
    2  2026-11-15 18:39:23  backend.found            markdown $ENV/home/project/.verger/learnings.md
    3  2026-11-15 18:39:23  backend.found            personal $ENV/home/.verger/data/personal-learnings.md
    4  2026-11-15 18:39:24  learning.seen            learn-a used
    5  2026-11-15 18:39:24  learning.seen            learn-own used
    6  2026-11-15 18:39:24  observation.recorded     learn-a, learn-own helped: kept me from a loop
    ");
    insta::assert_snapshot!(recorded.environment.read(".verger/stats.log"), @r#"{"at":1794767964000,"event":"referenced","how":"explicit","id":"01M7G83HV0000000000000009C","learning":"learn-a","session":"1111","v":1}"#);
    let personal = recorded.environment.verger_home().join("data/personal-stats.log");
    insta::assert_snapshot!(recorded.environment.read(personal), @r#"{"at":1794767964000,"event":"referenced","how":"explicit","id":"01M7G83HV0000000000000009D","learning":"learn-own","session":"1111","v":1}"#);
    let listed = recorded.verger(&["learn", "list", "--json"]).success().stdout;
    assert_eq!(listed.matches(r#""referenced":1"#).count(), 2, "{listed}");
    assert_eq!(
        recorded.verger(&["learn", "list", "--stale", "--json"]).success().stdout.find("learn-a"),
        None
    );
}

#[test]
fn a_learning_that_is_not_there_is_told_and_the_others_count() {
    let mut recorded = project();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["ref", "learn-a", "learn-x"]), @"
    noted: learn-a was useful
    no learning learn-x is kept here; verger learn list shows the learnings in use
    ------- exit code 1 -------
    ");
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["ref", "learn-x", "learn-a", "--json"]), @r#"
    {"referenced":["learn-a"],"session":"1111","unknown":["learn-x"]}
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["ref", "no id"]), @r#"
    ------- stderr -------
    verger: "no id" is not the id of a learning, such as learn-01M7G83FEM0000000000000007
    hint: verger learn list shows the learnings that are kept
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["ref"]), @r#"
    ------- stderr -------
    error: the following required arguments were not provided:
      <ID>...

    Usage: verger ref <ID>...

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_person_says_so_outside_of_a_session() {
    let recorded = project();
    insta::assert_snapshot!(recorded.verger(&["ref", "learn-a", "--json"]), @r#"{"referenced":["learn-a"],"session":null,"unknown":[]}"#);
    insta::assert_snapshot!(recorded.environment.read(".verger/stats.log"), @r#"{"at":1794767962000,"event":"referenced","how":"explicit","id":"01M7G83FWG0000000000000034","learning":"learn-a","v":1}"#);
}

#[test]
fn an_uncounted_reference_is_counted_later() {
    let mut recorded = project();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let log = recorded.environment.project().join(".verger/stats.log");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    insta::assert_snapshot!(recorded.verger(&["ref", "learn-a"]), @"
    noted: learn-a was useful
    ------- stderr -------
    verger: cannot use $ENV/home/project/.verger/stats.log: it is not a file
    verger: cannot count the use of learnings now; verger counts it later: open $ENV/home/project/.verger/stats.log: Is a directory (os error 21)
    ");
    std::fs::remove_dir(&log).unwrap();
    let used = || {
        let listed = recorded.verger(&["learn", "list", "--json"]).success().stdout;
        listed.matches(r#""referenced":1"#).count()
    };
    assert_eq!(used(), 0);
    assert_eq!(recorded.verger(&["learn", "archive", "--unused", "--yes"]).success().stderr, "");
    assert_eq!(used(), 1);
    assert_eq!(recorded.verger(&["learn", "archive", "--unused", "--yes"]).success().stderr, "");
    assert_eq!(recorded.environment.read(".verger/stats.log").lines().count(), 1, "told once");
}

#[test]
fn a_persons_reference_that_cannot_be_stored_is_an_error() {
    let recorded = project();
    let log = recorded.environment.project().join(".verger/stats.log");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();
    recorded.environment.write(recorded.environment.verger_home().join("data/untold"), "no place");
    insta::assert_snapshot!(recorded.verger(&["ref", "learn-a"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/project/.verger/stats.log: it is not a file
    verger: cannot open $ENV/home/project/.verger/stats.log: Is a directory (os error 21)
    hint: ls -ld $ENV/home/project/.verger/stats.log
    ------- exit code 3 -------
    "#);
}
