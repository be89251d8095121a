//! What tool calls are taken for.

use serde_json::{Value, json};
use verger_drift::step::{Action, CommandKind, Outcome, Step};

fn step(tool: &str, input: &Value, output: &str) -> Step {
    let outcome = Outcome { failed: !output.is_empty(), output };
    Step::of_call(tool, input, outcome, Some("/home/dev/app"))
}

#[test]
fn a_call_is_an_action_on_files() {
    let cases = [
        ("Edit", json!({"file_path": "/home/dev/app/src/a.rs"}), Action::Edit, "src/a.rs", "src"),
        ("Write", json!({"file_path": "b.rs", "content": "x"}), Action::Write, "b.rs", ""),
        ("Read", json!({"file_path": "./c/d.rs"}), Action::Read, "c/d.rs", "c"),
        ("Grep", json!({"pattern": "x", "path": "src"}), Action::Grep, "src", ""),
        ("Glob", json!({"pattern": "**/*.rs"}), Action::Glob, "", ""),
        ("Bash", json!({"command": "rm src/a.rs"}), Action::Bash, "src/a.rs", "src"),
        ("Task", json!({"prompt": "look"}), Action::Task, "", ""),
        ("mcp__x__y", json!(null), Action::Other, "", ""),
        ("Edit", json!({"file_path": 3}), Action::Edit, "", ""),
    ];
    for (tool, input, action, files, folders) in cases {
        let step = step(tool, &input, "");
        let found = (step.action, step.files.join(" "), step.folders.join(" "));
        assert_eq!(found, (action, files.to_owned(), folders.to_owned()), "{tool} {input}");
    }
}

#[test]
fn a_step_holds_the_words_of_a_change_and_not_its_text() {
    let edit = json!({
        "file_path": "a.rs",
        "old_string": "let retries = config.retries;",
        "new_string": "let retries = config.retries.min(LIMIT);",
    });
    let step = step("Edit", &edit, "");
    let of = |words: &std::collections::BTreeSet<String>| words.iter().cloned().collect::<Vec<_>>();
    assert_eq!(
        (of(&step.changed), of(&step.around)),
        (vec!["limit".to_owned(), "min".to_owned()], {
            ["config", "let", "retr"].map(str::to_owned).to_vec()
        })
    );
}

#[test]
fn an_output_names_files_and_is_known_again() {
    let run = |output: &str| step("Bash", &json!({"command": "cargo test"}), output);
    let first = run("src/a.rs:3: expected 1, got 2\nfinished in 0.31s");
    assert_eq!((first.outlook.files.join(" "), first.failed), ("src/a.rs".to_owned(), true));
    assert_eq!(first.commands[0].kind, CommandKind::Tests);
    let again = run("src/a.rs:3: expected 1, got 2\nfinished in 0.52s");
    let other = run("src/a.rs:3: expected 1, got 3\nfinished in 0.31s");
    assert_eq!(first.outlook.mark, again.outlook.mark);
    assert_ne!(first.outlook.mark, other.outlook.mark);
    let mark = |output: &str| run(output).outlook.mark;
    assert_eq!(mark("a.ts(88,5): error TS2322"), mark("a.ts(89,5): error TS2322"));
    assert_eq!(mark("E0502 --> src/a.rs:40:2"), mark("E0502 --> src/a.rs:41:9"));
    assert_ne!(mark("2 failed (of 9)"), mark("3 failed (of 9)"));
    assert_eq!(mark("assert 0.00019 == 0.0002"), mark("assert 0.00021 == 0.0002"));
}

#[test]
fn some_calls_only_take_away() {
    let takes_away = |tool: &str, input: Value| step(tool, &input, "").takes_away;
    assert!(takes_away("Edit", json!({"old_string": "keep gone", "new_string": "keep"})));
    assert!(takes_away("Bash", json!({"command": "git checkout -- src && rm src/cdn.tf"})));
    assert!(!takes_away("Bash", json!({"command": "rm src/a.rs; echo x > src/b.rs"})));
    assert!(!takes_away("Bash", json!({"command": "git checkout -- src"})));
}

#[test]
fn some_calls_decide_what_follows() {
    let decides = |tool: &str, input: Value| step(tool, &input, "").is_key_decision();
    assert!(decides("Write", json!({"file_path": "new.rs"})));
    assert!(decides("Bash", json!({"command": "npm install left-pad"})));
    assert!(decides("Bash", json!({"command": "git commit -m x"})));
    assert!(!decides("Edit", json!({"file_path": "old.rs"})));
    assert!(!decides("Bash", json!({"command": "ls"})));
    let failed = step("Bash", &json!({"command": "git commit -m x"}), "nothing to commit");
    assert!(!failed.is_key_decision());
}
