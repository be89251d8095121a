//! The learning gate with the real client: closing tickets successfully or not, and the conditions
//! for stopping afterwards.

use serde_json::json;
use verger_testkit::{Misbehaviour, Reply, Rule, Script, StandIn, Usage, Version, in_each_version};

use crate::review_stage::{Played, ReviewStage, bash, start_agent, verger};

in_each_version! {
    an_agent_that_closed_a_ticket_is_asked_and_may_skip
    a_close_that_failed_or_was_refused_asks_for_nothing
    a_subagents_close_and_note_reach_the_main_agent
    an_owed_reflection_outlives_a_compaction
    without_tickets_a_large_change_is_asked_for_and_a_tiny_one_is_not
    the_agents_own_list_is_asked_for_when_its_last_item_is_done
}

const ASKED: &str = "Stop hook additional context: verger: do not stop yet: beads bd-1 was closed, and you have not written down what you learned from this work.\n";
const SKIP: &str = "skip --gate learning --reason 'it was known'";
const CLOSE: &[&str] = &["Write", "Bash(bd close:*)"];

/// A stage on which `bd-1` is in progress.
fn ticketed(version: Version) -> (ReviewStage, StandIn) {
    let mut stage = ReviewStage::new(version);
    let beads = StandIn::beads(&mut stage.household.environment);
    beads.ticket("bd-1", "in_progress", "Fix the parser", "It fails on empty files.");
    (stage, beads)
}

fn long() -> String {
    "one more line\n".repeat(20)
}

#[track_caller]
fn assert_asked(played: &Played, turn: usize) {
    let told = played.told_main();
    assert!(told[turn].starts_with(ASKED), "{told:#?}");
}

/// The skip is allowed although no person can give permission, because agents may run this command.
fn an_agent_that_closed_a_ticket_is_asked_and_may_skip(version: Version) {
    let (stage, beads) = ticketed(version);
    let script = Script::new()
        .step(stage.write("parser.rs", &long()))
        .step(bash("bd close bd-1 --reason done"))
        .step(Reply::text("Done."))
        .step_with(verger(SKIP))
        .step(Reply::text("Nothing new."));
    let played = stage.play_allowed(CLOSE, "do bd-1", script);
    assert_eq!((played.run.answer(), beads.status("bd-1").as_str()), ("Nothing new.", "closed"));
    assert_asked(&played, 2);
    assert!(played.told_main()[3].contains("released: the learning gate"));
    assert_eq!(
        stage.gate(),
        [
            "idle -> active: current ticket: beads bd-1",
            "active -> pending: closing beads bd-1",
            "pending: closed beads bd-1",
            "pending -> blocked: stop refused, number 1",
            "blocked -> skipped: skipped by agent",
        ]
    );
}

fn a_close_that_failed_or_was_refused_asks_for_nothing(version: Version) {
    let (stage, beads) = ticketed(version);
    beads.misbehave("close", Misbehaviour::Fail);
    let script = Script::new()
        .step(stage.write("parser.rs", &long()))
        .step(bash("bd close bd-1"))
        // The client refuses this command, because it has no permission.
        .step(bash("bd update bd-1 --status closed"))
        .step(Reply::text("I could not close it."));
    let played = stage.play_allowed(CLOSE, "do bd-1", script);
    assert_eq!(played.run.answer(), "I could not close it.");
    assert_eq!(
        stage.gate(),
        [
            "idle -> active: current ticket: beads bd-1",
            "active -> pending: closing beads bd-1",
            "pending -> active: close failed: beads bd-1",
            "active -> pending: closing beads bd-1",
            "pending -> active: close refused: beads bd-1",
            "active -> idle: the session ended without closing a ticket",
        ]
    );
}

fn a_subagents_close_and_note_reach_the_main_agent(version: Version) {
    let (stage, _) = ticketed(version);
    let subagent = Rule::subagent()
        .step_with(verger("observe 'the lexer eats the BOM' --author lexer-expert"))
        .step(bash("bd close bd-1"))
        .step(Reply::text("The parser is fixed."));
    let script = Script::new()
        .step(stage.write("parser.rs", &long()))
        .step(start_agent("general-purpose", Some(false)))
        .step(Reply::text("Done."))
        .step_with(verger(SKIP))
        .step(Reply::text("Nothing new."))
        .rule(subagent);
    let played = stage.play_allowed(CLOSE, "have bd-1 done", script);
    assert_eq!(played.run.answer(), "Nothing new.");
    assert_asked(&played, 2);
    let told = &played.told_main()[2];
    for expected in [
        "\n- note by lexer-expert: the lexer eats the BOM\n",
        "\n- reported by general-purpose: The parser is fixed.",
    ] {
        assert!(told.contains(expected), "{told}");
    }
}

