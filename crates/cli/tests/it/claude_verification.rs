//! The verification gate with the real client, without a person to ask. The agent runs the command
//! that it was shown to check its completion claim, and the problems reach the model.

use std::fs;

use serde_json::json;
use verger_testkit::{Reply, Request, Script, Version, in_each_version};

use crate::household::done;
use crate::review_stage::{ReviewStage, bash};

in_each_version! {
    done_is_refused_with_the_command_and_passes_when_it_was_run
    problems_reach_the_model_until_they_are_fixed
    an_agent_without_a_claim_stops_and_a_failed_test_asks
    a_claim_over_failing_tests_is_held_and_never_recorded_as_complete
    without_trust_a_claim_is_held_once_and_recorded_as_unverified
    in_mode_observe_a_claim_without_a_check_is_on_record
    work_in_a_worktree_that_the_client_makes_is_held
    work_in_another_working_tree_is_not_taken_for_none
}

const SETTINGS: &str = "[verification]\nmode = \"claims\"\ndepth = \"deep\"\ntests = { command = \
                        [\"judge\", \"tests\"] }\n";

/// Tests that pass if `work.txt` contains "right".
const JUDGE: &str = "#!/bin/sh\necho ran >> \"$HOME/count\"\ngrep -q right work.txt && exit 0\n\
                     echo 'work.txt:1: this is wrong'\nexit 1\n";

const REFUSED: &str = "Stop hook additional context: verger: do not stop yet: ";

fn stage(version: Version) -> ReviewStage {
    let stage = ReviewStage::with_settings(version, SETTINGS);
    let environment = &stage.household.environment;
    environment.write_program(environment.root().join("programs/judge"), JUDGE);
    done(stage.household.verger(&["trust", "--yes"]));
    stage
}

/// The model runs the last command that it was shown, word for word.
fn as_told(request: &Request) -> Reply {
    let text = request.body.to_string();
    let at = text.rfind("`verger verify --session ").unwrap();
    let command: String = text[at + 1..].chars().take_while(|c| *c != '`').collect();
    bash(&command)
}

fn ran(stage: &ReviewStage) -> usize {
    let count = stage.household.environment.home().join("count");
    fs::read_to_string(count).unwrap_or_default().lines().count()
}

fn done_is_refused_with_the_command_and_passes_when_it_was_run(version: Version) {
    let stage = stage(version);
    let script = Script::new()
        .step(stage.write("work.txt", "right\n"))
        .step(Reply::text("Done."))
        .step_with(as_told)
        .step(Reply::text("Done, and verified."));
    let played = stage.play("write work.txt", script);
    assert_eq!(played.run.answer(), "Done, and verified.");
    let told = played.told_main();
    assert!(told[1].starts_with(&format!("{REFUSED}this work was not verified yet")), "{told:#?}");
    assert!(told[1].contains("`verger verify --session SESSION --depth deep`"), "{told:#?}");
    assert!(!told[1].contains("verger release"), "{told:#?}");
    assert!(told[2].contains("green: deep verification of session SESSION"), "{told:#?}");
    assert_eq!((ran(&stage), stage.log().records("verification.recorded").len()), (1, 1));
    assert_eq!(
        stage.gate(),
        [
            "idle -> blocked: stop refused, number 1",
            "blocked: deep verification started",
            "blocked: deep verification is green",
            "blocked -> verified: nothing to verify",
        ]
    );
    let notice = &stage.notices(&played)[0];
    assert!(notice.ends_with("verger release verify --session SESSION"), "{notice}");
    played.assert_shows(version, notice);
}

fn problems_reach_the_model_until_they_are_fixed(version: Version) {
    let stage = stage(version);
    let script = Script::new()
        .step(stage.write("work.txt", "wrong\n"))
        .step(Reply::text("Done."))
        .step_with(as_told)
        .step(Reply::text("Done."))
        .step(stage.write("other.txt", "right\n"))
        .step(bash("cp other.txt work.txt"))
        .step_with(as_told)
        .step(Reply::text("Done, and verified."));
    let played = stage.play_allowed(&["Write", "Bash(cp:*)"], "write work.txt", script);
    assert_eq!(played.run.answer(), "Done, and verified.");
    let told = played.told_main();
    let issue = "work.txt:1: this is wrong";
    assert!(told[2].contains(issue), "what the command prints: {told:#?}");
    let red = format!("{REFUSED}the verification of this work is red");
    assert!(told[3].starts_with(&red) && told[3].contains(&format!("- {issue}")), "{told:#?}");
    assert_eq!(ran(&stage), 2);
    let last = stage.gate().pop();
    assert_eq!(last.as_deref(), Some("blocked -> verified: nothing to verify"));
}

fn an_agent_without_a_claim_stops_and_a_failed_test_asks(version: Version) {
    let stage = stage(version);
    let script = Script::new()
        .step(stage.write("work.txt", "right\n"))
        .step(Reply::text("Shall I commit it?"));
    let played = stage.play("write work.txt", script);
    assert_eq!((played.run.answer(), stage.gate()), ("Shall I commit it?", vec![]));
    let script = Script::new()
        .step(stage.write("Makefile", "test:\n\tfalse\n"))
        .step(bash("make test"))
        .step(Reply::text("Shall I look at it?"))
        .step_with(as_told)
        .step(Reply::text("Shall I look at it now?"));
    let played = stage.play_allowed(&["Write", "Bash(make:*)"], "write it", script);
    assert_eq!(played.run.answer(), "Shall I look at it now?");
    let told = played.told_main();
    assert!(told[2].contains("`make test` failed and has not succeeded since"), "{told:#?}");
    assert_eq!(stage.gate()[0], "idle: failed: make test");
}

