//! Many concurrent processes in one project, each with its own clock and ids.

use std::collections::BTreeSet;

use serde_json::Value;
use verger_testkit::{Output, TestEnvironment};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

/// A project in which a session has begun just now.
fn live_session() -> TestEnvironment {
    let environment = TestEnvironment::with_repository();
    let start = serde_json::json!({
        "session_id": "1111",
        "cwd": environment.project(),
        "hook_event_name": "SessionStart",
        "source": "startup",
    });
    let begun = environment.run(VERGER, ["hook", "claude", "SessionStart"], start.to_string());
    assert_eq!((begun.stderr.as_str(), begun.code), ("", 0));
    environment
}

/// Runs this number of processes concurrently, each with its own arguments and input.
fn at_once(
    environment: &TestEnvironment,
    count: usize,
    call: impl Fn(usize) -> (Vec<String>, String) + Sync,
) -> Vec<Output> {
    std::thread::scope(|scope| {
        let call = &call;
        let run = move |number| {
            let (arguments, input) = call(number);
            environment.run(VERGER, arguments, input)
        };
        let started: Vec<_> = (0..count).map(|number| scope.spawn(move || run(number))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The records of a kind, from `verger session trace --jsonl`.
fn records(environment: &TestEnvironment, kind: &str) -> Vec<Value> {
    let trace =
        environment.run(VERGER, ["session", "trace", "1111", "--all", "--jsonl"], "").success();
    let records = trace.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let records = records.map(|mut entry| entry["record"].take());
    records.filter(|record| record["kind"] == kind).collect()
}

fn distinct(records: &[Value], pointer: &str) -> usize {
    let texts: BTreeSet<_> =
        records.iter().map(|record| record.pointer(pointer).unwrap().to_string()).collect();
    texts.len()
}

#[test]
fn of_64_notes_none_is_lost() {
    const NOTES: usize = 64;
    let environment = live_session();
    let outputs = at_once(&environment, NOTES, |number| {
        (vec!["observe".to_owned(), format!("note {number}")], String::new())
    });
    for output in outputs {
        drop(output.success());
    }
    let notes = records(&environment, "observation.recorded");
    assert_eq!(notes.len(), NOTES);
    assert_eq!(distinct(&notes, "/payload/text"), NOTES);
    assert_eq!(distinct(&notes, "/id"), NOTES);
    assert_eq!(environment.run(VERGER, ["log", "verify"], "").code, 0);
}

#[test]
fn of_16_reflections_none_is_lost() {
    const REFLECTIONS: usize = 16;
    let environment = live_session();
    let outputs = at_once(&environment, REFLECTIONS, |number| {
        let candidate = serde_json::json!({
            "category": "pitfall",
            "summary": format!("Column {number} of orders.csv may be empty"),
            "detail": format!("The importer must not take column {number} for the last one."),
            "criteria": ["stable_fact"],
            "tags": ["importer"],
        });
        let text = serde_json::json!({ "candidates": [candidate] });
        (vec!["reflect".to_owned()], text.to_string())
    });
    for output in outputs {
        assert_eq!((output.stderr.as_str(), output.code), ("", 0), "{output}");
    }
    let listed =
        environment.run(VERGER, ["learn", "list", "-n", "0", "--json"], "").success().stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["problems"], serde_json::json!([]));
    let learnings = listed["learnings"].as_array().unwrap();
    assert_eq!(distinct(learnings, "/id"), REFLECTIONS);
    assert_eq!(distinct(learnings, "/summary"), REFLECTIONS);
    let text = environment.read(".verger/learnings.md");
    assert_eq!(text.matches("\n## ").count(), REFLECTIONS, "{text}");
    for (kind, name) in
        [("reflection.recorded", "/payload/learnings/0"), ("learning.stored", "/payload/learning")]
    {
        let records = records(&environment, kind);
        assert_eq!((records.len(), distinct(&records, name)), (REFLECTIONS, REFLECTIONS), "{kind}");
    }
    let stats = environment.read(".verger/stats.log");
    assert_eq!(stats.lines().count(), REFLECTIONS, "{stats}");
    assert_eq!(environment.run(VERGER, ["log", "verify"], "").code, 0);
}
