//! The real client runs `verger verify`. The timeout of the client's shell does not end the checks.
//! If the worktree is not trusted, the command needs permission.

use std::fs;

use serde_json::{Value, json};
use verger_testkit::{Reply, Request, Script, Version, in_each_version};

use crate::household::done;
use crate::review_stage::{ReviewStage, bash, verger};

in_each_version! {
    checks_outlive_the_command_that_the_client_ends
    an_agent_needs_leave_where_the_worktree_is_not_trusted
    in_a_sandbox_it_runs_where_the_user_lets_it_out
}

const SETTINGS: &str =
    "[verification]\ndepth = \"deep\"\ntests = { command = [\"judge\", \"tests\"] }\n";

/// Tests that wait until the Rust test writes to a pipe, for any time.
const JUDGE: &str = "#!/bin/sh\nread word < \"$HOME/word.fifo\"\necho ran >> \"$HOME/count\"\n";

fn stage(version: Version, judge: &str) -> ReviewStage {
    let stage = ReviewStage::with_settings(version, SETTINGS);
    let environment = &stage.household.environment;
    environment.write_program(environment.root().join("programs/judge"), judge);
    stage
}

fn checks_outlive_the_command_that_the_client_ends(version: Version) {
    let mut stage = stage(version, JUDGE);
    // Otherwise the client continues the command in the background.
    stage.household.environment.set("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
    done(stage.household.verger(&["trust", "--yes"]));
    let environment = &stage.household.environment;
    let word = environment.home().join("word.fifo");
    assert_eq!(environment.run("mkfifo", [&word], "").code, 0);
    let impatient = |request: &Request| {
        let command = format!("verger verify --session {}", request.session_id().unwrap());
        Reply::tool_use("Bash", json!({ "command": command, "timeout": 5000 }))
    };
    let again = move |request: &Request| {
        // Opening the pipe blocks until the tests open it too, so the tests still run.
        fs::write(&word, "go\n").unwrap();
        verger("verify")(request)
    };
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step_with(impatient)
        .step_with(again)
        .step_with(verger("verify"))
        .step(Reply::text("It is there."));
    let played = stage.play("write work.txt", script);
    assert_eq!(played.run.answer(), "It is there.");
    let told = played.told_main();
    assert!(told[1].contains("timed out"), "{told:#?}");
    assert!(told[2].contains("green: deep verification of session SESSION"), "{told:#?}");
    let known = "no command was run: the work did not change since it was verified";
    assert!(told[3].contains(known), "{told:#?}");
    let home = stage.household.environment.home();
    assert_eq!(fs::read_to_string(home.join("count")).unwrap(), "ran\n");
    assert_eq!(stage.log().records("verification.recorded").len(), 1);
}

fn an_agent_needs_leave_where_the_worktree_is_not_trusted(version: Version) {
    let stage = stage(version, "#!/bin/sh\necho ran >> \"$HOME/count\"\n");
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(bash("verger verify --plan"))
        .step_with(verger("verify"))
        .step(Reply::text("I may not."));
    let played = stage.play("write work.txt", script);
    assert_eq!(played.run.answer(), "I may not.");
    let told = played.told_main();
    assert!(told[1].contains("judge tests (from setting verification.tests)"), "{told:#?}");
    assert!(told[2].contains("requires approval"), "{told:#?}");
    assert!(!stage.household.environment.home().join("count").exists());
}

/// Sandboxes all of the agent's commands, except these.
fn sandbox(stage: &ReviewStage, except: &[&str]) {
    let path = stage.household.settings();
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let sandbox = json!({
        "enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": except,
    });
    settings["sandbox"] = sandbox;
    fs::write(path, settings.to_string()).unwrap();
}

fn in_a_sandbox_it_runs_where_the_user_lets_it_out(version: Version) {
    let stage = stage(version, "#!/bin/sh\necho ran >> \"$HOME/count\"\n");
    done(stage.household.verger(&["trust", "--yes"]));
    let verified = |except: &[&str]| {
        sandbox(&stage, except);
        let script = Script::new().step_with(verger("verify")).step(Reply::text("That is all."));
        let played = stage.play("verify it", script);
        played.told_main()[0].clone()
    };
    let told = verified(&[]);
    let sealed = "cannot save a verification: verger's data cannot be written from here";
    assert!(told.contains(sealed) && told.contains("outside of the sandbox"), "{told}");
    let told = verified(&["verger verify:*"]);
    assert!(told.contains("green: deep verification of session SESSION"), "{told}");
    assert_eq!(stage.log().records("verification.recorded").len(), 1);
}
