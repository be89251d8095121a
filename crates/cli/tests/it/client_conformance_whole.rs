//! The part of the clients' conformance that only `cargo xtask conformance` tests.

use serde_json::json;
use verger_testkit::{Client, Reply, Script, in_each_client};

use crate::client_stage::{ClientStage, LEARNED};
use crate::household::done;

in_each_client! {
    hooks_of_all_projects_and_of_this_one_record_each_event_once
    hooks_of_one_project_record_each_event_once
    a_learning_about_the_branch_is_in_the_first_request
    a_learning_about_the_prompt_is_in_the_first_request
    a_file_destroyed_by_a_command_is_restored
}

const AGENTS: [&str; 4] = ["claude", "codex", "gemini", "copilot"];

/// Runs a session in a project that has verger's hooks for every agent.
#[track_caller]
fn assert_recorded_once(stage: &ClientStage) {
    let environment = &stage.household.environment;
    let called = environment.home().join("called");
    let command = format!("touch '{}'", called.display());
    let hook = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
    let settings = json!({ "hooks": { "PreToolUse": hook } }).to_string();
    environment.write(stage.household.project_settings(), settings);
    for agent in AGENTS {
        done(stage.household.init(&["--project", "--agent", agent]));
    }
    let script = Script::new()
        .step(stage.shell("echo one"))
        .step(stage.write("new.txt", "new\n"))
        .step(Reply::text("Done."));
    let played = stage.play("make a new file", script);
    assert_eq!(played.run.answer(), "Done.");
    let succeeded = match stage.client {
        Client::Codex(_) => "tool.ended",
        Client::ClaudeCode(_) | Client::GeminiCli | Client::CopilotCli => "tool.succeeded",
    };
    let expected = [
        "prompt.submitted make a new file",
        "tool.requested echo one",
        &format!("{succeeded} echo one"),
        "tool.requested $ENV/home/project/new.txt",
        "tool.succeeded $ENV/home/project/new.txt",
        "stop.requested",
        "session.ended",
    ];
    assert_eq!(stage.story(), expected);
    let sessions = stage.sessions();
    let agents: Vec<_> = sessions.iter().map(|session| session["agent"].clone()).collect();
    assert_eq!(agents, [json!(stage.client.agent())]);
    // Copilot CLI runs Claude Code's hooks of a project too.
    let runs = matches!(stage.client, Client::ClaudeCode(_) | Client::CopilotCli);
    assert_eq!(called.exists(), runs);
}

#[track_caller]
fn hooks_of_all_projects_and_of_this_one_record_each_event_once(client: Client) {
    assert_recorded_once(&ClientStage::new(client, ""));
}

#[track_caller]
fn hooks_of_one_project_record_each_event_once(client: Client) {
    assert_recorded_once(&ClientStage::not_registered(client, ""));
}

/// The prompt is too short to name a subject.
#[track_caller]
fn a_learning_about_the_branch_is_in_the_first_request(client: Client) {
    let stage = ClientStage::new(client, "").with_a_learning("parser-cache-per-thread");
    let played = stage.play("go", Script::new().step(Reply::text("Done.")));
    let first = played.main()[0];
    assert!(first.mentions(LEARNED), "{:#}", first.body);
}

#[track_caller]
fn a_learning_about_the_prompt_is_in_the_first_request(client: Client) {
    let stage = ClientStage::new(client, "").with_a_learning("develop");
    let played =
        stage.play("make the parser cache per thread", Script::new().step(Reply::text("Done.")));
    let first = played.main()[0];
    assert!(first.mentions(LEARNED), "{:#}", first.body);
}

#[track_caller]
fn a_file_destroyed_by_a_command_is_restored(client: Client) {
    // Codex itself refuses `rm -f`.
    for command in ["git reset --hard", "rm -r src"] {
        let stage = ClientStage::new(client, "").with_uncommitted_work();
        let script = Script::new().step(stage.shell(command)).step(Reply::text("Done."));
        let played = stage.play("go", script);
        assert_eq!(played.run.answer(), "Done.");
        assert!(!stage.has_uncommitted_work(), "{:#}", played.main()[1].body);
        assert_eq!(stage.restore().code, 0, "{command}");
        assert!(stage.has_uncommitted_work(), "{command}");
    }
}
