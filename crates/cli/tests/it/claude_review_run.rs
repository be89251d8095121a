//! A reviewer that verger runs, and a client that kills the command that waits for the reviewer.

use std::fs;

use serde_json::json;
use verger_testkit::{Reply, Request, Script, Version, in_each_version};

use crate::review_stage::{ReviewStage, verger};

in_each_version! {
    a_review_outlives_the_command_that_the_client_ends
}

const REVIEWER: &str = r#"#!/bin/sh
read word < "$HOME/word.fifo"
echo '{"decision":"complete","summary":"it is there"}'
"#;

fn a_review_outlives_the_command_that_the_client_ends(version: Version) {
    let settings = "[review]\nreviewer = { command = [\"judge\"] }\n";
    let mut stage = ReviewStage::with_settings(version, settings);
    // Otherwise the client continues the command in the background.
    stage.household.environment.set("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
    let environment = &stage.household.environment;
    environment.write_program(environment.root().join("programs/judge"), REVIEWER);
    let word = environment.home().join("word.fifo");
    assert_eq!(environment.run("mkfifo", [&word], "").code, 0);
    let impatient = |request: &Request| {
        let command = format!("verger review run --session {}", request.session_id().unwrap());
        Reply::tool_use("Bash", json!({ "command": command, "timeout": 5000 }))
    };
    let again = move |request: &Request| {
        // Opening the pipe blocks until the reviewer opens it too, so the reviewer still runs.
        fs::write(&word, "go\n").unwrap();
        verger("review run")(request)
    };
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step_with(impatient)
        .step_with(again)
        .step(Reply::text("Reviewed."));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");
    let told = played.told_main();
    assert!(told[2].contains("timed out"), "{told:#?}");
    let waited = "verger: a review of the work is running already\ncomplete: it is there\n";
    assert!(told[3].starts_with(waited), "{told:#?}");
    let started = stage.gate().into_iter().filter(|line| line.contains("started")).count();
    assert_eq!(started, 1);
}
