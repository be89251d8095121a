//! The life of a learning with the real client. The client asks a person about every command except
//! those for its ticket. The next session gets a learning of the first one, and uses it.

use serde_json::{Value, json};
use verger_memory::{Learning, text};
use verger_testkit::{Reply, Request, Script, StandIn, Version, in_each_version};

use crate::learned::learning;
use crate::review_stage::{Played, ReviewStage, bash, collect_texts};

in_each_version! {
    the_next_session_gets_and_uses_a_learning
    a_reflection_says_which_learning_helped
}

const SUMMARY: &str = "orders.csv has CRLF line ends";
/// A prompt about the topic of the learning's detail and summary.
const TOPIC: &str = "The importer of orders.csv chokes on the line ends, please mend it";

/// A project with these learnings, in which `bd-1` is in progress.
fn stage(version: Version, learned: &[Learning]) -> (ReviewStage, StandIn) {
    let mut stage = ReviewStage::new(version);
    let beads = StandIn::beads(&mut stage.household.environment);
    beads.ticket("bd-1", "in_progress", "Import orders", "The importer fails on some files.");
    let learned: String = learned.iter().map(|learning| text::render(learning) + "\n").collect();
    stage.household.environment.write(".verger/learnings.md", format!("# Learnings\n\n{learned}"));
    (stage, beads)
}

fn others() -> [Learning; 3] {
    [
        learning("seed", 3, "Migrations run before the seed script"),
        learning("zone", 5, "Reports show dates in the time zone of the customer"),
        learning("cache", 9, "The cache of the parser is per thread"),
    ]
}

/// The command that the agent was shown, with these findings in place of the example.
fn reflect(findings: Value) -> impl Fn(&Request) -> Reply {
    move |request| {
        let (command, end) = ("verger reflect ", "\nEND\n");
        let told = request.text_between(command, end).unwrap();
        let (head, example) = told.split_once('\n').unwrap();
        assert!(example.starts_with("{\"candidates\":["), "{example}");
        bash(&format!("{command}{head}\n{findings}{end}"))
    }
}

/// The command with which the agent reports that the given learning helped.
fn refer(request: &Request) -> Reply {
    let id = request.text_between("\n\n[", "] ").unwrap();
    let session = request.word_after("verger ref ID --session ").unwrap();
    bash(&format!("verger ref {id} --session {session}"))
}

fn findings() -> Value {
    json!({ "candidates": [{
        "category": "pitfall",
        "summary": SUMMARY,
        "detail": "The importer of `orders.csv` splits at LF alone; trim every line.",
        "criteria": ["stable_fact"],
        "tags": ["importer"],
    }] })
}

/// The agent closes its ticket after some work, tries to stop, and then reflects.
fn closing(stage: &ReviewStage, findings: Value) -> Script {
    Script::new()
        .step(stage.write("importer.rs", &"one more line\n".repeat(20)))
        .step(bash("bd close bd-1"))
        .step(Reply::text("Done."))
        .step_with(reflect(findings))
        .step(Reply::text("Written down."))
}

/// A session in the default mode without a person to ask. The project's settings allow the work on
/// the ticket, but no command of verger.
#[track_caller]
fn close(stage: &ReviewStage, prompt: &str, findings: Value) -> Played {
    let allow = json!({ "permissions": { "allow": ["Write", "Bash(bd close:*)"] } });
    stage.household.environment.write(stage.household.local_settings(), allow.to_string());
    let played = stage.play_print(stage.client.print(prompt), closing(stage, findings));
    let told = played.told_main();
    let asked = "Stop hook additional context: verger: do not stop yet: beads bd-1 was closed,";
    assert!(told[2].starts_with(asked), "{told:#?}");
    assert_eq!(played.run.answer(), "Written down.", "{told:#?}");
    played
}

/// The learnings that the client sent to its model with the last request of a session.
fn given(played: &Played) -> Vec<String> {
    let mut texts = vec![];
    collect_texts(&played.main().last().unwrap().body["messages"], &mut texts);
    let parts = texts.iter().flat_map(|text| text.split("<verger-learnings>").skip(1));
    let parts = parts.map(|part| part.split("</verger-learnings>").next().unwrap());
    let entries = parts.flat_map(|part| part.split("\n\n").skip(1));
    entries.map(str::to_owned).collect()
}

/// The statistics of all learnings.
fn statistics(stage: &ReviewStage) -> Value {
    let output = stage.household.verger(&["learn", "stats", "--json"]).success();
    serde_json::from_str::<Value>(&output.stdout).unwrap()["all"].take()
}

/// The expected statistics: one reflection with one learning, which was given once and used.
fn one_hit(how: &str) -> Value {
    let mut referenced = json!({ "explicit": 0, "implicit": 0, "reflection": 0 });
    referenced[how] = json!(1);
    json!({
        "accepted": 1, "archived": 0, "corrected": 0, "dismissed": 0, "hit_rate": 1.0,
        "pass_rate": 1.0, "referenced": referenced, "reflections": 1, "rejected": 0,
        "restored": 0, "skips": {}, "superseded": 0, "surfaced": 1,
    })
}

fn the_next_session_gets_and_uses_a_learning(version: Version) {
    let (stage, beads) = stage(version, &others());
    let first = close(&stage, "do bd-1", findings());
    assert_eq!((given(&first), beads.status("bd-1").as_str()), (vec![], "closed"));
    assert_eq!(
        stage.gate(),
        [
            "idle -> active: current ticket: beads bd-1",
            "active -> pending: closing beads bd-1",
            "pending: closed beads bd-1",
            "pending -> blocked: stop refused, number 1",
            "blocked -> reflected: reflection recorded: 1 kept, 0 rejected",
        ]
    );
    let kept = stage.household.environment.read(".verger/learnings.md");
    let last = |field: &str| kept.rsplit(field).next().unwrap().trim_end();
    let (id, day) = (last(" id: "), &last("created: ")[..10]);

    let script = Script::new()
        .step_with(refer)
        .step(Reply::text("Mended."))
        .step(Reply::text("Mended again."));
    let print = stage.client.print(TOPIC).then("The line ends of orders.csv again, please");
    let second = stage.play_print(print, script);
    let entry = format!(
        "[{id}] {SUMMARY}\n  The importer of `orders.csv` splits at LF alone; trim every line.\n  \
         (pitfall, high confidence, {day}, ticket bd-1)\n"
    );
    assert_eq!(given(&second), [entry], "once, although it was asked about twice");
    assert_eq!(second.told_main()[0], format!("noted: {id} was useful"));
    assert_eq!(statistics(&stage), one_hit("explicit"));

    let script = Script::new().step(Reply::text("Waves."));
    let third = stage.play("Write a haiku about the sea", script);
    assert_eq!(given(&third), [""; 0]);
    assert_eq!(statistics(&stage), one_hit("explicit"));
}

fn a_reflection_says_which_learning_helped(version: Version) {
    let known = learning("crlf", 2, SUMMARY);
    let (stage, _) = stage(version, &[&others()[..], &[known]].concat());
    let mut findings = findings();
    findings["candidates"][0]["summary"] =
        json!("The importer trims every line of a customer's file");
    findings["used"] = json!([{ "id": "learn-crlf", "how": "it named the cause" }]);
    let played = close(&stage, TOPIC, findings);
    let entry = "[learn-crlf] orders.csv has CRLF line ends\n  Details of this learning: orders.csv \
                 has CRLF line ends.\n  (pitfall, high confidence, 2026-11-13)\n";
    assert_eq!(given(&played), [entry]);
    assert_eq!(statistics(&stage), one_hit("reflection"));
}
