//! The plugin's skills with the real client: an agent that does what one says, word for word and
//! without leave from anybody, gets what it promises.

use std::path::Path;

use serde_json::{Value, json};
use verger_testkit::{ClaudeCode, Reply, Request, Script, Upstream, Version, in_each_version};

use crate::household::{Household, done};

in_each_version! {
    a_note_is_left_as_the_skill_says
    a_reflection_is_handed_in_as_the_skill_says
}

/// The command that a skill shows, as the client hands it to the model.
fn shown_command(request: &Request) -> Reply {
    let command = request.text_between("```\nverger ", "\n```").unwrap();
    let session = request.session_id().unwrap();
    assert!(command.contains(&format!("--session {session}")), "{command}");
    Reply::tool_use("Bash", json!({ "command": format!("verger {command}") }))
}

/// What is recorded of a session whose agent reads a skill and runs what it shows.
fn follow(version: Version, skill: &str) -> Vec<Value> {
    let mut household = Household::new();
    household.environment.unset("VERGER_TEST_NOW_MS");
    let verger = Path::new(env!("CARGO_BIN_EXE_verger"));
    household.environment.find_programs_in(verger.parent().unwrap());
    done(household.init(&[]));
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
    let trace = household.verger(&["trace", "--json", run.session_id()]).success().stdout;
    trace
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["record"].take())
        .collect()
}

fn a_note_is_left_as_the_skill_says(version: Version) {
    let records = follow(version, "observe");
    let notes: Vec<_> =
        records.iter().filter(|record| record["kind"] == "observation.recorded").collect();
    assert_eq!(notes.len(), 1, "{records:#?}");
    assert_eq!(notes[0]["payload"]["text"], "what you found out, in a sentence or two");
}

fn a_reflection_is_handed_in_as_the_skill_says(version: Version) {
    let records = follow(version, "reflect");
    let reflections: Vec<_> =
        records.iter().filter(|record| record["kind"] == "reflection.recorded").collect();
    assert_eq!(reflections.len(), 1, "{records:#?}");
    let kept = &reflections[0]["payload"]["kept"];
    let summary = "The seed script needs the migrations to have run first";
    assert_eq!(kept[0]["summary"], summary, "{kept:#?}");
}
