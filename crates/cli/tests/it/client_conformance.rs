//! The behaviour that verger promises with every client, with the real clients. Their scripted
//! model calls each client's own tools.

use serde_json::json;
use verger_testkit::{Client, Reply, Script, in_each_client};

use crate::client_stage::{ClientStage, REVIEWER};

in_each_client! {
    a_session_is_recorded
    a_destructive_command_is_denied_with_the_reason
    a_stop_is_refused_until_the_work_is_approved
    an_agent_that_is_never_reviewed_is_released
}

const ENFORCE: &str = "guard.mode = \"enforce\"\n";
const REFUSED: &str = "verger: do not stop yet";

#[track_caller]
fn a_session_is_recorded(client: Client) {
    let stage = ClientStage::new(client, "");
    let script = Script::new()
        .step(stage.shell("echo one"))
        .step(stage.shell("cat missing"))
        .step(stage.write("new.txt", "new\n"))
        .step(Reply::text("Done."));
    let played = stage.play("make a new file", script);
    assert_eq!(played.run.answer(), "Done.");

    let sessions = stage.sessions();
    let [session] = &sessions[..] else { panic!("{sessions:#?}") };
    let known = ["agent", "cwd", "warnings"].map(|key| session[key].clone());
    assert_eq!(known, [json!(client.agent()), json!("$ENV/home/project"), json!(0)]);
    assert!(session["ended"].is_string(), "{session:#}");
    let [succeeded, failed] = match client {
        // Codex doesn't report the exit code of a line.
        Client::Codex(_) => ["tool.ended"; 2],
        Client::ClaudeCode(_) | Client::GeminiCli | Client::CopilotCli => {
            ["tool.succeeded", "tool.failed"]
        }
    };
    let expected = [
        "prompt.submitted make a new file",
        "tool.requested echo one",
        &format!("{succeeded} echo one"),
        "tool.requested cat missing",
        &format!("{failed} cat missing"),
        "tool.requested $ENV/home/project/new.txt",
        "tool.succeeded $ENV/home/project/new.txt",
        "stop.requested",
        "session.ended",
    ];
    assert_eq!(stage.story(), expected);
}

#[track_caller]
fn a_destructive_command_is_denied_with_the_reason(client: Client) {
    for command in ["git reset --hard", "rm -rf src"] {
        let stage = ClientStage::new(client, ENFORCE).with_uncommitted_work();
        let script = Script::new().step(stage.shell(command)).step(Reply::text("Done."));
        let played = stage.play("go", script);
        assert_eq!(played.run.answer(), "Done.");
        let requests = played.main();
        assert!(!requests[0].mentions("verger: this did not run"));
        assert!(requests[1].mentions("verger: this did not run"), "{:#}", requests[1].body);
        assert!(stage.has_uncommitted_work(), "{command}");
    }
}

#[track_caller]
fn a_stop_is_refused_until_the_work_is_approved(client: Client) {
    let stage = ClientStage::new(client, REVIEWER);
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step_with(stage.review())
        .step(Reply::text("Reviewed."));
    let played = stage.play("#review write work.txt", script);
    let requests = played.main();
    assert!(!requests[1].mentions(REFUSED));
    assert!(requests[2].mentions(REFUSED), "{:#}", requests[2].body);
    assert!(requests[3].mentions("complete: it is there"), "{:#}", requests[3].body);
    assert_eq!(played.run.answer(), "Reviewed.");
    assert_eq!(
        stage.log().gate(),
        [
            "idle -> pending: review wanted by a prompt with #review",
            "pending -> blocked: stop refused, number 1",
            "blocked: command started to review",
            "blocked: reviewer exited with 0",
            "blocked -> approved: reviewer decided complete",
        ]
    );
}

#[track_caller]
fn an_agent_that_is_never_reviewed_is_released(client: Client) {
    let stage = ClientStage::new(client, REVIEWER);
    let script = (0..4).fold(Script::new().step(stage.write("work.txt", "done\n")), |script, _| {
        script.step(Reply::text("Done."))
    });
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.main().len(), 5);
    assert_eq!(
        stage.log().gate(),
        [
            "idle -> pending: review wanted by a prompt with #review",
            "pending -> blocked: stop refused, number 1",
            "blocked: stop refused, number 2",
            "blocked: stop refused, number 3",
            "blocked -> idle: released by breaker",
        ]
    );
}
