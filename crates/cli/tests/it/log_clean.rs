//! `verger log clean`.

use std::fs;

use crate::recorded::Recorded;

/// Two old sessions, one of which has no recorded end, and one live session.
fn old_and_new() -> Recorded {
    let mut recorded = old();
    recorded.event("3333", "SessionStart", r#""source":"startup""#);
    recorded
}

/// Two sessions from 40 days ago. No later session has started, so no background process has packed
/// them.
fn old() -> Recorded {
    let mut recorded = Recorded::two_sessions();
    let large = "x".repeat(100_000);
    recorded.event("2222", "UserPromptSubmit", &format!(r#""prompt_id":"p2","prompt":"{large}""#));
    let blobs = recorded.environment.verger_home().join("data/blobs");
    let age = format!("find '{}' -type f -exec touch -d @1 {{}} +", blobs.display());
    assert_eq!(recorded.environment.run("bash", ["-c", age.as_str()], "").code, 0);
    recorded.pass_days(40);
    recorded
}

fn sessions(recorded: &Recorded) -> String {
    recorded.verger(&["session", "list"]).success().stdout
}

#[test]
fn a_dry_run_lists_sessions_and_changes_nothing() {
    let recorded = old_and_new();
    let before = sessions(&recorded);
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "30d", "--dry-run"]), @"
    40 days ago  claude  1111  3 KiB
    40 days ago  claude  2222  571 B
    to remove: 2 sessions (3 KiB) and 1 payload that no other session uses (98 KiB)
    ");
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "0h", "--dry-run", "--json"]), @r#"{"before_ms":1798223970000,"kept":{"live":0,"without_time":0},"payloads":{"bytes":100038,"count":1},"sessions":[{"agent":"claude","bytes":2113,"kept_because":null,"last_ms":1794767967000,"removed":false,"session":"1111"},{"agent":"claude","bytes":571,"kept_because":null,"last_ms":1794767969000,"removed":false,"session":"2222"}]}"#);
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "2026-01-31", "--dry-run"]), @"no session is old enough to remove");
    assert_eq!(sessions(&recorded), before);
}

#[test]
fn old_sessions_go_and_the_log_stays_whole() {
    let recorded = old_and_new();
    // The snapshot of a fold that few hooks need also belongs to its session.
    let snapshots = recorded.environment.verger_home().join("data/sessions");
    fs::create_dir_all(&snapshots).unwrap();
    for name in ["claude-1111.track.bin", "claude-1111.track.json.1", "claude-3333.track.bin"] {
        fs::write(snapshots.join(name), "{}\n").unwrap();
    }
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]), @"
    40 days ago  claude  1111  3 KiB
    40 days ago  claude  2222  571 B
    to remove: 2 sessions (3 KiB) and 1 payload that no other session uses (98 KiB)
    removed 2 sessions and 1 payload
    ");
    insta::assert_snapshot!(sessions(&recorded), @"0 s ago  claude  3333  1 event, open  ~/project");
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"1 segment, 1 record, 0 faults");
    insta::assert_snapshot!(recorded.verger(&["log", "rebuild", "--verify"]), @"compared 1 session with 1 record: no difference");
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]), @"no session is old enough to remove");
    // These directories are left out, because a background process may still be looking for
    // sessions without a record.
    let files = format!(
        "cd '{}' && find . -type f -not -path './left/*' -not -path './locks/*' | sort",
        recorded.environment.verger_home().join("data").display()
    );
    insta::assert_snapshot!(recorded.environment.run("bash", ["-c", files.as_str()], ""), @r#"
    ./index.db
    ./index.lock
    ./log/c1/claude-3333.jsonl
    ./log/c1/claude-3333.lock
    ./sessions/claude-3333.track.bin
    "#);
}

#[test]
fn programs_are_told_what_went() {
    let recorded = old_and_new();
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "2026-11-20", "--yes", "--json"]), @r#"{"before_ms":1795132800000,"kept":{"live":0,"without_time":0},"payloads":{"bytes":100038,"count":1},"sessions":[{"agent":"claude","bytes":2113,"kept_because":null,"last_ms":1794767967000,"removed":true,"session":"1111"},{"agent":"claude","bytes":571,"kept_because":null,"last_ms":1794767969000,"removed":true,"session":"2222"}]}"#);
}

