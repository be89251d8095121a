//! The behaviour of every real client: the events that its hooks get, in order, and the requests it
//! sends.

use std::time::Duration;

use verger_testkit::{
    Client, ClientPrompt, CodexVersion, HookCall, Kind, RecordingHook, Reply, Request, Rule,
    Script, TestEnvironment, Upstream, in_each_client,
};

use crate::client_events::ClientEvents;
use crate::failure_of;

in_each_client! {
    a_command_runs_between_the_events_of_its_call
    a_file_is_written
    a_subagent_has_events_of_its_own
    a_client_that_takes_too_long_is_killed
}

/// A client whose hook records the calls.
struct Stage {
    client: Client,
    events: &'static ClientEvents,
    environment: TestEnvironment,
    hook: RecordingHook,
}

impl Stage {
    fn new(client: Client) -> Self {
        let environment = TestEnvironment::new();
        let hook = RecordingHook::new(&environment);
        let events = ClientEvents::of(client);
        client.register_hook(&environment, &hook.command(), events.recorded);
        Self { client, events, environment, hook }
    }

    /// Runs the client, whose last answer has to be `Done.`
    #[track_caller]
    fn play(&self, script: Script) -> Vec<Request> {
        self.play_with(script, |prompt, _| prompt)
    }

    #[track_caller]
    fn play_with(
        &self,
        script: Script,
        change: impl FnOnce(ClientPrompt, &Upstream) -> ClientPrompt,
    ) -> Vec<Request> {
        let upstream = Upstream::start(script.step(Reply::text("Done.")));
        let prompt = change(self.client.prompt("go"), &upstream);
        let run = prompt.run(&self.environment, &upstream).success();
        let requests = upstream.finish();
        assert_eq!(run.answer(), "Done.");
        requests
    }

    /// The calls by the main agent or by subagents, each with its keys but those that all have.
    fn calls(&self, is_of: impl Fn(&HookCall) -> bool) -> Vec<String> {
        let calls = self.hook.calls();
        let mut described: Vec<String> = calls
            .iter()
            .filter(|call| is_of(call))
            .map(|call| {
                let keys = call.payload.as_object().unwrap().keys();
                let (all, own): (Vec<_>, Vec<_>) =
                    keys.map(String::as_str).partition(|key| self.events.common.contains(key));
                assert_eq!(all, self.events.common, "{}", call.text);
                [&[&*call.event][..], &own].concat().join(" ")
            })
            .collect();
        // Copilot CLI runs the hooks of these two at the same time.
        if described.len() > 1 && described[1].starts_with("sessionStart") {
            described.swap(0, 1);
        }
        described
    }
}

fn is_of_subagent(call: &HookCall) -> bool {
    ["agent_id", "agentId"].iter().any(|key| call.payload.get(*key).is_some())
}

#[track_caller]
fn a_command_runs_between_the_events_of_its_call(client: Client) {
    let stage = Stage::new(client);
    let script = Script::new().step(Reply::blocks([client.shell("echo out-of-the-shell")]));
    let requests = stage.play(script);
    assert!(requests.last().unwrap().mentions("out-of-the-shell"));
    assert_eq!(stage.calls(|_| true), stage.events.command);
}

#[track_caller]
fn a_file_is_written(client: Client) {
    let stage = Stage::new(client);
    let path = stage.environment.project().join("new.txt");
    stage.play(Script::new().step(Reply::blocks([client.write_file(&path, "one\ntwo\n")])));
    assert_eq!(stage.environment.read("new.txt"), "one\ntwo\n");
}

#[track_caller]
fn a_subagent_has_events_of_its_own(client: Client) {
    let stage = Stage::new(client);
    let script = client.delegate(Script::new(), "Look around").rule(
        Rule::subagent()
            .step(Reply::blocks([client.shell("echo in-the-subagent")]))
            .step(Reply::blocks([client.subagent_result("Nothing seen.")])),
    );
    let requests = stage.play(script);
    assert!(requests.last().unwrap().mentions("Nothing seen."));
    assert_eq!(stage.calls(|call| !is_of_subagent(call)), stage.events.delegation);
    assert_eq!(stage.calls(is_of_subagent), stage.events.subagent);
    let mut kinds: Vec<Kind> = requests.iter().map(Request::kind).collect();
    kinds.retain(|kind| *kind == Kind::Subagent);
    assert_eq!(kinds.len(), 2);
}

#[track_caller]
fn a_client_that_takes_too_long_is_killed(client: Client) {
    let environment = TestEnvironment::new();
    let upstream = Upstream::start(Script::new().step(Reply::text("late").delay(Duration::MAX)));
    let prompt = client.prompt("go").time_limit(Duration::from_secs(2));
    let failure = failure_of(|| prompt.run(&environment, &upstream));
    assert_eq!(failure.lines().next(), Some(&*format!("{client} ran for more than 2s")));
    let _requests = failure_of(|| drop(upstream));
}

/// The services that Copilot CLI can be told to talk to, besides Anthropic's.
#[test]
fn copilot_cli_talks_to_services_of_each_form() {
    for (wire, path) in [("completions", "/v1/chat/completions"), ("responses", "/v1/responses")] {
        let client = Client::CopilotCli;
        let stage = Stage::new(client);
        let script = client
            .delegate(Script::new(), "Look around")
            .step(Reply::blocks([client.shell("echo out-of-the-shell")]))
            .rule(Rule::subagent().step(Reply::text("Nothing seen.")));
        let requests = stage.play_with(script, |prompt, upstream| {
            prompt
                .env("COPILOT_PROVIDER_TYPE", "openai")
                .env("COPILOT_PROVIDER_WIRE_API", wire)
                .env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", upstream.url()))
                .env("COPILOT_MODEL", "gpt-5.1")
        });
        let told: Vec<_> =
            requests.iter().map(|request| (request.kind(), &*request.path)).collect();
        let kinds = [Kind::Main, Kind::Subagent, Kind::Main, Kind::Main];
        assert_eq!(told, kinds.map(|kind| (kind, path)));
        assert!(requests[2].mentions("Nothing seen."), "{wire}");
        assert!(requests[3].mentions("out-of-the-shell"), "{wire}");
    }
}

#[test]
fn gemini_cli_repeats_pieces_of_an_answer_to_its_hooks() {
    let stage = Stage::new(Client::GeminiCli);
    stage.play(Script::new());
    let calls = stage.hook.calls();
    let call = calls.iter().find(|call| call.event == "AfterAgent").unwrap();
    // The pieces are "Do" and "ne.".
    assert_eq!(call.payload["prompt_response"], "Done. ne.");
}

#[test]
fn codex_goes_on_without_a_web_socket_when_it_is_refused() {
    for version in CodexVersion::ALL {
        let stage = Stage::new(Client::Codex(version));
        let requests = stage.play_with(Script::new(), |prompt, upstream| {
            prompt
                .arg("-c")
                .arg("model_provider=\"openai\"")
                .arg("-c")
                .arg(format!("openai_base_url=\"{}/v1\"", upstream.url()))
                .env("CODEX_API_KEY", "sk-fake-0000000000000000")
        });
        let kinds: Vec<Kind> = requests.iter().map(Request::kind).collect();
        assert_eq!(kinds, [Kind::Probe, Kind::Main], "{version:?}");
    }
}

#[test]
fn codex_skips_hooks_that_nobody_trusted() {
    for version in CodexVersion::ALL {
        let stage = Stage::new(Client::Codex(version));
        stage.play_with(Script::new(), |prompt, _| prompt.hooks_need_trust());
        assert_eq!(stage.hook.events(), [""; 0], "{version:?}");
    }
}
