//! The behaviour of the real client in each supported version: the events that its hooks get, in
//! order.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use verger_testkit::{
    ClaudeCode, HookCall, Kind, Meeting, Playing, RecordingHook, Reply, Request, Scenario,
    ScenarioPlayed, Script, TestEnvironment, Upstream, Version, hook_settings, in_each_version,
};

use crate::failure_of;

const EVENTS: [&str; 14] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
];

in_each_version! {
    a_plain_session_is_started_prompted_stopped_and_ended
    a_refused_stop_is_asked_again_in_the_same_prompt
    a_failing_tool_call_has_an_event_of_its_own
    parallel_tool_calls_each_have_their_events_and_share_a_batch
    a_subagent_works_between_the_events_of_its_call
    a_full_context_is_compacted
    a_resumed_session_keeps_its_id
    clearing_ends_one_session_and_starts_another
    an_error_of_the_upstream_takes_the_place_of_the_stop
    without_a_terminal_a_hook_at_most_is_asked_for_permission
    a_client_that_takes_too_long_is_killed
    a_client_on_the_path_is_the_real_one
    two_clients_work_side_by_side_in_one_project
}

/// An environment with a client and a recording hook.
struct Stage {
    client: ClaudeCode,
    environment: TestEnvironment,
    hook: RecordingHook,
}

impl Stage {
    #[track_caller]
    fn new(version: Version) -> Self {
        let environment = TestEnvironment::new();
        let hook = RecordingHook::new(&environment);
        Self { client: ClaudeCode::installed(version), environment, hook }
    }

    #[track_caller]
    fn play(&mut self, scenario: Scenario) -> ScenarioPlayed {
        for (event, answer) in scenario.answers() {
            self.hook.answer(event, &answer);
        }
        let hook = self.hook.clone();
        scenario.play(&Playing {
            client: &self.client,
            environment: &self.environment,
            settings: &hook_settings(&self.hook.command(), &EVENTS),
            wait_for: Arc::new(move |event| hook.wait_for(event)),
        })
    }

    /// The events so far, each with the fields that distinguish it from others of the same name.
    fn events(&self) -> Vec<String> {
        self.hook.calls().iter().map(describe).collect()
    }
}

fn describe(call: &HookCall) -> String {
    let distinguishing =
        ["source", "reason", "trigger", "tool_name", "agent_type", "stop_hook_active"];
    let details = distinguishing.iter().filter_map(|name| match call.payload.get(*name)? {
        Value::String(text) if text.is_empty() => Some("(empty)".to_owned()),
        Value::String(text) => Some(text.clone()),
        other => Some(format!("{name}={other}")),
    });
    [call.event.clone()].into_iter().chain(details).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn a_plain_session_is_started_prompted_stopped_and_ended(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::Plain);
    assert_eq!(played.answer(), "Hello.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    let dotted = version.as_str();
    let dashed = dotted.replace('.', "-");
    for call in stage.hook.calls() {
        let carriers: Vec<_> = call
            .environment
            .iter()
            .filter(|(_, value)| value.contains(dotted) || value.contains(&dashed))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(carriers, [format!("AI_AGENT=claude-code_{dashed}_harness")]);
    }
    let agents: Vec<_> = played
        .requests
        .iter()
        .filter(|request| request.kind() == Kind::Main)
        .filter_map(|request| request.header("user-agent"))
        .collect();
    assert_eq!(agents, [format!("claude-cli/{dotted} (external, sdk-cli)")]);
}

#[track_caller]
fn a_refused_stop_is_asked_again_in_the_same_prompt(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::RefusedStop);
    assert_eq!(played.answer(), "Three.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "Stop stop_hook_active=true",
            "Stop stop_hook_active=true",
            "SessionEnd other"
        ]
    );
    let calls = stage.hook.calls();
    let prompts: Vec<_> = calls.iter().map(|call| &call.payload["prompt_id"]).collect();
    assert!(prompts[0].is_null(), "the session starts before there is a prompt");
    assert!(prompts[1].is_string());
    assert!(prompts[2..].iter().all(|prompt| *prompt == prompts[1]), "{prompts:?}");
    let answers: Vec<_> =
        calls[2..5].iter().map(|c| &c.payload["last_assistant_message"]).collect();
    assert_eq!(answers, ["One.", "Two, because: Not yet", "Three."]);
}