#[test]
fn one_session_goes_and_what_stays_is_told() {
    let (mut reviewed, token) = crate::reviewed::Reviewed::begun();
    let words = ["complete", "fine", "--token", &token];
    assert_eq!(reviewed.decide(crate::reviewed::By::Reviewer("a1"), &words).code, 0);
    insta::assert_snapshot!(reviewed.verger(&["log", "clean", "--session", "1111", "--yes"]), @"
    ------- stderr -------
    verger: session 1111 may still continue
    hint: end the session in its agent; a session without an end counts as ended after a day
    ------- exit code 2 -------
    ");
    reviewed.event("1111", "SessionEnd", r#""reason":"other""#);
    reviewed.event("2222", "SessionStart", r#""source":"startup""#);
    insta::assert_snapshot!(reviewed.verger(&["log", "clean", "--session", "11", "--dry-run"]), @"
    1 s ago  claude  1111  9 KiB
    to remove: 1 session (9 KiB) and 0 payloads that no other session uses (0 B)
    kept: 1 review.decided in the project's log, and learnings and undo points
    ");
    insta::assert_snapshot!(reviewed.verger(&["log", "clean", "--session", "11", "--yes"]), @"
    1 s ago  claude  1111  9 KiB
    to remove: 1 session (9 KiB) and 0 payloads that no other session uses (0 B)
    kept: 1 review.decided in the project's log, and learnings and undo points
    removed 1 session and 0 payloads
    ");
    insta::assert_snapshot!(sessions(&reviewed), @"0 s ago  claude  2222  1 event, open  ~/project");
    insta::assert_snapshot!(reviewed.verger(&["stats", "review"]), @"
    reviews within 30 days
              all
    approved    1
    ");
    assert_eq!(reviewed.verger(&["log", "verify"]).code, 0);
    insta::assert_snapshot!(reviewed.verger(&["log", "clean", "--session", "11", "--yes"]), @r#"
    ------- stderr -------
    verger: no session begins with "11"
    hint: verger session list shows all sessions; the latest is 2222
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_session_that_somebody_writes_to_is_kept_and_told() {
    let recorded = old();
    let lock = recorded.segment("1111").with_extension("lock");
    let verger = env!("CARGO_BIN_EXE_verger");
    let script = format!("flock '{}' '{verger}' log clean --before 30d --yes", lock.display());
    insta::assert_snapshot!(recorded.environment.run("bash", ["-c", script.as_str()], ""), @"
    40 days ago  claude  1111  3 KiB
    40 days ago  claude  2222  571 B
    to remove: 2 sessions (3 KiB) and 1 payload that no other session uses (98 KiB)
    removed 1 session and 1 payload
    ------- stderr -------
    verger: kept 1111: cannot lock $ENV/home/.verger/data/log/a8/claude-1111.lock: timed out
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @"1 segment, 7 records, 0 faults");
}

#[test]
fn a_clean_that_is_killed_leaves_a_log_that_is_whole() {
    let mut recorded = Recorded::nothing();
    for n in 0..12 {
        recorded.event(&format!("{n:04}"), "SessionStart", r#""source":"startup""#);
    }
    recorded.pass_days(40);
    let verger = env!("CARGO_BIN_EXE_verger");
    for milliseconds in [5, 10, 15, 20, 25, 30] {
        let script = format!(
            "timeout -s KILL 0.{milliseconds:03} '{verger}' log clean --before 30d --yes 2>&1; true"
        );
        assert_eq!(recorded.environment.run("bash", ["-c", script.as_str()], "").code, 0);
        assert_eq!(recorded.verger(&["log", "verify"]).code, 0);
        assert_eq!(recorded.verger(&["log", "rebuild", "--verify"]).code, 0);
    }
    assert_eq!(recorded.verger(&["log", "clean", "--before", "30d", "--yes"]).code, 0);
    assert_eq!(sessions(&recorded), "no sessions were recorded yet\n");
    assert_eq!(recorded.verger(&["log", "verify"]).code, 0);
}

#[test]
fn a_time_that_is_none_is_refused() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--before", "30m", "--yes"]), @r#"
    ------- stderr -------
    verger: "30m" is no time in the past: expected hours, days or weeks ago (12h, 30d, 2w), or a date (2026-01-31)
    hint: verger log clean --before 30d --dry-run shows what would be removed
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "clean", "--yes"]), @"
    ------- stderr -------
    verger: no sessions were chosen: give --before or --session
    hint: verger log clean --before 30d --dry-run shows what would be removed
    ------- exit code 2 -------
    ");
}

#[test]
fn a_no_is_told_to_programs() {
    let recorded = old_and_new();
    let before = sessions(&recorded);
    let told = recorded.environment.root().join("told");
    let verger = env!("CARGO_BIN_EXE_verger");
    let command = format!("'{verger}' log clean --before 30d --json > '{}'", told.display());
    let output = recorded.environment.run("script", ["-qec", &command, "/dev/null"], "n\n");
    assert_eq!(output.code, 1);
    let told: serde_json::Value = serde_json::from_slice(&fs::read(told).unwrap()).unwrap();
    assert_eq!(told["sessions"][0]["removed"], false);
    assert_eq!(sessions(&recorded), before);
}
