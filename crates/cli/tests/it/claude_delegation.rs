//! Delegation with the real client: a conductor that works itself is stopped, but its subagent is
//! not.

use serde_json::json;
use verger_testkit::{Reply, Rule, Script, Version, in_each_version};

use crate::review_stage::{Played, ReviewStage, start_agent};

in_each_version! {
    the_fifth_edit_of_a_conductor_is_denied_and_its_subagents_is_not
    the_environment_says_who_works
}

/// A project's settings that turn delegation on. The user has no such settings.
const ON: &str = "[delegation]\nmode = \"enforce\"\nmarker = \".claude/.conductor-session\"\n";

const DENIED: &str = "verger: this did not run: you are the conductor here, and this is use 5 of a work \
                      tool in 10 minutes without delegating. Give the work to a subagent that you start";

fn stage(version: Version) -> ReviewStage {
    let stage = ReviewStage::new(version);
    stage.household.environment.write(".verger/config.toml", ON);
    stage
}

/// The files that exist after the session.
fn written(stage: &ReviewStage) -> Vec<String> {
    let is_there = |name: &String| stage.household.environment.project().join(name).exists();
    (1..=11).map(|number| format!("{number}.txt")).filter(is_there).collect()
}

/// Whether each of the main agent's calls was denied.
fn denials(played: &Played) -> Vec<bool> {
    played.told_main().iter().map(|told| told.contains(DENIED)).collect()
}

fn the_fifth_edit_of_a_conductor_is_denied_and_its_subagents_is_not(version: Version) {
    let stage = stage(version);
    stage.household.environment.write(".claude/.conductor-session", "");
    let write = |number: usize| stage.write(&format!("{number}.txt"), "x\n");
    let script = (1..=5).map(write).fold(Script::new(), Script::step);
    let subagent = (5..=10).map(write).fold(Rule::subagent(), Rule::step);
    let script = script
        .step(start_agent("general-purpose", Some(false)))
        .step(write(11))
        .step(Reply::text("Done."))
        .rule(subagent.step(Reply::text("Written.")));
    let played = stage.play("go", script);
    assert_eq!(played.run.answer(), "Done.");
    let [no, yes] = [false, true];
    assert_eq!(denials(&played), [no, no, no, no, yes, no, no], "{:#?}", played.told_main());
    let by_subagent = played.told_subagent();
    assert_eq!(by_subagent.len(), 6, "{by_subagent:#?}");
    assert!(by_subagent.iter().all(|told| told.starts_with("File created")), "{by_subagent:#?}");
    assert_eq!(written(&stage), (1..=11).map(|number| format!("{number}.txt")).collect::<Vec<_>>());
    assert_eq!(
        stage.denials("delegation"),
        ["an agent that should delegate used work tools too often"],
    );
    let reminders = stage.log().records("context.injected");
    let reminded: Vec<_> = reminders
        .iter()
        .filter(|record| record["payload"]["sources"] == json!(["delegation"]))
        .collect();
    assert_eq!(reminded.len(), 2, "the third and the fourth: {reminders:#?}");
    let request = played.main()[3].body.to_string();
    assert!(request.contains("This is use 3 of a work tool in 10 minutes"), "{request}");
}

fn the_environment_says_who_works(version: Version) {
    let stage = stage(version);
    stage.household.environment.write(".claude/.conductor-session", "");
    let write = |number: usize| stage.write(&format!("{number}.txt"), "x\n");
    let script = (1..=6).map(write).fold(Script::new(), Script::step).step(Reply::text("Done."));
    let print = stage.client.print("go").allowed_tools(["Write"]).env("AGENT_ROLE", "musician");
    let played = stage.play_print(print, script);
    assert_eq!(denials(&played), [false; 6], "{:#?}", played.told_main());
    assert_eq!(written(&stage).len(), 6);
}
