//! The plugin's skills with the real client. An agent that follows a skill word for word gets the
//! promised result, without permission from a person.

use std::path::Path;

use serde_json::{Value, json};
use verger_memory::text::render;
use verger_testkit::{ClaudeCode, Reply, Request, Script, Upstream, Version, in_each_version};

use crate::household::{Household, done};
use crate::learned::learning;
use crate::review_stage::ReviewStage;

in_each_version! {
    a_note_is_left_as_the_skill_says
    a_reflection_is_handed_in_as_the_skill_says
    learnings_are_searched_as_the_skill_says
    fading_learnings_are_shown_and_not_changed
    work_is_verified_as_the_skill_says
}

/// The command that a skill shows, as the client passes it to the model.
fn shown_command(request: &Request) -> Reply {
    let command = request.text_between("```\nverger ", "\n```").unwrap();
    let session = request.session_id().unwrap();
    assert!(command.contains(&format!("--session {session}")), "{command}");
    Reply::tool_use("Bash", json!({ "command": format!("verger {command}") }))
}

const KNOWN: &str = "Every migration has a script that seeds it";

/// A home with verger, and a project with these learnings.
fn household(known: &[&str]) -> Household {
    let mut household = Household::new();
    household.environment.unset("VERGER_TEST_NOW_MS");
    let verger = Path::new(env!("CARGO_BIN_EXE_verger"));
    household.environment.find_programs_in(verger.parent().unwrap());
    let known: String =
        known.iter().map(|summary| render(&learning("known", 85, summary))).collect();
    household.environment.write(".verger/learnings.md", known);
    done(household.init(&[]));
    household
}

/// The records of a session whose agent reads a skill and runs the command that it shows.
fn follow(version: Version, skill: &str, known: &[&str]) -> Vec<Value> {
    let household = household(known);
    let upstream = Upstream::start(
        Script::new()
            .step(Reply::tool_use("Skill", json!({ "skill": format!("verger:{skill}") })))
            .step_with(shown_command)
            .step(Reply::text("Done.")),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("go").run(&household.environment, &upstream).success();
    upstream.finish();
    assert_eq!(run.answer(), "Done.");
    let trace =
        household.verger(&["session", "trace", "--jsonl", run.session_id()]).success().stdout;
    trace
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["record"].take())
        .collect()
}

fn a_note_is_left_as_the_skill_says(version: Version) {
    let records = follow(version, "observe", &[]);
    let notes: Vec<_> =
        records.iter().filter(|record| record["kind"] == "observation.recorded").collect();
    assert_eq!(notes.len(), 1, "{records:#?}");
    assert_eq!(notes[0]["payload"]["text"], "what you found out, in a sentence or two");
}

fn a_reflection_is_handed_in_as_the_skill_says(version: Version) {
    let records = follow(version, "reflect", &[]);
    let reflections: Vec<_> =
        records.iter().filter(|record| record["kind"] == "reflection.recorded").collect();
    assert_eq!(reflections.len(), 1, "{records:#?}");
    let kept = &reflections[0]["payload"]["kept"];
    let summary = "The seed script needs the migrations to have run first";
    assert_eq!(kept[0]["summary"], summary, "{reflections:#?}");
}

fn learnings_are_searched_as_the_skill_says(version: Version) {
    let records = follow(version, "search", &[KNOWN]);
    let answers = records.iter().filter(|record| record["kind"] == "tool.succeeded");
    let answers: Vec<_> = answers.map(|record| record["payload"].to_string()).collect();
    let found = format!("learn-known  {KNOWN}");
    assert!(answers.iter().any(|answer| answer.contains(&found)), "{records:#?}");
}

fn fading_learnings_are_shown_and_not_changed(version: Version) {
    let household = household(&[KNOWN]);
    let archive = "verger learn archive learn-known --yes";
    let upstream = Upstream::start(
        Script::new()
            .step_with(move |request| {
                assert!(request.mentions(KNOWN));
                Reply::tool_use("Bash", json!({ "command": archive }))
            })
            .step(Reply::text("Done.")),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("/verger:maintain").run(&household.environment, &upstream).success();
    upstream.finish();
    assert_eq!(run.answer(), "Done.");
    let kept = household.verger(&["learn", "list"]).success().stdout;
    assert!(kept.starts_with("learn-known"), "{kept}");
}

fn work_is_verified_as_the_skill_says(version: Version) {
    let settings = "[verification]\ndepth = \"deep\"\ntests = { command = [\"judge\"] }\n";
    let stage = ReviewStage::with_settings(version, settings);
    let environment = &stage.household.environment;
    let judge =
        "#!/bin/sh\ngrep -q right work.txt && exit\necho 'work.txt:1: this is wrong'\nexit 1\n";
    environment.write_program(environment.root().join("programs/judge"), judge);
    done(stage.household.verger(&["trust", "--yes"]));
    let script = Script::new()
        .step(stage.write("work.txt", "wrong\n"))
        .step(Reply::tool_use("Skill", json!({ "skill": "verger:verify" })))
        .step_with(shown_command)
        .step(stage.write("work.txt", "right\n"))
        .step_with(shown_command)
        .step(Reply::text("Verified."));
    let played = stage.play("write work.txt", script);
    assert_eq!(played.run.answer(), "Verified.");
    let told = played.told_main();
    assert!(told[2].contains("red: deep verification of session SESSION"), "{told:#?}");
    assert!(told[2].contains("work.txt:1: this is wrong"), "{told:#?}");
    assert!(told[4].contains("green: deep verification of session SESSION"), "{told:#?}");
    let recorded = stage.log().records("verification.recorded");
    let found: Vec<_> = recorded.iter().map(|record| &record["payload"]["status"]).collect();
    assert_eq!(found, ["red", "green"]);
}