#[track_caller]
fn a_failing_tool_call_has_an_event_of_its_own(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::FailingTool);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse Bash",
            "PostToolUseFailure Bash",
            "PostToolBatch",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    assert_eq!(stage.hook.calls()[3].payload["error"], "Exit code 3\nout");
}

#[track_caller]
fn parallel_tool_calls_each_have_their_events_and_share_a_batch(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::ParallelTools);
    assert_eq!(played.answer(), "Done.");
    // The calls run at the same time, so only the guaranteed order is compared.
    let calls = stage.hook.calls();
    let mut events = stage.events();
    events[2..8].sort_unstable();
    assert_eq!(
        events,
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PostToolUse Read",
            "PostToolUse Read",
            "PostToolUse Read",
            "PreToolUse Read",
            "PreToolUse Read",
            "PreToolUse Read",
            "PostToolBatch",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    for before in calls.iter().filter(|call| call.event == "PreToolUse") {
        let of_this_call = calls
            .iter()
            .filter(|call| call.payload["tool_use_id"] == before.payload["tool_use_id"]);
        let order: Vec<&str> = of_this_call.map(|call| call.event.as_str()).collect();
        assert_eq!(order, ["PreToolUse", "PostToolUse"]);
    }
    assert_eq!(calls[8].payload["tool_calls"].as_array().map(Vec::len), Some(3));
}

#[track_caller]
fn a_subagent_works_between_the_events_of_its_call(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::Subagent);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse Agent",
            "SubagentStart general-purpose",
            "PreToolUse Bash general-purpose",
            "PostToolUse Bash general-purpose",
            "PostToolBatch general-purpose",
            "SubagentStop general-purpose stop_hook_active=false",
            "PostToolUse Agent",
            "PostToolBatch",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    let calls = stage.hook.calls();
    let named = played.requests.iter().find_map(Request::agent_id);
    assert_eq!(named, calls[3].payload["agent_id"].as_str());
}

#[test]
fn without_being_told_2_1_326_runs_a_subagent_in_the_background() {
    let mut stage = Stage::new(Version::V2_1_326);
    let played = stage.play(Scenario::BackgroundSubagent);
    assert_eq!(played.answer(), "Done.");
    let mut events = stage.events();
    // The order of the events of the subagent and of the call that started it isn't guaranteed
    // here.
    events[3..6].sort_unstable();
    assert_eq!(
        events,
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse Agent",
            "PostToolBatch",
            "PostToolUse Agent",
            "SubagentStart general-purpose",
            "Stop stop_hook_active=false",
            "SubagentStop general-purpose stop_hook_active=false",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    let calls = stage.hook.calls();
    assert_eq!(calls[6].payload["background_tasks"].as_array().map(Vec::len), Some(1));
    let prompt = calls[8].payload["prompt"].as_str().unwrap();
    assert_eq!(prompt.lines().next(), Some("<task-notification>"));
    assert_ne!(calls[8].payload["prompt_id"], calls[1].payload["prompt_id"]);
}

#[track_caller]
fn a_full_context_is_compacted(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::Compaction);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreToolUse Bash",
            "PostToolUse Bash",
            "PostToolBatch",
            "PreToolUse Bash",
            "PostToolUse Bash",
            "PostToolBatch",
            "PreCompact auto",
            "SubagentStop (empty) stop_hook_active=false",
            "SessionStart compact",
            "PostCompact auto",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    let calls = stage.hook.calls();
    let sessions = calls.iter().map(|call| &call.payload["session_id"]);
    assert!(sessions.clone().all(|session| *session == calls[0].payload["session_id"]));
}

#[track_caller]
fn a_resumed_session_keeps_its_id(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::Resume);
    assert_eq!(played.answer(), "Second.");
    assert_eq!(played.runs[0].session_id(), played.runs[1].session_id());
    let run = |source: &str| {
        [source, "UserPromptSubmit", "Stop stop_hook_active=false", "SessionEnd other"]
            .map(str::to_owned)
    };
    assert_eq!(stage.events(), [run("SessionStart startup"), run("SessionStart resume")].concat());
}

