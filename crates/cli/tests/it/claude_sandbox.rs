//! The real client with its own sandbox. An agent's command can't write verger's data there, but a
//! gate can still be satisfied without permission from a person.

use std::fs;

use serde_json::{Value, json};
use verger_memory::EXAMPLE;
use verger_testkit::{Reply, Request, Rule, Script, StandIn, Version, in_each_version};

use crate::review_stage::{ReviewStage, approve, bash, reviewer, verger};

in_each_version! {
    a_reflection_is_recorded_by_the_hook
    a_reviewer_can_look_and_decide
}

/// A stage on which all of the agent's commands are sandboxed.
fn sandboxed(version: Version, settings: &str) -> ReviewStage {
    let stage = ReviewStage::with_settings(version, settings);
    let path = stage.household.settings();
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    settings["sandbox"] = json!({ "enabled": true, "allowUnsandboxedCommands": false });
    fs::write(path, settings.to_string()).unwrap();
    stage
}

/// The text that a command prints in the sandbox, and the text that the hook adds after it ran the
/// command outside.
const LEFT: &str = "left to verger's hook";
const RAN: &str = "hook additional context: verger: the hook ran this outside of the sandbox";

#[track_caller]
fn assert_mentions(request: &Request, texts: &[&str]) {
    for text in texts {
        assert!(request.mentions(text), "{text}: {:#}", request.body["messages"]);
    }
}

fn a_reflection_is_recorded_by_the_hook(version: Version) {
    let mut stage = sandboxed(version, "learning.auto_skip = false\n");
    let beads = StandIn::beads(&mut stage.household.environment);
    beads.ticket("bd-1", "in_progress", "Fix the parser", "It fails on empty files.");
    let script = Script::new()
        .step(stage.write("parser.rs", "fn parse() {}\n"))
        .step(bash("bd close bd-1"))
        .step(Reply::text("Done."))
        .step(bash("verger reflect <<'EOF'\n{}\nEOF"))
        .step(bash(&format!("verger reflect <<'EOF'\n{EXAMPLE}\nEOF")))
        .step(Reply::text("Written down."));
    let played = stage.play_allowed(&["Write", "Bash(bd close:*)"], "do bd-1", script);
    assert_eq!(played.run.answer(), "Written down.");
    let told = played.told_main();
    assert!(told[3].contains(LEFT) && told[3].contains("reflection rejected"), "{told:#?}");
    assert!(told[4].starts_with(LEFT), "{told:#?}");
    let requests = played.main();
    assert_mentions(requests[requests.len() - 2], &[RAN, "reflection rejected"]);
    assert_mentions(requests[requests.len() - 1], &["PostToolUse:Bash", RAN, "accepted 1 of 1"]);
    let gate = stage.gate();
    let ends = ["blocked -> reflected: reflection recorded: 1 kept, 0 rejected"];
    assert!(gate.ends_with(&ends.map(str::to_owned)), "{gate:#?}");
    assert_eq!(stage.log().records("reflection.recorded").len(), 1);
}

fn a_reviewer_can_look_and_decide(version: Version) {
    let stage = sandboxed(version, "");
    // Without this file, 2.1.325 adds a rule to it at the first sandboxed command on a machine.
    // Ignore rules are part of the reviewed content.
    let ignored = stage.household.environment.home().join(".config/git/ignore");
    stage.household.environment.write(ignored, "**/.claude/\n");
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step(reviewer())
        .step(Reply::text("Reviewed."))
        .rule(approve(Rule::subagent().step_with(verger("context"))));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");
    let told = played.told_subagent();
    assert!(told[0].contains("#review write work.txt"), "{told:#?}");
    assert!(told[1].starts_with(LEFT), "{told:#?}");
    let gate = stage.gate();
    let ends = ["blocked -> approved: reviewer decided complete"];
    assert!(gate.ends_with(&ends.map(str::to_owned)), "{gate:#?}");
}
