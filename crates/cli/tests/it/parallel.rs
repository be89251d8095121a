//! Many processes at once in one project, each with the clock and the ids of its own.

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

/// Runs the program so many times at once, with the arguments and the input of each.
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

/// The records of a kind, as `trace --json` tells them.
fn records(environment: &TestEnvironment, kind: &str) -> Vec<Value> {
    let trace = environment.run(VERGER, ["trace", "1111", "--all", "--json"], "").success();
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
