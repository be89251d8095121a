//! Tests the reader program: its input, the effect of its answer, and that its failures don't
//! affect the agent.

use std::path::PathBuf;

use serde_json::{Value, json};
use verger_drift::Track;
use verger_event::Fold as _;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::drift::{LOGIN, edits, works_on_login};
use crate::gate_stage::{conversation, news, warnings};
use crate::log::Log;

/// A session whose reader program is this script.
fn read_by(script: &str, settings: &str) -> Conversation {
    let conversation = conversation();
    let program = program(&conversation);
    let program = conversation.environment.write_program(program, format!("#!/bin/sh\n{script}\n"));
    conversation.configure(format!(
        "[drift]\nreader = {{ command = [{:?}] }}\n{settings}\n",
        program.display().to_string()
    ));
    conversation
}

fn program(conversation: &Conversation) -> PathBuf {
    conversation.environment.root().join("reader")
}

/// A script that appends its input to a file and prints this answer.
fn answering(answer: &Value) -> String {
    format!("cat >> \"$0.told\"; echo >> \"$0.told\"; echo '{answer}'")
}

/// The inputs of the program, one line per run.
fn told(conversation: &Conversation) -> Vec<String> {
    let told = program(conversation).with_extension("told");
    if !told.exists() {
        return vec![];
    }
    conversation.environment.read(told).lines().map(str::to_owned).collect()
}

/// The [`Track`], folded from the log.
fn track(conversation: &Conversation) -> Track {
    let mut track = Track::default();
    for record in Log::of(&conversation.environment).all() {
        track.apply(&record);
    }
    track
}

#[track_caller]
fn says(conversation: &Conversation, prompt: &str) {
    assert_eq!(conversation.prompt(prompt), HookAnswer::default());
}

