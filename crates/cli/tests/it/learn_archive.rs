//! `verger learn archive --unused`.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::learned::{archived, in_place_of, learned, learning, line, personal, referenced};
use crate::recorded::Recorded;

fn project() -> Recorded {
    learned(
        &[
            learning("soon", 87, "The importer drops empty lines"),
            learning("due", 100, "Releases are made from main"),
            learning("used", 200, "The build needs make 4"),
            learning("away", 300, "The old build needs make 3"),
            learning("wrong", 40, "The cache is shared"),
            in_place_of("wrong", learning("right", 3, "The cache is per thread")),
            personal(learning("own", 120, "Run the slow tests before lunch")),
        ],
        &[line(9, "s1", referenced("used")), line(50, "s2", archived("away"))],
    )
}

#[test]
fn due_learnings_are_listed_and_archived() {
    let mut recorded = project();
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--dry-run"]), @r#"
    learn-due   due to be archived since 2026-11-05: Releases are made from main
    learn-own   due to be archived since 2026-10-16: Run the slow tests before lunch
    learn-soon  will be archived after 2026-11-18 unless used: The importer drops empty lines
    verger learn archive --unused archives and stores them; verger ref ID keeps one that is still useful
    "#);
    let text = recorded.environment.read(".verger/learnings.md");
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes"]), @r#"
    archived learn-due: Releases are made from main
    archived learn-own: Run the slow tests before lunch
    the index was rebuilt, with 7 learnings
    verger learn restore ID takes one out of the archive again
    "#);
    assert_eq!(recorded.environment.read(".verger/learnings.md"), text);
    insta::assert_snapshot!(recorded.environment.read(".verger/stats.log").lines().last().unwrap(), @r#"{"at":1794767962000,"event":"archived","id":"01M7G83FWG0000000000000034","learning":"learn-due","reason":"not used for 90 days","v":1}"#);
    let own = recorded.environment.verger_home().join("data/personal-stats.log");
    insta::assert_snapshot!(recorded.environment.read(own), @r#"{"at":1794767962000,"event":"archived","id":"01M7G83FWG0000000000000035","learning":"learn-own","reason":"not used for 90 days","v":1}"#);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--dry-run", "--quiet"]), @"learn-soon  will be archived after 2026-11-18 unless used: The importer drops empty lines");
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes", "--json"]), @r#"{"archived":[],"index":{"is":"updated","learnings":0},"problems":[],"stored":[]}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes"]), @"the index is up to date");
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--dry-run", "--json"]), @r#"{"due":[],"problems":[],"soon":[{"at":1787251161000,"category":"pitfall","confidence":"high","criteria":["stable_fact"],"detail":"Details of this learning: The importer drops empty lines.","id":"learn-soon","place":{"backend":"markdown","line":3,"path":"$ENV/home/project/.verger/learnings.md"},"scope":"project","status":"active","summary":"The importer drops empty lines","tags":["sample"],"usage":{"corrected":0,"dismissed":0,"hit_rate":null,"last_referenced_ms":null,"last_surfaced_ms":null,"referenced":0,"surfaced":0},"v":1}],"unstored":[]}"#);
    insta::assert_snapshot!(Recorded::nothing().verger(&["learn", "archive", "--unused", "--dry-run"]), @"nothing to do");
}

#[test]
fn learnings_are_put_away_and_taken_out_again_whole() {
    let mut recorded = project();
    let text = recorded.environment.read(".verger/learnings.md");
    let archive = ["learn", "archive", "learn-used", "learn-away", "learn-wrong", "learn-x"];
    let reason = ["--yes", "--reason", "make is gone"];
    insta::assert_snapshot!(recorded.verger(&[&archive[..], &reason].concat()), @r#"
    archived: learn-used
    learn-away is archived already
    learn-wrong was replaced by learn-right and cannot be archived or restored
    no learning learn-x is kept here; verger learn list shows the learnings in use
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.environment.read(".verger/stats.log").lines().last().unwrap(), @r#"{"at":1794767962000,"event":"archived","id":"01M7G83FWG0000000000000034","learning":"learn-used","reason":"make is gone","v":1}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "archived"]), @"
    learn-used  pitfall  project  200 days ago, never given, used 1 time, archived: The build needs make 4
    learn-away  pitfall  project  300 days ago, never given, archived: The old build needs make 3
    ");
    recorded.tick();
    let restore = ["learn", "restore", "learn-used", "learn-soon", "learn-wrong", "--yes"];
    insta::assert_snapshot!(recorded.verger(&restore), @r#"
    restored: learn-used
    learn-soon is in use already
    learn-wrong was replaced by learn-right and cannot be archived or restored
    ------- exit code 1 -------
    "#);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&[&restore[..], &["--json"]].concat()), @r#"
    {"restored":[{"by":null,"is":"already","learning":"learn-used"},{"by":null,"is":"already","learning":"learn-soon"},{"by":"learn-right","is":"superseded","learning":"learn-wrong"}]}
    ------- exit code 1 -------
    "#);
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["learn", "restore", "learn-away", "--yes", "--quiet"]), @"restored: learn-away");
    assert_eq!(recorded.environment.read(".verger/learnings.md"), text);
}

#[test]
fn an_unstored_learning_is_stored_later() {
    let mut recorded = Recorded::nothing();
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let file = recorded.environment.project().join(".verger/learnings.md");
    fs::create_dir(file.parent().unwrap()).unwrap();
    symlink("/nowhere/learnings.md", &file).unwrap();
    let candidate = json!({ "category": "pitfall", "summary": "orders.csv has CRLF line ends",
        "detail": "The importer of `orders.csv` keeps them.", "criteria": ["stable_fact"],
        "tags": ["importer"] });
    let text = json!({ "candidates": [candidate] }).to_string();
    assert_eq!(recorded.verger_with_input(&["reflect"], text).code, 0);
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--dry-run"]), @r#"
    learn-01M7G83GVR0000000000000068  not stored yet, only in the log: orders.csv has CRLF line ends
    verger learn archive --unused archives and stores them; verger ref ID keeps one that is still useful
    ------- stderr -------
    verger: cannot follow the link $ENV/home/project/.verger/learnings.md: No such file or directory (os error 2)
    "#);
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes"]), @r#"
    learn-01M7G83GVR0000000000000068: not stored yet
    the index is up to date
    ------- stderr -------
    verger: cannot follow the link $ENV/home/project/.verger/learnings.md: No such file or directory (os error 2)
    ------- exit code 1 -------
    "#);
    fs::remove_file(&file).unwrap();
    // The learning can still be stored after its session was removed.
    recorded.pass_days(60);
    recorded.tick();
    assert_eq!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes"]), @r#"
    learn-01M7G83GVR0000000000000068: in .verger/learnings.md
    the index was updated with 1 learning more
    "#);
    assert!(recorded.environment.read(&file).contains("orders.csv has CRLF line ends"));
    recorded.tick();
    insta::assert_snapshot!(recorded.verger(&["learn", "archive", "--unused", "--yes", "--json"]), @r#"{"archived":[],"index":{"is":"same"},"problems":[],"stored":[]}"#);
}

#[test]
fn agents_may_look_and_not_change() {
    let recorded = project();
    let program = format!("#!/bin/sh\n{} \"$@\"\n", env!("CARGO_BIN_EXE_verger"));
    let agent = recorded.environment.write_program("bin/claude", program);
    let by_agent = |arguments: &[&str]| recorded.environment.run(&agent, arguments, "").code;
    assert_eq!(by_agent(&["learn", "archive", "--unused", "--dry-run"]), 0);
    let mixed = ["learn", "archive", "learn-due", "--unused", "--dry-run"];
    assert_eq!(by_agent(&mixed), 2);
    assert_eq!(by_agent(&["learn", "archive", "learn-due", "--dry-run"]), 2);
    assert_eq!(by_agent(&["learn", "archive", "--unused", "--yes"]), 4);
    assert_eq!(by_agent(&["learn", "archive", "learn-due", "--yes"]), 4);
    assert_eq!(by_agent(&["learn", "restore", "learn-away", "--yes"]), 4);
}