const MAKEFILE: &str = "test:\n\t@echo 'FAIL total: expected 3, got 1'; exit 1\n";
const CLAIM: &str = "Done. All tests pass.";

/// The statuses of the recorded tasks.
fn tasks(stage: &ReviewStage) -> Vec<String> {
    let records = stage.log().records("task.recorded");
    let statuses = records.iter().map(|record| record["payload"]["status"].as_str().unwrap());
    statuses.map(str::to_owned).collect()
}

fn a_claim_over_failing_tests_is_held_and_never_recorded_as_complete(version: Version) {
    let stage = ReviewStage::with_settings(version, "[verification]\nmode = \"claims\"\n");
    done(stage.household.verger(&["trust", "--yes"]));
    let script = Script::new()
        .step(stage.write("Makefile", MAKEFILE))
        .step(Reply::text(CLAIM))
        .step_with(as_told)
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM));
    let played = stage.play("make the total right", script);
    let told = played.told_main();
    assert!(told[2].contains("red: quick verification of session SESSION"), "{told:#?}");
    let red = format!("{REFUSED}the verification of this work is red");
    let failed = "- FAIL total: expected 3, got 1 (tests (make))";
    assert!(told[3].starts_with(&red) && told[3].contains(failed), "{told:#?}");
    assert_eq!(
        stage.gate(),
        [
            "idle -> blocked: stop refused, number 1",
            "blocked: quick verification started",
            "blocked: quick verification is red",
            "blocked: stop refused, number 1",
            "blocked: stop refused, number 2",
            "blocked: stop refused, number 3",
            "blocked -> released: released by breaker",
        ]
    );
    assert_eq!(tasks(&stage), ["unverified"]);
}

fn without_trust_a_claim_is_held_once_and_recorded_as_unverified(version: Version) {
    let stage = ReviewStage::with_settings(version, "[verification]\nmode = \"claims\"\n");
    let script = Script::new()
        .step(stage.write("Makefile", MAKEFILE))
        .step(Reply::text(CLAIM))
        .step(Reply::text("Done. A person has to run verger trust."));
    let played = stage.play("make the total right", script);
    let told = played.told_main();
    let project = stage.household.environment.project().canonicalize().unwrap();
    let trust = format!("They run `verger trust` in {}", project.display());
    assert!(told[1].contains(&trust), "{told:#?}");
    assert!(told[1].contains("`verger verify --session SESSION --depth quick`"), "{told:#?}");
    assert_eq!(
        stage.gate(),
        ["idle -> blocked: stop refused, number 1", "blocked -> released: released by untrusted",]
    );
    let notices = stage.notices(&played);
    assert!(notices[0].contains("Run `verger trust` in"), "{notices:#?}");
    assert!(notices[1].starts_with("verger: WARNING: not verified."), "{notices:#?}");
    assert_eq!(tasks(&stage), ["unverified"]);
}

fn in_mode_observe_a_claim_without_a_check_is_on_record(version: Version) {
    let stage = ReviewStage::with_settings(version, "");
    let script = Script::new().step(stage.write("Makefile", MAKEFILE)).step(Reply::text(CLAIM));
    let played = stage.play("make the total right", script);
    assert_eq!(played.run.answer(), CLAIM);
    let why =
        "the agent wanted to stop without a green verification: this work was not verified yet";
    let changes = stage.log().records("gate.changed");
    let causes: Vec<_> = changes.iter().map(|record| &record["payload"]["cause"]).collect();
    assert_eq!(causes, [why]);
    assert_eq!((stage.notices(&played), tasks(&stage)), (vec![], vec!["unverified".to_owned()]));
    let status = stage.household.verger(&["status"]).stdout;
    let needs = format!("session {} claimed to be done without a green check", played.session);
    assert!(status.contains(&needs), "{status}");
}

/// A trusted project whose tests fail, for an agent that may run any command.
fn failing(version: Version) -> ReviewStage {
    let stage = ReviewStage::with_settings(version, "[verification]\nmode = \"claims\"\n");
    done(stage.household.verger(&["trust", "--yes"]));
    let environment = &stage.household.environment;
    environment.write("Makefile", MAKEFILE);
    for words in [&["add", "Makefile"][..], &["commit", "--quiet", "--message=Tests"]] {
        done(environment.run("git", words, ""));
    }
    stage
}

fn work_in_a_worktree_that_the_client_makes_is_held(version: Version) {
    let stage = failing(version);
    let script = Script::new()
        .step(Reply::tool_use("EnterWorktree", json!({ "name": "other" })))
        .step(bash("echo wrong > work.txt"))
        .step(Reply::text(CLAIM))
        .step_with(as_told)
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM))
        .step(Reply::text(CLAIM));
    let tools = ["EnterWorktree", "Bash"];
    let told = stage.play_allowed(&tools, "make the total right", script).told_main();
    assert!(told[3].contains("red: quick verification of session SESSION"), "{told:#?}");
    let held = stage.gate().into_iter().filter(|change| change.contains("refused")).count();
    assert_eq!((held, tasks(&stage)), (4, vec!["unverified".to_owned()]));
}

fn work_in_another_working_tree_is_not_taken_for_none(version: Version) {
    let stage = failing(version);
    let elsewhere = "git worktree add --quiet other && cd other && echo wrong > work.txt";
    let script = Script::new().step(bash(elsewhere)).step(Reply::text(CLAIM));
    let played = stage.play_allowed(&["Bash"], "make the total right", script);
    assert_eq!(played.run.answer(), CLAIM);
    let warning = "verger: WARNING: not verified. The agent stopped: verger could not compare";
    let notices = stage.notices(&played);
    assert!(notices.iter().any(|notice| notice.starts_with(warning)), "{notices:#?}");
    assert_eq!(tasks(&stage), ["unverified"]);
}
