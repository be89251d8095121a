//! The part of the clients' conformance that only `cargo xtask conformance` tests.

use serde_json::json;
use verger_memory::EXAMPLE;
use verger_testkit::{
    Client, ClientPrompt, CodexVersion, Reply, Request, Rule, Script, in_each_client,
};

use crate::client_stage::{ClientStage, LEARNED, REVIEWER};
use crate::household::done;

in_each_client! {
    hooks_of_all_projects_and_of_this_one_record_each_event_once
    hooks_of_one_project_record_each_event_once
    a_learning_about_the_branch_is_in_the_first_request
    a_learning_about_the_prompt_is_in_the_first_request
    a_file_destroyed_by_a_command_is_restored
    an_agent_runs_its_own_commands_of_verger_with_the_default_permissions
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

/// The effects of an agent's commands.
#[derive(Debug, PartialEq, Eq)]
struct Effects {
    /// A file was written outside of the project.
    outside: bool,
    /// The agent got the output of `verger status`.
    status: bool,
    /// The recorder of a reflection in a here-document.
    reflection: Option<By>,
}

#[derive(Debug, PartialEq, Eq)]
enum By {
    Command,
    /// The command could not write verger's data.
    Hook,
}

/// Runs a session in which the agent runs a command that writes outside of the project, and two of
/// verger's. Nobody is there who could be asked.
#[track_caller]
fn effects(stage: &ClientStage, arguments: &[&str]) -> Effects {
    let client = stage.client;
    let log = stage.log();
    let reflect = move |_: &Request| {
        let records = log.records("prompt.submitted");
        let session = records[0]["session"].as_str().unwrap();
        let line = format!("verger reflect --session {session} <<'EOF'\n{EXAMPLE}\nEOF");
        Reply::blocks([client.shell(&line)])
    };
    let script = Script::new()
        .step(stage.shell("touch ~/outside"))
        .step(stage.shell("verger status"))
        .step_with(reflect)
        .step(Reply::text("Done."));
    let prompt = client.prompt("make the parser fast").default_permissions();
    let played = stage.play_prompt(arguments.iter().fold(prompt, ClientPrompt::arg), script);
    let is_recorded = stage.log().records("reflection.recorded").len() == 1;
    let by_hook = played.main()[3].mentions("the hook ran this outside of the sandbox");
    Effects {
        outside: stage.household.environment.home().join("outside").exists(),
        status: played.main()[2].mentions("habits.* (default)"),
        reflection: is_recorded.then_some(if by_hook { By::Hook } else { By::Command }),
    }
}

#[track_caller]
fn an_agent_runs_its_own_commands_of_verger_with_the_default_permissions(client: Client) {
    let is_codex = matches!(client, Client::Codex(_));
    let arguments = if is_codex { &SMALL_SANDBOX[..] } else { &[] };
    let found = effects(&ClientStage::new(client, ""), arguments);
    let reflection = match client {
        Client::ClaudeCode(_) | Client::CopilotCli => Some(By::Command),
        Client::Codex(_) => Some(By::Hook),
        // It asks about every redirection, a here-document too.
        Client::GeminiCli => None,
    };
    assert_eq!(found, Effects { outside: false, status: true, reflection });
}

#[test]
fn gemini_cli_runs_all_commands_if_it_may() {
    let found = effects(&ClientStage::new(Client::GeminiCli, ""), &["--yolo"]);
    let expected = Effects { outside: true, status: true, reflection: Some(By::Command) };
    assert_eq!(found, expected);
}

/// Arguments with which Codex's sandbox also covers the directory of temporary files, where the
/// home of a test is.
const SMALL_SANDBOX: [&str; 4] = [
    "-c",
    "sandbox_workspace_write.exclude_slash_tmp=true",
    "-c",
    "sandbox_workspace_write.exclude_tmpdir_env_var=true",
];

/// Codex's rules don't match a line with a here-document, so it runs in the sandbox.
#[test]
fn in_codexs_sandbox_the_hook_records_a_reflection() {
    for version in CodexVersion::ALL {
        for mode in ["read-only", "workspace-write"] {
            for without in [&[][..], &WITHOUT_RULES] {
                let stage = ClientStage::not_registered(Client::Codex(version), "");
                done(stage.household.init(&[&["--agent", "codex"], without].concat()));
                let found = effects(&stage, &[&["--sandbox", mode], &SMALL_SANDBOX[..]].concat());
                let expected = Effects { outside: false, status: true, reflection: Some(By::Hook) };
                assert_eq!(found, expected, "{version:?} {mode} {without:?}");
            }
        }
    }
}

const WITHOUT_RULES: [&str; 2] = ["--without", "permissions"];

/// Verger's rules let the command run outside of the sandbox.
#[test]
fn codex_has_its_work_reviewed_in_its_sandbox_only_with_rules() {
    for version in CodexVersion::ALL {
        for (without, told, end) in [
            (&[][..], "complete: it is there", "blocked -> approved: reviewer decided complete"),
            (&WITHOUT_RULES, CANNOT_RECORD, "blocked -> idle: released by breaker"),
        ] {
            let stage = ClientStage::not_registered(Client::Codex(version), REVIEWER);
            done(stage.household.init(&[&["--agent", "codex"], without].concat()));
            let prompt = stage.client.prompt("#review write work.txt").default_permissions();
            let again = Rule::new("later stops", |request| request.mentions("still blocked"));
            let script = Script::new()
                .step(stage.write("work.txt", "done\n"))
                .step(Reply::text("Done."))
                .step_with(stage.review())
                .step(Reply::text("Reviewed."))
                .rule(again.otherwise(Reply::text("Reviewed.")));
            let prompt = SMALL_SANDBOX.iter().fold(prompt, ClientPrompt::arg);
            let played = stage.play_prompt(prompt, script);
            assert!(played.main()[3].mentions(told), "{version:?} {without:?}");
            let gate = stage.log().gate();
            assert_eq!(gate.last().unwrap(), end, "{version:?} {without:?}");
        }
    }
}

const CANNOT_RECORD: &str = "cannot record a review: verger's data cannot be written from here";

/// Without a person, the client offers a tool only if a rule may allow a call of it. No rule allows
/// `verger skip`, because the command is for agents only with some of its options.
#[test]
fn gemini_cli_has_a_shell_without_a_person_only_with_rules() {
    for (without, has_shell, told) in
        [(&[][..], true, "denied by policy"), (&WITHOUT_RULES, false, "not found")]
    {
        let stage = ClientStage::not_registered(Client::GeminiCli, "");
        done(stage.household.init(&[&["--agent", "gemini"], without].concat()));
        let skip = "verger skip --gate learning --reason 'it was known'";
        let script = Script::new().step(stage.shell(skip)).step(Reply::text("Done."));
        let played = stage.play_prompt(stage.client.prompt("go").default_permissions(), script);
        let requests = played.main();
        assert_eq!(requests[0].offers("run_shell_command"), has_shell);
        assert!(requests[1].mentions(told), "{:#}", requests[1].body);
    }
}
