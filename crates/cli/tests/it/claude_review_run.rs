//! A reviewer that verger runs, with the real client in its default permission mode.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use verger_testkit::{Reply, Request, Script, Version, in_each_version};

use crate::review_stage::{ReviewStage, verger};

in_each_version! {
    what_a_program_finds_reaches_the_agent_and_its_approval_lets_it_go
    a_review_outlives_the_command_that_the_client_ends
}

const COMPLETE: &str = r#"echo '{"decision":"complete","summary":"two it is"}'"#;
const ISSUES: &str = r#"echo '{"decision":"issues","summary":"one is not enough","message":"work.txt:1: write two"}'"#;

/// A client whose user set this reviewer, outside of the project.
fn stage(version: Version, script: &str) -> (ReviewStage, PathBuf) {
    let stage = ReviewStage::new(version);
    let environment = &stage.household.environment;
    let home = environment.home();
    let program = environment.root().join("reviewers/reviewer");
    environment.write_program(&program, format!("#!/bin/sh\n{script}\n"));
    let settings = format!("[review]\nreviewer = {{ command = [{program:?}, \"--strict\"] }}\n");
    environment.write(home.join(".config/verger/config.toml"), settings);
    (stage, home)
}

fn what_a_program_finds_reaches_the_agent_and_its_approval_lets_it_go(version: Version) {
    let script = format!("if grep -q '^+two$'; then {COMPLETE}; else {ISSUES}; fi");
    let (stage, _) = stage(version, &script);
    let script = Script::new()
        .step(stage.write("work.txt", "one\n"))
        .step(Reply::text("Done."))
        .step_with(verger("review run"))
        .step(stage.write("work.txt", "two\n"))
        .step_with(verger("review run"))
        .step(Reply::text("Reviewed."));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");

    let told = played.told_main();
    assert!(told[1].contains("verger review run --session SESSION"), "{told:#?}");
    let found = "issues: one is not enough\nwork.txt:1: write two\n";
    assert!(told[2].contains(found), "{told:#?}");
    assert!(told[4].contains("complete: two it is\n"), "{told:#?}");
    assert_eq!(
        stage.gate(),
        [
            "idle -> pending: review wanted by a prompt with #review",
            "pending -> blocked: stop refused, number 1",
            "blocked: command started to review",
            "blocked: reviewer exited with 0",
            "blocked -> pending: reviewer decided issues",
            "pending: command started to review",
            "pending: reviewer exited with 0",
            "pending -> approved: reviewer decided complete",
        ]
    );
}

/// The client ends what its shell runs for too long, with everything below it.
fn a_review_outlives_the_command_that_the_client_ends(version: Version) {
    let held = format!("read word < \"$HOME/word.fifo\"; {COMPLETE}");
    let (mut stage, home) = stage(version, &held);
    // Otherwise it goes on in the background.
    stage.household.environment.set("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
    let word = home.join("word.fifo");
    assert_eq!(stage.household.environment.run("mkfifo", [&word], "").code, 0);
    let impatient = |request: &Request| {
        let command = format!("verger review run --session {}", request.session_id().unwrap());
        Reply::tool_use("Bash", json!({ "command": command, "timeout": 3000 }))
    };
    let again = move |request: &Request| {
        // Opening waits for the reviewer to listen: it is still there.
        fs::write(&word, "go\n").unwrap();
        verger("review run")(request)
    };
    let script = Script::new()
        .step(stage.write("work.txt", "two\n"))
        .step(Reply::text("Done."))
        .step_with(impatient)
        .step_with(again)
        .step(Reply::text("Reviewed."));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");
    let told = played.told_main();
    assert!(told[2].contains("timed out"), "{told:#?}");
    let waited = "verger: the reviewer looks at the work already\ncomplete: two it is\n";
    assert!(told[3].starts_with(waited), "{told:#?}");
    let started = stage.gate().into_iter().filter(|line| line.contains("started")).count();
    assert_eq!(started, 1);
}
