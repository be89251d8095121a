//! The real client inside a verification. A session that a check starts in the same project is
//! recorded, is blocked by no gate, and causes no further verification.

use serde_json::Value;
use verger_testkit::{Kind, Reply, Request, Rule, Script, Upstream, Version, in_each_version};

use crate::household::done;
use crate::review_stage::{ReviewStage, bash, told, verger};

in_each_version! {
    a_client_that_a_check_starts_is_held_by_nothing
}

const SETTINGS: &str = "[verification]\nmode = \"always\"\ndepth = \"deep\"\n\
                        tests = { command = [\"judge\"] }\n";

/// The prompt of the inner client. It asks for a review, and distinguishes the requests of the
/// inner client from those of the outer one.
const PROMPT: &str = "#review INNER try it";
const INNER_TOOLS: &str = "Write,Bash(rm:*)";

fn is_inner(request: &Request) -> bool {
    request.mentions("INNER")
}

/// The records of verger's answers in a session, except permissions for its own commands.
fn said_in(stage: &ReviewStage, session: &str) -> Vec<Value> {
    let kinds = ["gate.changed", "verdict.given", "verification.recorded"];
    let records = kinds.iter().flat_map(|kind| stage.log().records(kind));
    let is_leave = |record: &Value| record["payload"]["verdict"]["is"] == "allow";
    records.filter(|record| record["session"] == session && !is_leave(record)).collect()
}

fn a_client_that_a_check_starts_is_held_by_nothing(version: Version) {
    let stage = ReviewStage::with_settings(version, SETTINGS);
    done(stage.household.verger(&["trust", "--yes"]));
    let inner = Rule::new("the inner client", is_inner)
        .step(stage.write("scratch.txt", "tried\n"))
        .step_with(verger("verify"))
        .step(bash("rm scratch.txt"))
        .step(Reply::text("Done."));
    let outer = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step_with(verger("verify --depth deep"))
        .step(Reply::text("Done, and verified."));
    let environment = &stage.household.environment;
    let upstream = Upstream::start(outer.rule(inner));
    let claude = stage.client.on_path(environment, &upstream);
    let judge = format!(
        "#!/bin/sh\nexec '{}/claude' --print --permission-mode default --allowedTools \
         '{INNER_TOOLS}' -- '{PROMPT}' > \"$HOME/inner\" 2>&1\n",
        claude.directory().display()
    );
    environment.write_program(environment.root().join("programs/judge"), judge);
    let print = stage.client.print("write work.txt").allowed_tools(["Write"]);
    let run = print.arg("--permission-mode").arg("default").run(environment, &upstream).success();
    assert_eq!(run.answer(), "Done, and verified.");
    assert_eq!(environment.read(environment.home().join("inner")), "Done.\n");

    let (inner, outer): (Vec<_>, Vec<_>) = upstream.finish().into_iter().partition(is_inner);
    assert!(told(&outer, Kind::Main)[1].contains("this work was not verified yet"));
    let told = told(&inner, Kind::Main);
    assert!(told[1].contains("a check or a review cannot run `verger verify`"), "{told:#?}");
    assert_eq!(stage.log().records("verification.recorded").len(), 1);
    // The session's hooks were called, and gave no answer.
    let session = inner[0].session_id().unwrap();
    let stops = stage.log().records("stop.requested");
    assert_eq!(stops.iter().filter(|stop| stop["session"] == session).count(), 1);
    assert_eq!(said_in(&stage, session), [Value::Null; 0]);

    // Outside of a run of verger, the gate blocks the same client.
    let outside = Rule::new("the same client", is_inner)
        .step(stage.write("scratch.txt", "tried\n"))
        .otherwise(Reply::text("Done."));
    let played = stage.play(PROMPT, Script::new().rule(outside));
    let told = &played.told_main()[1];
    assert!(told.contains("this work was not verified yet"), "{told}");
    assert!(told.contains("verger:reviewer"), "{told}");
}