#[track_caller]
fn clearing_ends_one_session_and_starts_another(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::Clear);
    assert_eq!(played.answer(), "Second.");
    assert_eq!(
        stage.events(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "SessionEnd clear",
            "SessionStart clear",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
    let calls = stage.hook.calls();
    let sessions: Vec<_> = calls.iter().map(|call| &call.payload["session_id"]).collect();
    assert!(sessions[..4].iter().all(|session| *session == sessions[0]), "{sessions:?}");
    assert!(sessions[4..].iter().all(|session| *session == sessions[4]), "{sessions:?}");
    assert_ne!(sessions[0], sessions[4]);
}

#[track_caller]
fn an_error_of_the_upstream_takes_the_place_of_the_stop(version: Version) {
    let mut stage = Stage::new(version);
    let played = stage.play(Scenario::UpstreamError);
    assert_eq!(played.answer(), "Yes.");
    let mut events = stage.events();
    events[2..4].sort_unstable();
    assert_eq!(
        events,
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "StopFailure",
            "UserPromptSubmit",
            "Stop stop_hook_active=false",
            "SessionEnd other"
        ]
    );
}

#[track_caller]
fn without_a_terminal_a_hook_at_most_is_asked_for_permission(version: Version) {
    let mut stage = Stage::new(version);
    let allowed = json!({ "behavior": "allow" });
    let specific = json!({ "hookEventName": "PermissionRequest", "decision": allowed });
    stage.hook.answer("PermissionRequest", &json!({ "hookSpecificOutput": specific }));
    let call = Reply::tool_use("Bash", json!({ "command": "echo x > made" }));
    let upstream = Upstream::start(Script::new().step(call).step(Reply::text("Done.")));
    let settings = hook_settings(&stage.hook.command(), &EVENTS);
    let run = stage.client.print("go").hooks(&settings).run(&stage.environment, &upstream);
    assert_eq!(run.success().answer(), "Done.");
    upstream.finish();
    let asked = stage.hook.events().contains(&"PermissionRequest".to_owned());
    let made = stage.environment.project().join("made").exists();
    assert_eq!([asked, made], [version == Version::V2_1_326; 2]);
}

#[track_caller]
fn a_client_that_takes_too_long_is_killed(version: Version) {
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new().step(Reply::text("late").delay(Duration::MAX)));
    let client = ClaudeCode::installed(version);
    let print = client.print("go").time_limit(Duration::from_secs(2));
    let failure = failure_of(|| print.run(&environment, &upstream));
    assert_eq!(failure.lines().next(), Some("the client ran for more than 2s"));
    let _requests = failure_of(|| drop(upstream));
}

#[track_caller]
fn a_client_on_the_path_is_the_real_one(version: Version) {
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new().step(Reply::text("It's me.")));
    let client = ClaudeCode::installed(version).on_path(&environment, &upstream);
    let mut command = environment.command("sh");
    command.args(["-c", "PATH=$0:$PATH; claude -p hello", client.directory().to_str().unwrap()]);
    assert_eq!(environment.run_command(command, "").success().stdout, "It's me.\n");
    upstream.finish();
}

#[track_caller]
fn two_clients_work_side_by_side_in_one_project(version: Version) {
    let environment = TestEnvironment::new();
    let client = ClaudeCode::installed(version);
    let meeting = Meeting::of(2);
    let work = |own: &str| {
        let script = Script::new().step_with(meeting.then(Reply::text(format!("{own} is done."))));
        let upstream = Upstream::start(script);
        // The client passes this hook's output to the model.
        let settings = hook_settings(&format!("echo HOOK-OF-{own}"), &["UserPromptSubmit"]);
        let run = client.print(own).hooks(&settings).run(&environment, &upstream).success();
        assert_eq!(run.answer(), format!("{own} is done."));
        let requests = upstream.finish();
        let request = requests.iter().find(|request| request.kind() == Kind::Main).unwrap();
        assert_eq!(request.word_after("HOOK-OF-"), Some(own), "{}", request.body);
        run.session_id().to_owned()
    };
    let [one, other] = thread::scope(|scope| {
        ["ONE", "OTHER"].map(|own| scope.spawn(move || work(own))).map(|run| run.join().unwrap())
    });
    assert_ne!(one, other);
}