#[test]
fn the_programs_reading_refines_the_goal_and_is_in_the_log() {
    let answer = json!({
        "goal": "Keep the query when the sign-in page redirects",
        "paths": ["web/session"],
        "keywords": ["cookie"],
        "constraints": ["Do not touch src/billing."],
    });
    let conversation = read_by(&answering(&answer), "mode = \"correct\"");
    says(&conversation, LOGIN);
    insta::assert_snapshot!(told(&conversation).join("\n"), @r#"{"goal":null,"prompt":"Fix the login redirect in src/login.rs. Do not add dependencies.","rules":{"constraints":["do not add dependencies"],"goal":"Fix the login redirect in src/login.rs. Do not add dependencies.","paths":["src/login.rs"],"task":"new_task"}}"#);
    insta::assert_snapshot!(news(&conversation).join("\n"), @"main gate.changed drift-reader asked -> answered: Keep the query when the sign-in page redirects; where: web/session; words: cookie; forbidden: Do not touch src/billing.");
    let track = track(&conversation);
    let goal = track.goal();
    assert_eq!((goal.text.as_str(), goal.read_as.as_deref()), (LOGIN, answer["goal"].as_str()));
    let expected = ["do not add dependencies", "do not change src/billing (read by drift.reader)"];
    assert_eq!(track.limits(), expected);
    works_on_login(&conversation);
    works_on_login(&conversation);
    let [_, batch] = edits(&conversation, "src/billing/pay.rs", "fn pay()", "fn pay(url)");
    insta::assert_snapshot!(batch, @"
    context: verger: you did something that the person forbade.
    - `src/billing/pay.rs`: the prompt may mean: do not change src/billing
    Next: go on without `src/billing/pay.rs`, or ask the person whether it is wanted. If you think that the person has changed their mind, ask before you go on.
    ");
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}

#[test]
fn whatever_goes_wrong_the_rules_read_alone_and_the_log_says_why() {
    let by_rules = conversation();
    says(&by_rules, LOGIN);
    let by_rules = track(&by_rules).goal().clone();
    let check = |script: &str| {
        let conversation = read_by(script, "reader_seconds = 1");
        says(&conversation, LOGIN);
        assert_eq!(*track(&conversation).goal(), by_rules, "{script}");
        says(&conversation, "And the logout, please.");
        works_on_login(&conversation);
        // The program's failures are recorded, but not as warnings.
        assert_eq!(warnings(&conversation), Vec::<String>::new());
        let failed = |line: &String| line.contains("drift-reader asked -> failed");
        news(&conversation).into_iter().filter(failed).take(1).collect::<String>()
    };
    insta::assert_snapshot!(check("exit 3"), @"main gate.changed drift-reader asked -> failed: it ended with exit status: 3");
    insta::assert_snapshot!(check("exec sleep 60"), @"main gate.changed drift-reader asked -> failed: verger cannot wait for the program within its time");
    insta::assert_snapshot!(check("head -c 1048576 /dev/zero"), @"main gate.changed drift-reader asked -> failed: verger cannot read the program's output: it is longer than 16384 bytes");
    insta::assert_snapshot!(check("echo 'Sure, here is what they want:'"), @"main gate.changed drift-reader asked -> failed: the answer does not have the required format: expected value at line 1 column 1");
    insta::assert_snapshot!(check("echo '{\"task\": \"task_complete\"}'"), @"main gate.changed drift-reader asked -> failed: the answer does not have the required format: unknown variant `task_complete`, expected one of `continue`, `new_task`, `subtask`, `parallel_task` at line 1 column 24");
    insta::assert_snapshot!(check("echo '{}' '{}'"), @"main gate.changed drift-reader asked -> failed: the answer does not have the required format: trailing characters at line 1 column 4");
}

#[test]
fn a_program_that_fails_again_and_again_is_left_alone_for_a_while() {
    let conversation = read_by("cat > /dev/null; echo >> \"$0.told\"; exit 3", "");
    for n in 0..5 {
        says(&conversation, &format!("Fix part {n} of the parser."));
    }
    assert_eq!(told(&conversation).len(), 3);
    conversation.pass_seconds(61);
    says(&conversation, "Fix the last part of the parser.");
    assert_eq!(told(&conversation).len(), 4);
}

#[test]
fn a_program_says_that_a_new_task_begins() {
    let conversation = read_by(&answering(&json!({ "task": "new_task" })), "");
    says(&conversation, "Fix the login redirect in src/login.rs.");
    works_on_login(&conversation);
    says(&conversation, "Also fix the logout.");
    let track = track(&conversation);
    assert_eq!(track.goal().text, "Also fix the logout.");
    assert_eq!(track.task().map(|task| task.0), Some(2));
    let log = Log::of(&conversation.environment).all();
    let recorded = log.iter().filter(|record| record.draft.event.kind() == "task.recorded");
    assert_eq!(recorded.count(), 1, "the first task was left for it");
}

#[test]
fn only_what_a_person_says_to_the_agent_is_read_and_no_secret_of_it() {
    let conversation = read_by(&answering(&json!({})), "");
    let notification = "<task-notification>\n<task-id>a1</task-id>\n<summary>x</summary>\n\
        <status>completed</status>\n</task-notification>";
    says(&conversation, notification);
    says(&conversation, "<system-reminder>x</system-reminder>");
    let subagent = Speaker::Subagent { id: "a1", agent_type: "general" };
    let prompt = [("prompt", json!("Look at the tests."))];
    assert_eq!(conversation.call_of(subagent, "UserPromptSubmit", &prompt), HookAnswer::default());
    assert_eq!(told(&conversation), Vec::<String>::new());
    says(&conversation, "Log in with ghp_Zx8vQ2nT5bLk9WcR3mYp7HdJs4GfUa1EoNi6 and fix it.");
    let told = told(&conversation);
    assert_eq!(told.len(), 1);
    assert!(!told[0].contains("Zx8vQ2nT5bLk9WcR3mYp7HdJs4GfUa1EoNi6"), "{told:?}");
    let off = read_by(&answering(&json!({})), "mode = \"off\"");
    says(&off, LOGIN);
    assert_eq!(self::told(&off), Vec::<String>::new());
}

#[test]
fn the_session_of_the_program_itself_is_not_read() {
    let mut conversation = read_by(&answering(&json!({})), "");
    conversation.environment.set("VERGER_ASKED", "1");
    says(&conversation, LOGIN);
    assert_eq!(told(&conversation), Vec::<String>::new());
    assert_eq!(news(&conversation), Vec::<String>::new());
}