fn an_owed_reflection_outlives_a_compaction(version: Version) {
    let (stage, _) = ticketed(version);
    let full = Usage { input_tokens: 180_000, ..Usage::default() };
    let script = Script::new()
        .step(stage.write("parser.rs", &long()))
        .step(bash("bd close bd-1").usage(full))
        .step(Reply::text("Done."))
        .step_with(verger(SKIP))
        .step(Reply::text("Nothing new."))
        .rule(Rule::compaction().step(Reply::text("<summary>bd-1 is closed.</summary>")));
    let print = stage.client.print("do bd-1").small_context().allowed_tools(CLOSE);
    let played = stage.play_print(print, script);
    assert_eq!(played.run.answer(), "Nothing new.");
    assert_eq!(stage.log().records("compaction.ended").len(), 1);
    let kept = stage.log().records("context.injected");
    let owed = "verger: a reflection is still missing in this session: beads bd-1 was closed.";
    assert!(kept[0]["payload"]["text"].as_str().unwrap().starts_with(owed), "{kept:#?}");
    let told = played.told_main();
    assert!(told.iter().any(|text| text.contains("do not stop yet")), "{told:#?}");
}

fn without_tickets_a_large_change_is_asked_for_and_a_tiny_one_is_not(version: Version) {
    let stage = ReviewStage::with_settings(version, "[tickets]\nsession = true\n");
    let tiny = Script::new().step(stage.write("a.rs", "one\n")).step(Reply::text("Done."));
    let played = stage.play("write a.rs", tiny);
    assert_eq!(played.run.answer(), "Done.");
    let looked = "idle: no ticket system found: the session counts as a ticket";
    // The log doesn't order two sessions by time.
    let gate = || stage.gate().into_iter().filter(|line| line != looked).collect::<Vec<_>>();
    assert_eq!(gate(), Vec::<String>::new());
    let large = Script::new()
        .step(stage.write("b.rs", &long()))
        .step(Reply::text("Done."))
        .step_with(verger(SKIP))
        .step(Reply::text("Nothing new."));
    let played = stage.play("write b.rs", large);
    assert_eq!(played.run.answer(), "Nothing new.");
    let told = played.told_main();
    let asked =
        "Stop hook additional context: verger: do not stop yet: this session changed 20 lines,";
    assert!(told[1].starts_with(asked), "{told:#?}");
    assert_eq!(
        gate(),
        [
            "idle -> pending: the session changed 20 lines",
            "pending -> blocked: stop refused, number 1",
            "blocked -> skipped: skipped by agent",
        ]
    );
}

fn the_agents_own_list_is_asked_for_when_its_last_item_is_done(version: Version) {
    let stage = ReviewStage::with_settings(version, "[tickets]\ntasks = true\n");
    let create = |subject: &str| {
        Reply::tool_use("TaskCreate", json!({ "subject": subject, "description": subject }))
    };
    let complete =
        |id: &str| Reply::tool_use("TaskUpdate", json!({ "taskId": id, "status": "completed" }));
    let script = Script::new()
        .step(create("Lex"))
        .step(create("Parse"))
        .step(complete("1"))
        .step(stage.write("parser.rs", &long()))
        .step(complete("2"))
        .step(Reply::text("Done."))
        .step_with(verger(SKIP))
        .step(Reply::text("Nothing new."));
    // 2.1.325 offers the tools of the to-do list only with this variable.
    let print = stage.client.print("make a plan and follow it");
    let print = print.env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1").allowed_tools(["Write"]);
    let played = stage.play_print(print, script);
    assert_eq!(played.run.answer(), "Nothing new.");
    assert_eq!(
        stage.gate(),
        [
            "idle: no ticket system found: the agent's to-do list is used",
            "idle -> active: current ticket: tasks 1",
            "active -> pending: closing tasks 2",
            "pending -> blocked: stop refused, number 1",
            "blocked -> skipped: skipped by agent",
        ]
    );
}
