//! `verger tasks`.

use verger_testkit::TaskEnding;

use crate::recorded::Recorded;

/// Three recorded tasks of two sessions, and one open task.
fn some_tasks() -> Recorded {
    let mut recorded = Recorded::nothing();
    let mut first = recorded.script("1111", 0);
    first.start().prompt("Fix the login redirect in src/login.rs. Do not touch web/.");
    first.read("src/login.rs").edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    first.run("git commit -am 'login: redirect'", "[main 1a2b3c4] login: redirect");
    first.stop("Fixed. I kept the old route because the mobile app still uses it.");
    first.record(TaskEnding::Complete);
    first.prompt("Also update the tests in tests/login.rs");
    first.edit("tests/login.rs", "assert!(a)", "assert!(b)").stop("Done.");
    first.record(TaskEnding::SessionEnded).end();
    recorded.play(&mut first);
    let mut second = recorded.script("2222", 10);
    second.start().prompt("Speed up the parser in src/parser.rs");
    second.edit("src/parser.rs", "clone()", "as_ref()").record(TaskEnding::LeftForOther);
    second.prompt("Now write the documentation of the parser in docs/parser.md");
    second.edit("docs/parser.md", "todo", "The parser");
    recorded.play(&mut second);
    recorded
}

#[test]
fn the_tasks_of_a_project_are_listed_the_latest_first() {
    let recorded = some_tasks();
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"
    49 min ago  open      2222, task 1  Speed up the parser in src/parser.rs
    59 min ago  partial   M7G83EXM      Also update the tests in tests/login.rs (1 file)
    59 min ago  complete  M7G83EXG      Fix the login redirect in src/login.rs. Do not touch web/. (1 file)
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "--limit", "1"]), @"
    49 min ago  open     2222, task 1  Speed up the parser in src/parser.rs
    59 min ago  partial  M7G83EXM      Also update the tests in tests/login.rs (1 file)
    1 more: verger tasks --limit 0
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "--json", "--limit", "1"]), @r#"{"more":1,"open":[{"session":"2222","task":{"began_ms":1794768563000,"constraints":[],"escalations":0,"goal":"Speed up the parser in src/parser.rs","keywords":[],"kind":"main","last_ms":1794768567000,"mode":"normal","number":1,"parent":null,"scope":["src/parser.rs","docs/parser.md"],"status":"active","waits_for_recovery":false},"user":"dev"}],"tasks":[{"agent":"claude","at_ms":1794767973000,"commit":null,"details":{"breaches":0,"cites":["01M7G83RNR00000001M7G83EXJ"],"files":["tests/login.rs"],"steps":1,"tags":["tests","rs"],"trace":["Changed tests/login.rs:47"]},"goal":"Also update the tests in tests/login.rs","id":"01M7G83TM800000001M7G83EXM","number":2,"parent":null,"query":"Also update the tests in tests/login.rs","session":"1111","status":"partial","trigger":"session end","user":"dev"}]}"#);
}

#[test]
fn a_task_outlives_its_session() {
    let mut recorded = some_tasks();
    recorded.pass_days(400);
    assert_eq!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @"no sessions were recorded yet");
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"
    400 days ago  partial   0000AZR8  Speed up the parser in src/parser.rs Now write the documentation of the parser in docs/parser.md (2 files)
    400 days ago  partial   M7G83EXM  Also update the tests in tests/login.rs (1 file)
    400 days ago  complete  M7G83EXG  Fix the login redirect in src/login.rs. Do not touch web/. (1 file)
    ");
}

