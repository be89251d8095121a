//! Large pieces of work as good agents do them, with tests, commits, lists and documents in between.

use serde_json::{Value, json};

use crate::session::Session;

const SESSIONS: &str = include_str!("../corpus/good-sessions.txt");

/// A course is scored after so many calls, if nobody wants it otherwise.
const INTERVAL: usize = 3;

/// The least that a course was worth when it was scored, and the step before that.
struct Worst<'a> {
    score: u8,
    line: &'a str,
}

/// Plays what is written down, a line a step.
fn worst(lines: &str) -> Worst<'_> {
    let mut worst = Worst { score: 10, line: "" };
    let mut session = Session::default();
    for (calls, line) in lines.lines().filter(|line| !line.is_empty()).enumerate() {
        session = step(session, line);
        if !calls.is_multiple_of(INTERVAL) {
            continue;
        }
        let score = session.0.assess().score.get();
        if score < worst.score {
            worst = Worst { score, line };
        }
    }
    worst
}

fn step(session: Session, line: &str) -> Session {
    let (verb, rest) = line.split_once(' ').unwrap();
    let texts: Vec<String> = rest.split(" | ").map(|text| text.replace("\\n", "\n")).collect();
    match (verb, texts.as_slice()) {
        ("says", [prompt]) => session.says(prompt),
        ("plans", items) => session.does("TodoWrite", &todos(items), None),
        ("reads", [file]) => session.reads(file),
        ("greps", [pattern]) => session.greps(pattern),
        ("edits", [file, old]) => session.edits(file, old, ""),
        ("edits", [file, old, new]) => session.edits(file, old, new),
        ("writes", [file, content]) => session.writes(file, content),
        ("runs", [line]) => session.runs(line),
        ("runs", [line, output]) => session.prints(line, output),
        ("fails", [line, output]) => session.fails(line, output),
        _ => panic!("{line}"),
    }
}

/// `x done`, `> begun`, `- open`
fn todos(items: &[String]) -> Value {
    let todo = |item: &String| {
        let (mark, content) = item.split_once(' ').unwrap();
        let status = match mark {
            "x" => "completed",
            ">" => "in_progress",
            _ => "pending",
        };
        json!({ "content": content, "status": status })
    };
    json!({ "todos": items.iter().map(todo).collect::<Vec<_>>() })
}

#[test]
fn large_work_with_tests_that_succeed_in_between_is_on_course() {
    let corrected: Vec<String> = SESSIONS
        .split("\n\n")
        .filter_map(|session| {
            let (title, lines) = session.split_once('\n').unwrap();
            let Worst { score, line } = worst(lines);
            (score < 8).then(|| format!("{title}: {score} after {line}"))
        })
        .collect();
    assert_eq!(corrected, Vec::<String>::new());
}
