//! `verger reflect`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use serde_json::{Value, json};
use verger_testkit::Output;

use crate::learned::{learned, learning};
use crate::recorded::Recorded;

const REFLECT: &[&str] = &["reflect", "--session", "1111"];

/// Makes the session "1111" close a ticket and try to stop, which is refused.
fn owing(mut recorded: Recorded) -> Recorded {
    // Without this setting, the gate would ask only once about a small change.
    recorded.environment.set("VERGER_LEARNING_AUTO_SKIP", "false");
    recorded.event("1111", "SessionStart", r#""source":"startup""#);
    recorded.event(
        "1111",
        "UserPromptSubmit",
        r#""prompt_id":"p1","prompt":"do bd-1, and ask Ada before any release of orders""#,
    );
    let call = r#""prompt_id":"p1","tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"bd close bd-1"}"#;
    recorded.event("1111", "PreToolUse", call);
    recorded.event("1111", "PostToolUse", &format!(r#"{call},"tool_response":{{"stdout":""}}"#));
    assert!(stops(&mut recorded).contains("verger reflect"));
    recorded.tick();
    recorded
}

/// The hook's answer to the agent's stop. Empty if the agent may stop.
fn stops(recorded: &mut Recorded) -> String {
    recorded.answered("1111", "Stop", r#""prompt_id":"p1""#)
}

fn candidate(summary: &str) -> Value {
    json!({
        "category": "pitfall",
        "summary": summary,
        "detail": "It happens in the importer of `orders.csv` and nowhere else.",
        "criteria": ["stable_fact"],
        "tags": ["importer"],
    })
}

fn reflection(candidates: &[Value]) -> String {
    json!({ "candidates": candidates }).to_string()
}

fn reflect(recorded: &Recorded, more: &[&str], input: &str) -> Output {
    recorded.verger_with_input(&[REFLECT, more].concat(), input)
}

fn stats(recorded: &Recorded) -> String {
    recorded.environment.read(".verger/stats.log")
}

#[test]
fn accepted_candidates_are_stored_and_the_agent_may_stop() {
    let mut recorded = owing(Recorded::nothing());
    let before = recorded.kinds_after(0).lines().count();
    let text = reflection(&[
        candidate("orders.csv has CRLF line ends"),
        json!({ "summary": "short", "category": "pit" }),
        json!({ "category": "process", "summary": "Ask Ada before a release of `orders`",
            "detail": "She keeps the list of customers that must be told.", "scope": "personal",
            "criteria": ["explicit_request"], "tags": ["release"], "colour": "red" }),
    ]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 2 of 3 candidates, for session 1111
      learn-01M7G83MRR00000000000000JR, in .verger/learnings.md: orders.csv has CRLF line ends
      learn-01M7G83MRR00000000000000JS, in your own file: Ask Ada before a release of `orders`
      candidate 2 is rejected: short
        category "pit" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
        summary has 5 characters: write 10 to 200
        detail is missing: write 20 to 2000 characters
        tags has 0 entries: give 1 to 10
        criteria has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request
      candidate 3: "colour" is not a field and was ignored; the fields are category, summary, detail, scope, criteria, tags, files, symbols, supersedes
    the agent may stop now; verger status shows the state of its gates
    "#);
    insta::assert_snapshot!(recorded.kinds_after(before), @r#"
    reflection.recorded      2 learnings
    gate.changed             learning: blocked -> reflected, reflection recorded: 2 kept, 1 rejected
    learning.stored          learn-01M7G83MRR00000000000000JR in markdown
    learning.stored          learn-01M7G83MRR00000000000000JS in personal
    "#);
    insta::assert_snapshot!(recorded.environment.read(".verger/learnings.md"), @r#"
    # Learnings

    ## orders.csv has CRLF line ends {#learn-01M7G83MRR00000000000000JR}

    > It happens in the importer of `orders.csv` and nowhere else.

    - category: pitfall | scope: project | confidence: high | criteria: stable_fact | tags: importer | created: 2026-11-15T18:39:27.000Z | ticket: bd-1 | session: 1111 | commit: c9f3b6633596b56e35ff6828b42c185d57406400 | id: learn-01M7G83MRR00000000000000JR
    "#);
    let own = recorded.environment.verger_home().join("data/personal-learnings.md");
    assert!(recorded.environment.read(own).contains("Ask Ada before a release"));
    insta::assert_snapshot!(stats(&recorded), @r#"
    {"accepted":["learn-01M7G83MRR00000000000000JR","learn-01M7G83MRR00000000000000JS"],"at":1794767967000,"candidates":3,"criteria":{"explicit_request":1,"stable_fact":1},"event":"reflection","id":"01M7G83MRR00000000000000JT","session":"1111","tickets":["bd-1"],"v":1}
    {"at":1794767967000,"event":"rejected","id":"01M7G83MRR000G0000000000JT","reasons":["category \"pit\" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging","summary has 5 characters: write 10 to 200","detail is missing: write 20 to 2000 characters","tags has 0 entries: give 1 to 10","criteria has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request"],"session":"1111","summary":"short","tickets":["bd-1"],"v":1}
    "#);
    insta::assert_snapshot!(recorded.environment.read(".verger/.gitattributes"), @r#"
    learnings.md merge=union
    stats.log merge=union
    "#);
    assert_eq!(stops(&mut recorded), "");
}

#[test]
fn programs_get_all_of_it() {
    let recorded = owing(Recorded::nothing());
    let text = reflection(&[candidate("orders.csv has CRLF line ends"), json!({ "summary": "x" })]);
    insta::assert_snapshot!(reflect(&recorded, &["--json"], &text), @r#"{"earlier":[],"gate":"reflected","learnings":[{"at":1794767967000,"category":"pitfall","commit":"c9f3b6633596b56e35ff6828b42c185d57406400","confidence":"high","criteria":["stable_fact"],"detail":"It happens in the importer of `orders.csv` and nowhere else.","id":"learn-01M7G83MRR00000000000000JR","placement":{"backend":"markdown","is":"kept"},"scope":"project","session":"1111","summary":"orders.csv has CRLF line ends","tags":["importer"],"ticket":"bd-1","v":1}],"misses":[],"problems":[],"rejected":[{"candidate":2,"reasons":[{"field":"category","says":"is missing: use one of pattern, pitfall, convention, dependency, process, domain, debugging"},{"field":"summary","says":"has 1 characters: write 10 to 200"},{"field":"detail","says":"is missing: write 20 to 2000 characters"},{"field":"tags","says":"has 0 entries: give 1 to 10"},{"field":"criteria","says":"has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request"}],"summary":"x","tags":[]}],"remarks":[],"session":"1111","superseded":[],"taken":true,"used":[]}"#);
}

#[test]
fn markdown_is_read_too_and_quiet_says_what_was_kept() {
    let recorded = owing(Recorded::nothing());
    let text = "## orders.csv has CRLF line ends\n- category: pitfall\n- criteria: stable_fact\n\
        - tags: importer\n\nThe importer of `orders.csv` keeps them.\n\n## Used\n- learn-none: it helped\n";
    insta::assert_snapshot!(reflect(&recorded, &["--quiet"], text), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83MRR00000000000000JR, in .verger/learnings.md: orders.csv has CRLF line ends
    "#);
}

#[test]
fn nothing_that_passes_opens_nothing() {
    let mut recorded = owing(Recorded::nothing());
    insta::assert_snapshot!(reflect(&recorded, &[], ""), @r#"
    reflection rejected, for session 1111: the reflection is empty; write JSON with a list `candidates`
    verger reflect --example shows a reflection; --schema prints its JSON Schema
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(reflect(&recorded, &["--json"], "I learned a lot."), @r#"
    {"gate":"blocked","session":"1111","taken":false,"why":"the reflection is neither JSON nor Markdown that has one `## summary` per candidate, with its fields, such as `- category: pitfall`, below"}
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(reflect(&recorded, &[], "{\"candidates\": []}"), @r#"
    reflection rejected, for session 1111: it has no candidates
    correct the candidates and reflect again; verger reflect --example shows one that passes
    ------- exit code 1 -------
    "#);
    let short = reflection(&[json!({ "summary": "short" })]);
    insta::assert_snapshot!(reflect(&recorded, &[], &short), @r#"
    reflection rejected, for session 1111: none of 1 candidate passes
      candidate 1 is rejected: short
        category is missing: use one of pattern, pitfall, convention, dependency, process, domain, debugging
        summary has 5 characters: write 10 to 200
        detail is missing: write 20 to 2000 characters
        tags has 0 entries: give 1 to 10
        criteria has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request
    correct the candidates and reflect again; verger reflect --example shows one that passes
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(reflect(&recorded, &["--json"], &short), @r#"
    {"earlier":[],"gate":"blocked","learnings":[],"misses":[],"problems":[],"rejected":[{"candidate":1,"reasons":[{"field":"category","says":"is missing: use one of pattern, pitfall, convention, dependency, process, domain, debugging"},{"field":"summary","says":"has 5 characters: write 10 to 200"},{"field":"detail","says":"is missing: write 20 to 2000 characters"},{"field":"tags","says":"has 0 entries: give 1 to 10"},{"field":"criteria","says":"has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request"}],"summary":"short","tags":[]}],"remarks":[],"session":"1111","superseded":[],"taken":false,"used":[]}
    ------- exit code 1 -------
    "#);
    let huge = "x".repeat(600 * 1024);
    insta::assert_snapshot!(reflect(&recorded, &[], &huge), @r#"
    reflection rejected, for session 1111: the reflection is longer than 512 KiB
    verger reflect --example shows a reflection; --schema prints its JSON Schema
    ------- exit code 1 -------
    "#);
    let refused = stops(&mut recorded);
    assert!(refused.contains("additionalContext") && refused.contains("512 KiB"), "{refused}");
    assert!(!recorded.environment.project().join(".verger/learnings.md").exists());
}

#[test]
fn known_candidates_are_distinguished_from_replacements() {
    let recorded = owing(learned(
        &[
            learning("crlf", 40, "orders.csv has CRLF line ends"),
            learning("cache", 30, "The cache of the parser is shared"),
        ],
        &[],
    ));
    let again = candidate("orders.csv has CRLF line ends");
    let mut right = candidate("The cache of the parser is per thread");
    right["supersedes"] = json!(["learn-cache", "learn-gone"]);
    let text = json!({ "candidates": [again, right], "used": ["learn-crlf", "learn-none"] });
    insta::assert_snapshot!(reflect(&recorded, &[], &text.to_string()), @r#"
    accepted 1 of 2 candidates, for session 1111
      learn-01M7G83NR000000000000000NW, in .verger/learnings.md: The cache of the parser is per thread
      candidate 1 is rejected: orders.csv has CRLF line ends
        summary says the same as learn-crlf ("orders.csv has CRLF line ends"): name that learning in `used`, or write what is new, or put learn-crlf in `supersedes` if the new learning replaces it
      learn-crlf was useful
      learn-cache is superseded
      candidate 2: supersedes: learn-gone is not an active learning here; kept as written
      used: no learning learn-none is kept here
    the agent may stop now; verger status shows the state of its gates
    "#);
    insta::assert_snapshot!(stats(&recorded), @r#"
    {"accepted":["learn-01M7G83NR000000000000000NW"],"at":1794767968000,"candidates":2,"criteria":{"stable_fact":1},"event":"reflection","id":"01M7G83NR000000000000000NX","session":"1111","tickets":["bd-1"],"v":1}
    {"at":1794767968000,"by":"learn-01M7G83NR000000000000000NW","event":"superseded","id":"01M7G83NR0000G0000000000NX","learning":"learn-cache","session":"1111","tickets":["bd-1"],"v":1}
    {"at":1794767968000,"event":"rejected","id":"01M7G83NR0001G0000000000NX","reasons":["summary says the same as learn-crlf (\"orders.csv has CRLF line ends\"): name that learning in `used`, or write what is new, or put learn-crlf in `supersedes` if the new learning replaces it"],"session":"1111","summary":"orders.csv has CRLF line ends","tags":["importer"],"tickets":["bd-1"],"v":1}
    {"at":1794767968000,"event":"referenced","how":"reflection","id":"01M7G83NR000000000000000NY","learning":"learn-crlf","session":"1111","tickets":["bd-1"],"v":1}
    {"at":1794767968000,"event":"corrected","id":"01M7G83NR000000000000000NZ","learning":"learn-cache","session":"1111","tickets":["bd-1"],"v":1}
    "#);
    // The scope of the replaced learning is unknown, so the change goes to the personal statistics.
    let own = recorded.environment.verger_home().join("data/personal-stats.log");
    insta::assert_snapshot!(recorded.environment.read(own), @r#"{"at":1794767968000,"by":"learn-01M7G83NR000000000000000NW","event":"superseded","id":"01M7G83NR000100000000000NX","learning":"learn-gone","session":"1111","tickets":["bd-1"],"v":1}"#);
    insta::assert_snapshot!(recorded.verger(&["learn", "list", "--status", "superseded"]), @"learn-cache  pitfall  project  30 days ago, never given, superseded by learn-01M7G83NR000000000000000NW: The cache of the parser is shared");
}

#[test]
fn a_topic_that_was_turned_away_before_is_reported() {
    let mut recorded = owing(Recorded::nothing());
    let mut bad = candidate("orders.csv has CRLF line ends");
    bad["tags"] = json!([]);
    assert_eq!(reflect(&recorded, &[], &reflection(&[bad])).code, 1);
    recorded.event("2222", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    let other = recorded.verger_with_input(&["reflect", "--session", "2222"], text);
    insta::assert_snapshot!(other, @r#"
    accepted 1 of 1 candidate, for session 2222
      learn-01M7G83PQ800000000000000S0, in .verger/learnings.md: orders.csv has CRLF line ends
      learn-01M7G83PQ800000000000000S0 was rejected earlier: tags has 0 entries: give 1 to 10
    the agent may stop now; verger status shows the state of its gates
    "#);
}

/// Replaces the project's file by a link to a path outside of the project. Verger never follows
/// such a link. Returns the link and its target.
fn refuse_learnings(recorded: &Recorded) -> (PathBuf, PathBuf) {
    let outside = recorded.environment.root().join("outside.md");
    fs::create_dir(recorded.environment.project().join(".verger")).unwrap();
    let file = recorded.environment.project().join(".verger/learnings.md");
    fs::write(&outside, "").unwrap();
    symlink(&outside, &file).unwrap();
    (file, outside)
}

#[test]
fn a_place_that_fails_costs_no_learning() {
    let mut recorded = owing(Recorded::nothing());
    let (file, outside) = refuse_learnings(&recorded);
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83MRR00000000000000JR, not stored yet: orders.csv has CRLF line ends
    the agent may stop now; verger status shows the state of its gates
    ------- stderr -------
    verger: cannot use $ENV/home/project/.verger/learnings.md: a link leads out of $ENV/home/project
    verger: some learnings are only in the log (cannot use $ENV/home/project/.verger/learnings.md: a link leads out of $ENV/home/project); the next reflection or `verger learn archive --unused` tries again
    "#);
    assert_eq!(stops(&mut recorded), "", "the gate is open");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "");
    fs::remove_file(&file).unwrap();
    recorded.tick();
    let text = reflection(&[candidate("The parser of `orders.csv` drops empty lines")]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83PQ800000000000000S0, in .verger/learnings.md: The parser of `orders.csv` drops empty lines
      learn-01M7G83MRR00000000000000JR, of an earlier reflection: in .verger/learnings.md
    the agent may stop now; verger status shows the state of its gates
    "#);
    let kept = recorded.environment.read(".verger/learnings.md");
    assert_eq!(kept.matches("\n## ").count(), 2, "{kept}");
    recorded.tick();
    let text = reflection(&[candidate("Totals in `orders.csv` are in cents")]);
    let third = reflect(&recorded, &["--json"], &text).success().stdout;
    assert!(third.contains(r#""earlier":[]"#), "{third}");
}

#[test]
fn a_session_that_starts_stores_what_no_place_could_take_and_stores_it_once() {
    let mut recorded = owing(Recorded::nothing());
    let (file, outside) = refuse_learnings(&recorded);
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    assert_eq!(reflect(&recorded, &[], &text).code, 0);
    let start = |recorded: &mut Recorded| {
        let before = recorded.kinds_after(0).lines().count();
        recorded.event("1111", "SessionStart", r#""source":"resume""#);
        recorded.tick();
        recorded.kinds_after(before)
    };
    insta::assert_snapshot!(start(&mut recorded), @"
    session.started          resume
    warning.raised           upkeep of learnings: cannot store learnings that are only in the log: use $ENV/home/pr…
    backend.found            markdown $ENV/home/project/.verger/learnings.md
    ");
    fs::remove_file(&file).unwrap();
    insta::assert_snapshot!(start(&mut recorded), @"
    learning.stored          learn-01M7G83MRR00000000000000JR in markdown
    session.started          resume
    backend.found            markdown $ENV/home/project/.verger/learnings.md
    ");
    let stored = recorded.environment.read(&file);
    assert_eq!(stored.matches("## orders.csv has CRLF line ends").count(), 1, "{stored}");
    insta::assert_snapshot!(start(&mut recorded), @"
    session.started          resume
    backend.found            markdown $ENV/home/project/.verger/learnings.md
    ");
    assert_eq!(recorded.environment.read(&file), stored);
    assert_eq!(fs::read_to_string(outside).unwrap(), "");
}

#[test]
fn total_recall_takes_learnings_and_markdown_what_it_cannot() {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    recorded.environment.write("rules/total-recall.md", "# Total Recall\n");
    fs::create_dir_all(recorded.environment.project().join("memory/daily")).unwrap();
    let mut recorded = owing(recorded);
    let mut short = candidate("The staging server is down until Monday");
    short["scope"] = json!("ephemeral");
    let text = reflection(&[candidate("orders.csv has CRLF line ends"), short]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 2 of 2 candidates, for session 1111
      learn-01M7G83NR000000000000000NW, in the daily log of Total Recall: orders.csv has CRLF line ends
      learn-01M7G83NR000000000000000NX, in the daily log of Total Recall: The staging server is down until Monday
    the agent may stop now; verger status shows the state of its gates
    "#);
    insta::assert_snapshot!(recorded.environment.read("memory/daily/2026-11-15.md"), @r#"
    # 2026-11-15

    ## Learnings

    [18:39] **Pitfall** (grove:learn-01M7G83NR000000000000000NW): orders.csv has CRLF line ends
    > It happens in the importer of `orders.csv` and nowhere else.

    Tags: #importer | Confidence: High | Ticket: bd-1

    [18:39] **Pitfall** (grove:learn-01M7G83NR000000000000000NX): The staging server is down until Monday
    > It happens in the importer of `orders.csv` and nowhere else.

    Tags: #importer | Confidence: High | Ticket: bd-1
    "#);
    recorded.tick();
    let daily = recorded.environment.project().join("memory/daily/2026-11-15.md");
    fs::remove_file(&daily).unwrap();
    fs::create_dir(&daily).unwrap();
    let text = reflection(&[candidate("The parser of `orders.csv` drops empty lines")]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83PQ800000000000000S0, in .verger/learnings.md because the daily log of Total Recall failed: cannot use $ENV/home/project/memory/daily/2026-11-15.md: it is not a file: The parser of `orders.csv` drops empty lines
    the agent may stop now; verger status shows the state of its gates
    ------- stderr -------
    verger: cannot use $ENV/home/project/memory/daily/2026-11-15.md: it is not a file
    "#);
    assert!(recorded.environment.read(".verger/learnings.md").contains("drops empty lines"));
}

#[test]
fn ephemeral_learnings_that_nothing_keeps_do_not_open_the_gate() {
    let mut recorded = owing(Recorded::nothing());
    let mut short = candidate("The staging server is down until Monday");
    short["scope"] = json!("ephemeral");
    insta::assert_snapshot!(reflect(&recorded, &[], &reflection(&[short.clone()])), @"
    reflection rejected, for session 1111: all learnings of the reflection are ephemeral, and this project has no daily log to keep them: give one the scope project, team or personal, or skip
      learn-01M7G83MRR00000000000000JR, discarded: its scope is ephemeral, and only a project with a daily log keeps such learnings: The staging server is down until Monday
    correct the candidates and reflect again; verger reflect --example shows one that passes
    ------- exit code 1 -------
    ");
    let refused = stops(&mut recorded);
    assert!(refused.contains("all learnings of the reflection are ephemeral"), "{refused}");
    recorded.tick();
    let lasting = candidate("The importer reads `orders.csv` twice");
    assert_eq!(reflect(&recorded, &[], &reflection(&[short, lasting])).code, 0);
    assert_eq!(stops(&mut recorded), "");
}

#[test]
fn damaged_files_are_named_and_nothing_is_overwritten() {
    let recorded = owing(Recorded::nothing());
    let half = "# Ours\n\n## Half\n- category: pit\n- tags: a\n\nSome text";
    recorded.environment.write(".verger/learnings.md", half);
    recorded.environment.write(".verger/stats.log", "{\"v\":");
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83MRR00000000000000JR, in .verger/learnings.md: orders.csv has CRLF line ends
    the agent may stop now; verger status shows the state of its gates
    ------- stderr -------
    verger: $ENV/home/project/.verger/learnings.md:3: "pit" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
    verger: $ENV/home/project/.verger/stats.log:1: this is not JSON: remove the line, or restore it with git
    "#);
    assert!(recorded.environment.read(".verger/learnings.md").starts_with(half));
    assert!(stats(&recorded).starts_with("{\"v\":\n"));
}

#[test]
fn a_directory_that_cannot_be_written_costs_no_learning() {
    let mut recorded = owing(Recorded::nothing());
    let directory = recorded.environment.project().join(".verger");
    fs::create_dir(&directory).unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o500)).unwrap();
    // The superuser can write to the directory in spite of its mode.
    let is_root = fs::write(directory.join("probe"), "").is_ok();
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    let output = reflect(&recorded, &[], &text);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!((output.code, output.stderr.is_empty()), (0, is_root), "{output}");
    assert_eq!(stops(&mut recorded), "");
}

#[test]
fn secrets_reach_no_file() {
    let recorded = owing(Recorded::nothing());
    let key = format!("sk-ant-api03-{}", "a1B2c3D4e5".repeat(9));
    let mut secret = candidate("orders.csv has CRLF line ends");
    secret["detail"] =
        json!(format!("The importer of `orders.csv` was called with {key} by hand."));
    let rejected = json!({ "summary": format!("{key} is the key"), "category": "pit" });
    assert_eq!(reflect(&recorded, &[], &reflection(&[secret, rejected])).code, 0);
    let kept = recorded.environment.read(".verger/learnings.md");
    assert!(kept.contains("[redacted:") && !kept.contains(&key), "{kept}");
    assert!(!stats(&recorded).contains(&key));
    assert!(!fs::read_to_string(recorded.segment("1111")).unwrap().contains(&key));
}

#[test]
fn notes_are_offered_until_the_session_reflected() {
    let mut recorded = owing(Recorded::nothing());
    insta::assert_snapshot!(reflect(&recorded, &["--candidates"], ""), @"there are no notes or findings for the reflection of session 1111");
    let note = ["observe", "orders.csv has\nCRLF line ends", "--author", "explorer"];
    assert_eq!(recorded.verger(&note).code, 0);
    recorded.event(
        "1111",
        "SubagentStop",
        r#""agent_id":"a1","agent_type":"explorer","last_assistant_message":"Found two parsers.""#,
    );
    insta::assert_snapshot!(reflect(&recorded, &["--candidates"], ""), @r#"
    note by explorer: orders.csv has CRLF line ends
    report by explorer: Found two parsers.
    verger reflect stores a reflection; verger reflect --example shows the form
    "#);
    insta::assert_snapshot!(reflect(&recorded, &["--candidates", "--json"], ""), @r#"{"candidates":[{"by":"explorer","candidate":{"detail":"orders.csv has\nCRLF line ends","summary":"orders.csv has"},"event":"01M7G83MRR00000000000000JR","kind":"note"},{"by":"explorer","candidate":{"detail":"Found two parsers.","summary":"Found two parsers."},"event":"01M7G83NR000000000000000NW","kind":"report"}],"session":"1111"}"#);
    recorded.tick();
    let text = reflection(&[candidate("orders.csv has CRLF line ends")]);
    let reflected = reflect(&recorded, &["--json"], &text).success().stdout;
    let reflected: Value = serde_json::from_str(&reflected).unwrap();
    assert_eq!(reflected["learnings"][0]["events"].as_array().map(Vec::len), Some(2));
    insta::assert_snapshot!(reflect(&recorded, &["--candidates"], ""), @"there are no notes or findings for the reflection of session 1111");
}

#[test]
fn the_forms_are_printed_and_the_examples_pass() {
    let recorded = owing(Recorded::nothing());
    let schema = recorded.verger(&["reflect", "--schema"]).success().stdout;
    assert!(serde_json::from_str::<Value>(&schema).unwrap()["properties"].is_object());
    let example = recorded.verger(&["reflect", "--example", "--json"]).success().stdout;
    let both = recorded.verger(&["reflect", "--example"]).success().stdout;
    assert!(both.starts_with(&example) && both.contains("## "), "{both}");
    assert_eq!(recorded.verger(&["reflect", "--example", "--quiet"]).stdout, example);
    insta::assert_snapshot!(reflect(&recorded, &["--quiet"], &example), @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83MRR00000000000000JR, in .verger/learnings.md: Retrying OrderService.save doubles the row
    "#);
}

#[test]
fn the_session_is_the_one_that_the_reflection_names_if_nobody_else_does() {
    let mut recorded = owing(Recorded::nothing());
    recorded.event("2222", "SessionStart", r#""source":"startup""#);
    recorded.tick();
    let mut text = json!({ "candidates": [candidate("orders.csv has CRLF line ends")] });
    insta::assert_snapshot!(recorded.verger_with_input(&["reflect"], text.to_string()), @r#"
    ------- stderr -------
    verger: 2 sessions are live in this project
    hint: name one with --session: 2222, 1111
    ------- exit code 2 -------
    "#);
    text["session_id"] = json!("1111");
    let output = recorded.verger_with_input(&["reflect", "--quiet"], text.to_string());
    insta::assert_snapshot!(output, @r#"
    accepted 1 of 1 candidate, for session 1111
      learn-01M7G83PQ800000000000000S0, in .verger/learnings.md: orders.csv has CRLF line ends
    "#);
    assert_eq!(stops(&mut recorded), "");
}

#[test]
fn a_claimed_request_is_looked_for_in_the_prompts_of_the_session() {
    let mut recorded = owing(Recorded::nothing());
    let mut asked = candidate("The user wants amounts of `orders.csv` in cents");
    asked["criteria"] = json!(["explicit_request"]);
    let text = reflection(&[asked]);
    insta::assert_snapshot!(reflect(&recorded, &[], &text), @"
    reflection rejected, for session 1111: none of 1 candidate passes
      candidate 1 is rejected: The user wants amounts of `orders.csv` in cents
        criteria explicit_request is not accepted: no prompt of this session has half of the words of the summary or of the detail; use the person's words, or claim another criterion
    correct the candidates and reflect again; verger reflect --example shows one that passes
    ------- exit code 1 -------
    ");
    recorded.tick();
    let prompt =
        r#""prompt_id":"p2","prompt":"keep the amounts in orders.csv in cents from now on""#;
    recorded.event("1111", "UserPromptSubmit", prompt);
    assert_eq!(reflect(&recorded, &[], &text).code, 0);
}