#[test]
fn tasks_of_silent_sessions_are_listed() {
    let mut recorded = some_tasks();
    recorded.pass_days(1);
    let before = recorded.verger(&["session", "list", "--json"]).success().stdout;
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"
    24 h ago  partial   0000AZR8  Speed up the parser in src/parser.rs Now write the documentation of the parser in docs/parser.md (2 files)
    24 h ago  partial   M7G83EXM  Also update the tests in tests/login.rs (1 file)
    24 h ago  complete  M7G83EXG  Fix the login redirect in src/login.rs. Do not touch web/. (1 file)
    ");
    let found = recorded.verger(&["tasks", "search", "documentation", "--json"]).success().stdout;
    assert!(found.contains(r#""trigger":"session left""#), "{found}");
    let last = |sessions: &str| {
        let sessions: serde_json::Value = serde_json::from_str(sessions).unwrap();
        sessions["sessions"].as_array().unwrap().iter().map(|one| one["last_ms"].clone()).collect()
    };
    let (before, after): (Vec<_>, Vec<_>) =
        (last(&before), last(&recorded.verger(&["session", "list", "--json"]).success().stdout));
    assert_eq!(before, after, "nothing happened in them");
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 2 sessions with 20 records: no difference");
}

#[test]
fn one_task_is_shown_with_all_that_is_kept() {
    let recorded = some_tasks();
    let listed = recorded.verger(&["tasks", "--limit", "0"]).success().stdout;
    let id = |nth: usize| {
        let line = listed.lines().rev().nth(nth).unwrap();
        line.split_whitespace().nth(4).unwrap().to_owned()
    };
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", &id(0)]), @"
    task       01M7G83PQ800000001M7G83EXG
    goal       Fix the login redirect in src/login.rs. Do not touch web/.
    status     complete
    when       2026-11-15 18:39:29
    who        dev, task 1 of session 1111 of claude
    commit     1a2b3c4
    steps      3 steps
    forbidden  do not change web/
    file       src/login.rs
    did        Read src/login.rs
    did        Changed src/login.rs:47
    did        Ran git commit -am 'login: redirect'
    decided    I kept the old route: the mobile app still uses it
    tags       rs
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", &id(1).to_lowercase()]), @"
    task    01M7G83TM800000001M7G83EXM
    goal    Also update the tests in tests/login.rs
    status  partial, ended by: session end
    when    2026-11-15 18:39:33
    who     dev, task 2 of session 1111 of claude
    steps   1 step
    file    tests/login.rs
    did     Changed tests/login.rs:47
    tags    tests, rs
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", &id(1), "--json"]), @r#"{"children":[],"parent":null,"task":{"agent":"claude","at_ms":1794767973000,"commit":null,"details":{"breaches":0,"cites":["01M7G83RNR00000001M7G83EXJ"],"files":["tests/login.rs"],"steps":1,"tags":["tests","rs"],"trace":["Changed tests/login.rs:47"]},"goal":"Also update the tests in tests/login.rs","id":"01M7G83TM800000001M7G83EXM","number":2,"parent":null,"query":"Also update the tests in tests/login.rs","session":"1111","status":"partial","trigger":"session end","user":"dev"}}"#);
}

#[test]
fn tasks_are_found_by_words() {
    let recorded = some_tasks();
    insta::assert_snapshot!(recorded.verger(&["tasks", "search", "login", "mobile"]), @"
    59 min ago  complete  M7G83EXG  Fix the login redirect in src/login.rs. Do not touch web/. (1 file)
    59 min ago  partial   M7G83EXM  Also update the tests in tests/login.rs (1 file)
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "search", "kubernetes"]), @r#"
    none of 3 tasks of this project matches "kubernetes"
    verger tasks lists all tasks
    "#);
    insta::assert_snapshot!(recorded.verger(&["tasks", "search", "kubernetes", "--json"]), @r#"{"tasks":[]}"#);
}

#[test]
fn omitted_tasks_are_reported_with_the_command_that_helps() {
    let recorded = some_tasks();
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", "0"]), @r#"
    ------- stderr -------
    verger: ambiguous id "0": 3 match
    hint: matching ids: 01M7G8NWR800000001M7G8NRVC, 01M7G83TM800000001M7G83EXM, 01M7G83PQ800000001M7G83EXG
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", "7"]), @r#"
    ------- stderr -------
    verger: no task of this project has the id "7"
    hint: verger tasks lists all tasks; the latest is 01M7G8NWR800000001M7G8NRVC
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", ""]), @"
    ------- stderr -------
    verger: no task is named
    hint: verger tasks lists all tasks; the latest is 01M7G8NWR800000001M7G8NRVC
    ------- exit code 2 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["tasks", "search", "the"]), @r#"
    ------- stderr -------
    verger: "the" has no word to search for
    hint: name a file, a function or a word of the goal; verger tasks lists all
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["tasks", "search", "the", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"name a file, a function or a word of the goal; verger tasks lists all","message":"\"the\" has no word to search for"}
    ------- exit code 2 -------
    "#);
    let nothing = Recorded::nothing();
    insta::assert_snapshot!(nothing.verger(&["tasks"]), @"
    no task of this project has a record yet
    a task is recorded when an agent that changed something finishes, begins other work or ends; verger session list lists the recorded sessions
    ");
    insta::assert_snapshot!(nothing.verger(&["tasks", "show", "7"]), @r#"
    ------- stderr -------
    verger: no task of this project has the id "7"
    hint: no task of this project has a record yet; verger session list lists the recorded sessions
    ------- exit code 2 -------
    "#);
}

#[test]
fn work_that_goes_on_after_a_record_is_one_task() {
    let mut recorded = Recorded::nothing();
    let mut script = recorded.script("1111", 0);
    script.start().prompt("Fix the login redirect in src/login.rs.");
    script.edit("src/login.rs", "fn redirect(to: &str) {", "fn go() {");
    script.record(TaskEnding::SessionEnded).end();
    recorded.play(&mut script);
    let listed = recorded.verger(&["tasks"]).success().stdout;
    let first = listed.split_whitespace().nth(3).unwrap().to_owned();
    script.prompt("go on").edit("src/session.rs", "fn redirect(to: &str) {", "fn go() {");
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"59 min ago  open  1111, task 1  Fix the login redirect in src/login.rs.");
    script.stop("Fixed.").record(TaskEnding::Complete);
    recorded.play(&mut script);
    insta::assert_snapshot!(recorded.verger(&["tasks"]), @"59 min ago  complete  M7G83EXH  Fix the login redirect in src/login.rs. (2 files)");
    insta::assert_snapshot!(recorded.verger(&["tasks", "show", &first]), @r#"
    ------- stderr -------
    verger: no task of this project has the id "partial"
    hint: verger tasks lists all tasks; the latest is 01M7G83QPG00000001M7G83EXH
    ------- exit code 2 -------
    "#);
}
