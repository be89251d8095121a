//! The plugin and its installation, with the real client.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use verger_agent::CLAUDE;
use verger_testkit::{
    ClaudeCode, Kind, Output, Print, PrintRun, Reply, Request, Rule, Script, Upstream, Version,
    in_each_version,
};

use crate::household::{Household, done, hook_script};
use crate::recorded::put_verger_beside_the_hook;

const SESSION: [&str; 4] =
    ["session.started", "prompt.submitted", "stop.requested", "session.ended"];

in_each_version! {
    the_client_finds_the_plugin_valid
    a_plugin_directory_works_without_installation
    the_first_session_after_init_is_recorded_and_none_after_uninstall
    doctor_waits_for_the_first_session_and_is_content_then
    hooks_of_one_project_are_recorded
    a_double_registration_records_once
    a_session_goes_on_while_verger_is_upgraded
    a_missing_program_is_told_once_and_troubles_nobody
    an_agent_may_run_what_is_for_agents
    the_plugin_brings_its_reviewer_and_its_skills
    an_agent_that_only_judges_calls_no_hook_and_has_no_tool
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A session of one prompt and one answer.
#[track_caller]
fn session<'a>(
    client: &'a ClaudeCode,
    household: &Household,
    print: impl FnOnce(Print<'a>) -> Print<'a>,
) -> PrintRun {
    let upstream = Upstream::start(Script::new().step(Reply::text("Hello.")));
    let run = print(client.print("go")).run(&household.environment, &upstream).success();
    assert_eq!(run.answer(), "Hello.");
    upstream.finish();
    run
}

/// The kinds of the records of the only session.
fn kinds(household: &Household, run: &PrintRun) -> Vec<String> {
    let trace =
        household.verger(&["session", "trace", "--jsonl", run.session_id()]).success().stdout;
    let records =
        trace.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    records.map(|entry| entry["record"]["kind"].as_str().unwrap().to_owned()).collect()
}

/// A home without the fixed clock, which would give every event the same time.
fn household() -> Household {
    let mut household = Household::new();
    household.environment.unset("VERGER_TEST_NOW_MS");
    household
}

fn the_client_finds_the_plugin_valid(version: Version) {
    let household = household();
    let upstream = Upstream::start(Script::new());
    let client = ClaudeCode::installed(version).on_path(&household.environment, &upstream);
    for path in [repository(), repository().join("plugin")] {
        let claude = client.directory().join("claude");
        let path = path.to_str().unwrap();
        let output: Output = household.environment.run(claude, ["plugin", "validate", path], "");
        let said = output.success().stdout;
        assert!(said.contains("Validation passed"), "{said}");
        // Newer versions list the plugin's parts in the same form as warnings.
        let parts = ["❯ hooks: ", "❯ skills: ", "❯ agents: "];
        let is_part = |line: &str| parts.iter().any(|part| line.contains(part));
        let is_warning = |line: &&str| line.contains('❯') && !is_part(line);
        let warnings = said.lines().filter(is_warning);
        let unexpected: Vec<_> = warnings
            .filter(|line| !line.contains("ICON_MISSING") && !line.contains("This README"))
            .collect();
        assert_eq!(unexpected, Vec::<&str>::new());
    }
    upstream.finish();
}

fn a_plugin_directory_works_without_installation(version: Version) {
    let mut household = household();
    let program = household.hook_program();
    household.environment.find_programs_in(program.parent().unwrap());
    let client = ClaudeCode::installed(version);
    let run = session(&client, &household, |print| {
        print.arg("--plugin-dir").arg(repository().join("plugin"))
    });
    assert_eq!(kinds(&household, &run), SESSION);
}

fn the_first_session_after_init_is_recorded_and_none_after_uninstall(version: Version) {
    let household = household();
    let client = ClaudeCode::installed(version);
    done(household.init(&[]));
    let settings = household.environment.read(household.settings());
    let run = session(&client, &household, |print| print);
    assert_eq!(kinds(&household, &run), SESSION);
    let again = session(&client, &household, |print| print);
    assert_eq!(kinds(&household, &again), SESSION);
    assert_eq!(household.environment.read(household.settings()), settings);

    done(household.uninstall(&[]));
    assert!(!household.settings().exists());
    assert_eq!(traces(&household), Vec::<String>::new());
    let after = session(&client, &household, |print| print);
    assert_eq!(household.verger(&["session", "trace", after.session_id()]).code, 2);
    assert_eq!(traces(&household), Vec::<String>::new());
}

fn an_agent_that_only_judges_calls_no_hook_and_has_no_tool(version: Version) {
    let household = household();
    let client = ClaudeCode::installed(version);
    done(household.init(&[]));
    let judged = Rule::side_call().step(Reply::text("It is fine."));
    let upstream = Upstream::start(Script::new().rule(judged));
    let judging = CLAUDE.judge.iter().fold(client.print("Is it?"), Print::arg);
    let run = judging.run(&household.environment, &upstream).success();
    assert_eq!(run.answer(), "It is fine.");
    let requests = upstream.finish();
    let kinds_of_request: Vec<_> = requests.iter().map(Request::kind).collect();
    let probes = kinds_of_request.iter().filter(|kind| **kind == Kind::Probe).count();
    assert_eq!(kinds_of_request.len() - probes, 1, "{kinds_of_request:?}");
    assert!(kinds_of_request.contains(&Kind::SideCall), "a message without tools");
    assert_eq!(
        household.verger(&["session", "trace", run.session_id()]).code,
        2,
        "nothing was recorded"
    );
    let aware = session(&client, &household, |print| print);
    assert_eq!(kinds(&household, &aware), SESSION, "although verger is registered");
}

fn doctor_waits_for_the_first_session_and_is_content_then(version: Version) {
    let mut household = household();
    let upstream = Upstream::start(Script::new());
    let client = ClaudeCode::installed(version);
    let on_path = client.on_path(&household.environment, &upstream);
    let verger = Path::new(env!("CARGO_BIN_EXE_verger")).parent().unwrap();
    household.environment.find_programs_in(verger);
    household.environment.find_programs_in(on_path.directory());
    done(household.init(&[]));
    put_verger_beside_the_hook(&household.environment, &household.data());
    assert_eq!(troubles(&household), ["seen firing"]);
    let run = session(&client, &household, |print| print);
    upstream.finish();
    assert_eq!(troubles(&household), Vec::<String>::new());
    let report = household.verger(&["doctor"]).success().stdout;
    for expected in [
        "4 of 18 registered events seen in 7 days: SessionStart, SessionEnd, UserPromptSubmit, Stop",
        &format!("Claude Code {version} (installed) was tested"),
        &format!("Claude Code {version} (seen) was tested"),
    ] {
        assert!(report.contains(expected), "{report}");
    }
    let status = household.verger(&["status"]).success().stdout;
    let needed = status.lines().last().and_then(|line| line.strip_prefix("needs you"));
    assert_eq!(needed.map(str::trim), Some("nothing"), "{status}");
    let why = household.verger(&["why", "--last"]).success().stdout;
    let event = format!("session.ended at {}:4", run.session_id());
    assert!(why.lines().nth(2).unwrap().ends_with(&event), "{why}");
}

/// The checks of `doctor` with a finding, including mere notes.
fn troubles(household: &Household) -> Vec<String> {
    let report = household.verger(&["doctor", "--json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    let troubles = checks.filter(|check| check["finding"] != "fine");
    troubles.map(|check| check["check"].as_str().unwrap().to_owned()).collect()
}

/// Files of the client that mention verger, without the client's transcripts. The test directory's
/// own name also contains "verger", so it is ignored.
fn traces(household: &Household) -> Vec<String> {
    let root = household.environment.root().file_name().unwrap().to_str().unwrap().to_owned();
    let mut found = Vec::new();
    let mut folders = vec![household.directory()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let bytes = if path.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
            let text = String::from_utf8_lossy(&bytes).replace(&root, "");
            let name = entry.file_name().to_string_lossy().replace(&root, "");
            if name.contains("verger") || text.contains("verger") {
                found.push(household.environment.normalise(&path.display().to_string()));
            }
            // Transcripts are skipped: they contain texts of the user and of the client.
            if path.is_dir() && !path.ends_with("projects") {
                folders.push(path);
            }
        }
    }
    found
}

fn hooks_of_one_project_are_recorded(version: Version) {
    let household = household();
    let client = ClaudeCode::installed(version);
    done(household.init(&["--local"]));
    let run = session(&client, &household, |print| print);
    assert_eq!(kinds(&household, &run), SESSION);
    done(household.uninstall(&[]));
    let after = session(&client, &household, |print| print);
    assert_eq!(household.verger(&["session", "trace", after.session_id()]).code, 2);
}

fn a_double_registration_records_once(version: Version) {
    let household = household();
    let client = ClaudeCode::installed(version);
    done(household.init(&["--project"]));
    done(household.init(&[]));
    let run = session(&client, &household, |print| print);
    assert_eq!(kinds(&household, &run), SESSION);
}

fn a_session_goes_on_while_verger_is_upgraded(version: Version) {
    let household = household();
    done(household.init(&[]));
    let newer = household.environment.write_program(
        household.hook_program().with_file_name("newer"),
        hook_script("0.1.0") + "# newer\n",
    );
    let mut upgrade = household.environment.command(env!("CARGO_BIN_EXE_verger"));
    upgrade.args(["init", "--yes", "--quiet", "--hook"]).arg(&newer);
    let upgrade = std::sync::Mutex::new(upgrade);
    let upstream = Upstream::start(
        Script::new()
            .step(Reply::tool_use("Bash", json!({ "command": "echo before" })))
            .step_with(move |_| {
                assert!(upgrade.lock().unwrap().status().unwrap().success());
                Reply::tool_use("Bash", json!({ "command": "echo after" }))
            })
            .step(Reply::text("Done.")),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("go").allowed_tools(["Bash"]).run(&household.environment, &upstream);
    let run = run.success();
    upstream.finish();
    let calls = ["tool.requested", "guard.judged", "tool.succeeded", "tool_batch.ended"];
    let mut expected =
        [&SESSION[..2], &["start_tree.taken"], &calls, &calls, &SESSION[2..]].concat();
    // Drift records a handoff as the session ends.
    expected.push("handoff.written");
    assert_eq!(kinds(&household, &run), expected);
    let installed = household.environment.read(household.data().join("bin/verger-hook"));
    assert_eq!(installed, household.environment.read(newer));
}

fn a_missing_program_is_told_once_and_troubles_nobody(version: Version) {
    let household = household();
    let client = ClaudeCode::installed(version);
    done(household.init(&[]));
    fs::remove_file(household.data().join("bin/verger-hook")).unwrap();
    let run = session(&client, &household, |print| print);
    let said = run.messages.iter().filter(|message| message["subtype"] == "hook_response");
    let hints = said.filter_map(|message| message["stdout"].as_str());
    let hints: Vec<_> = hints.filter(|text| !text.is_empty()).collect();
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert!(hints[0].contains("verger-hook is not installed"), "{hints:?}");
    assert_eq!(household.verger(&["session", "list"]).stdout, "no sessions were recorded yet\n");
    let launch = household.data().join("marketplace/plugin/hooks/launch");
    let called =
        |event: &str| household.environment.run(&launch, ["claude", event], "{}").to_string();
    assert_eq!(called("Stop"), "");
    insta::allow_duplicates! {
        insta::assert_snapshot!(called("SessionStart"), @r#"{"systemMessage":"verger records nothing: its plugin is on, but verger-hook is not installed. Run `verger init`, or turn the plugin off with /plugin."}"#);
    }
}

fn an_agent_may_run_what_is_for_agents(version: Version) {
    let mut household = household();
    let verger = Path::new(env!("CARGO_BIN_EXE_verger"));
    household.environment.find_programs_in(verger.parent().unwrap());
    done(household.init(&[]));
    let bash = |command: &str| Reply::tool_use("Bash", json!({ "command": command }));
    let upstream = Upstream::start(
        Script::new()
            .step(bash("verger why --last --json"))
            .step(bash("verger init --yes"))
            .step(Reply::text("Done.")),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("go").run(&household.environment, &upstream).success();
    let tools = |kind: &str| kinds(&household, &run).iter().filter(|of| *of == kind).count();
    assert_eq!((tools("tool.requested"), tools("tool.succeeded")), (2, 1));
    upstream.finish();
}

fn the_plugin_brings_its_reviewer_and_its_skills(version: Version) {
    let mut household = household();
    let verger = Path::new(env!("CARGO_BIN_EXE_verger"));
    household.environment.find_programs_in(verger.parent().unwrap());
    done(household.init(&[]));
    let review = json!({
        "description": "Review",
        "prompt": "Review this session.",
        "subagent_type": "verger:reviewer",
        "run_in_background": false,
    });
    let upstream = Upstream::start(
        Script::new()
            .step(Reply::tool_use("Agent", review))
            .step(Reply::text("Done."))
            // The reviewer is asked for a decision when it tries to stop.
            .rule(Rule::subagent().otherwise(Reply::text("Looked."))),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("/verger:status").run(&household.environment, &upstream).success();
    assert_eq!(run.answer(), "Done.");
    let requests = upstream.finish();
    let of = |kind| requests.iter().find(|request| request.kind() == kind).unwrap();
    let (main, reviewer) = (of(Kind::Main), of(Kind::Subagent));
    for expected in ["needs you", "Show it to me unchanged.", "verger:reviewer", "verger:review:"] {
        assert!(main.mentions(expected), "{expected}: {}", main.body);
    }
    assert!(reviewer.mentions("You review the work of another agent."), "{}", reviewer.body);
    // These versions of the client search with the shell; others have separate tools for that.
    assert_eq!(tools(reviewer), ["Read", "Bash"]);
    assert_eq!(reviewer.body["model"], main.body["model"]);
}

fn tools(request: &Request) -> Vec<&str> {
    let tools = request.body["tools"].as_array().unwrap().iter();
    tools.filter_map(|tool| tool["name"].as_str()).collect()
}
