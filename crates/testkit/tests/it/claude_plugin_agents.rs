//! How the real client treats a plugin's agent: its name, the recipients of messages to it, and the
//! permissions of its calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};
use verger_testkit::{
    ClaudeCode, Kind, Print, RecordingHook, Reply, Request, Rule, Script, TestEnvironment,
    Upstream, Version, in_each_version,
};

const EVENTS: [&str; 10] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PostToolUseFailure",
    "SessionEnd",
];
/// How often [`wait_for_transcript`] checks, and the time between two checks. Together this is a
/// minute.
const LOOKS: u32 = 3000;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A command that the client doesn't run without permission.
const COMMAND: &str = "touch made";

in_each_version! {
    an_agents_file_may_have_the_name_of_a_plugins_agent
    agents_on_the_command_line_may_have_the_name_of_a_plugins_agent
    another_plugin_of_the_same_name_has_its_agents
    an_agent_in_the_background_is_told_apart_and_waited_for
    an_agent_that_gets_a_message_starts_again_under_its_id
    an_allowed_call_of_an_agent_asks_nobody_at_a_terminal
}

/// An environment with the plugin `house`, which has the agent `maid` and a hook that records every
/// event.
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
        let stage = Self { client: ClaudeCode::installed(version), environment, hook };
        stage.write_plugin(&stage.environment.root().join("market"), "house", "OF-THE-PLUGIN");
        let hook = |event: &str| {
            let command = format!("{} claude {event}", stage.hook.command());
            json!([{ "hooks": [{ "type": "command", "command": command }] }])
        };
        let hooks: Map<_, _> =
            EVENTS.iter().map(|event| ((*event).to_owned(), hook(event))).collect();
        let path = stage.environment.root().join("market/plugin/hooks/hooks.json");
        stage.environment.write(path, json!({ "hooks": hooks }).to_string());
        stage
    }

    fn write_plugin(&self, market: &Path, name: &str, prompt: &str) {
        let plugin = json!({ "name": "house", "source": "./plugin", "description": "x" });
        let listed = json!({ "name": name, "owner": { "name": "x" }, "plugins": [plugin] });
        let write = |path: &str, text: String| self.environment.write(market.join(path), text);
        write(".claude-plugin/marketplace.json", listed.to_string());
        let manifest = json!({ "name": "house", "version": "0.1.0", "description": "x" });
        write("plugin/.claude-plugin/plugin.json", manifest.to_string());
        write("plugin/agents/maid.md", agent_file("maid", prompt));
    }

    /// Enables plugins. Each item has the settings file, the marketplace and its directory.
    fn turn_on(&self, plugins: &[(PathBuf, &str, PathBuf)]) {
        let mut known = Map::new();
        for (settings, name, market) in plugins {
            let source = json!({ "source": "directory", "path": market });
            let on = json!({
                "extraKnownMarketplaces": { *name: { "source": source } },
                "enabledPlugins": { format!("house@{name}"): true },
            });
            self.environment.write(settings, on.to_string());
            let at = "2026-01-01T00:00:00.000Z";
            let entry = json!({ "source": source, "installLocation": market, "lastUpdated": at });
            known.insert((*name).to_owned(), entry);
        }
        let list = self.environment.home().join(".claude/plugins/known_marketplaces.json");
        self.environment.write(list, Value::from(known).to_string());
    }

    fn turn_on_own(&self) {
        let settings = self.environment.home().join(".claude/settings.json");
        self.turn_on(&[(settings, "house", self.environment.root().join("market"))]);
    }

    #[track_caller]
    fn play<'a>(
        &'a self,
        script: Script,
        print: impl FnOnce(Print<'a>) -> Print<'a>,
    ) -> Vec<Request> {
        let upstream = Upstream::start(script);
        let run = print(self.client.print("go")).run(&self.environment, &upstream).success();
        assert_eq!(run.answer(), "Done.");
        upstream.finish()
    }

    /// The name of the agent definition whose prompt is used when the model asks for `house:maid`.
    #[track_caller]
    fn prompt_of_maid<'a>(&'a self, print: impl FnOnce(Print<'a>) -> Print<'a>) -> &'static str {
        let script = Script::new()
            .step(maid(Place::Foreground))
            .step(Reply::text("Done."))
            .rule(Rule::subagent().step(Reply::text("Dusted.")));
        let requests = self.play(script, print);
        let calls = self.hook.calls();
        let started = calls.iter().find(|call| call.event == "SubagentStart").unwrap();
        assert_eq!(started.payload["agent_type"], "house:maid");
        let request = requests.iter().find(|request| request.kind() == Kind::Subagent).unwrap();
        let prompts = ["OF-THE-PLUGIN", "OF-SOMEBODY-ELSE"];
        prompts.into_iter().find(|prompt| request.mentions(prompt)).unwrap()
    }

    /// An answer that waits for the main agent's stop. If a subagent ends earlier, its end may be
    /// reported in the current turn.
    fn after_stop(&self, text: &'static str) -> impl Fn(&Request) -> Reply + use<> {
        let hook = self.hook.clone();
        move |_| {
            hook.wait_for("Stop");
            Reply::text(text)
        }
    }

    /// The field at `pointer` in each call of an event.
    fn of_event(&self, event: &str, pointer: &str) -> Vec<Value> {
        let calls = self.hook.calls();
        let calls = calls.iter().filter(|call| call.event == event);
        calls.map(|call| call.payload.pointer(pointer).cloned().unwrap_or_default()).collect()
    }

    fn is_made(&self) -> bool {
        self.environment.project().join("made").exists()
    }
}

fn agent_file(name: &str, prompt: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Keeps the house.\ntools: Read, Bash\n---\n\n{prompt}\n"
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Foreground,
    Background,
}

fn maid(place: Place) -> Reply {
    let call = json!({
        "description": "Dust",
        "prompt": "Dust the hall",
        "subagent_type": "house:maid",
        "run_in_background": place == Place::Background,
    });
    Reply::tool_use("Agent", call)
}

fn context(text: &str) -> Value {
    let output = json!({ "hookEventName": "SubagentStart", "additionalContext": text });
    json!({ "hookSpecificOutput": output })
}

fn allowed() -> Value {
    let output = json!({ "hookEventName": "PreToolUse", "permissionDecision": "allow" });
    json!({ "hookSpecificOutput": output })
}

fn bash(command: &str) -> Reply {
    Reply::tool_use("Bash", json!({ "command": command }))
}

fn an_agents_file_may_have_the_name_of_a_plugins_agent(version: Version) {
    let stage = Stage::new(version);
    stage.turn_on_own();
    stage
        .environment
        .write(".claude/agents/deep/x.md", agent_file("house:maid", "OF-SOMEBODY-ELSE"));
    let expected = match version {
        Version::V2_1_197 => "OF-SOMEBODY-ELSE",
        Version::V2_1_326 => "OF-THE-PLUGIN",
    };
    assert_eq!(stage.prompt_of_maid(|print| print), expected);
}

fn agents_on_the_command_line_may_have_the_name_of_a_plugins_agent(version: Version) {
    let stage = Stage::new(version);
    stage.turn_on_own();
    let agent = json!({ "description": "x", "prompt": "OF-SOMEBODY-ELSE" });
    let agents = json!({ "house:maid": agent }).to_string();
    let prompt = stage.prompt_of_maid(|print| print.arg("--agents").arg(agents));
    assert_eq!(prompt, "OF-SOMEBODY-ELSE");
}

fn another_plugin_of_the_same_name_has_its_agents(version: Version) {
    let stage = Stage::new(version);
    let other = stage.environment.project().join("market");
    stage.write_plugin(&other, "other", "OF-SOMEBODY-ELSE");
    let (user, project) = (
        stage.environment.home().join(".claude/settings.json"),
        stage.environment.project().join(".claude/settings.json"),
    );
    let own = stage.environment.root().join("market");
    stage.turn_on(&[(user, "house", own), (project, "other", other)]);
    assert_eq!(stage.prompt_of_maid(|print| print), "OF-SOMEBODY-ELSE");
}

fn an_agent_in_the_background_is_told_apart_and_waited_for(version: Version) {
    let mut stage = Stage::new(version);
    stage.turn_on_own();
    stage.hook.answer("SubagentStart", &context("FOR-THE-MAID"));
    stage.hook.answer("PreToolUse", &json!({}));
    stage.hook.answer("PreToolUse", &allowed());
    let script = Script::new()
        .step(maid(Place::Background))
        .step(Reply::text("Started."))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(bash(COMMAND)).step_with(stage.after_stop("Dusted.")));
    let requests = stage.play(script, |print| print);
    assert!(stage.is_made());
    let told = requests.iter().filter(|request| request.mentions("FOR-THE-MAID"));
    assert_eq!(told.map(Request::kind).collect::<Vec<_>>(), [Kind::Subagent; 2]);
    let ids = stage.of_event("SubagentStart", "/agent_id");
    assert_eq!(stage.of_event("PreToolUse", "/agent_id"), [Value::Null, ids[0].clone()]);
    assert_eq!(stage.of_event("SubagentStop", "/agent_id"), ids);
    assert_eq!(stage.of_event("PreToolUse", "/tool_name"), ["Agent", "Bash"]);
    assert_eq!(stage.of_event("PreToolUse", "/tool_input/prompt")[0], "Dust the hall");
    let running = json!([{
        "id": ids[0],
        "type": "subagent",
        "agent_type": "house:maid",
        "description": "Dust",
        "status": "running",
    }]);
    assert_eq!(stage.of_event("Stop", "/background_tasks"), [running, json!([])]);
    assert_eq!(stage.of_event("Stop", "/stop_hook_active"), [json!(false), json!(false)]);
    let prompts = stage.of_event("UserPromptSubmit", "/prompt");
    assert_eq!(prompts.len(), 2);
    assert!(prompts[1].as_str().unwrap().starts_with("<task-notification>"), "{prompts:?}");
}

/// Waits for the agent's transcript. The client writes it some time after the agent's end, and
/// restarts the agent from it. Before that, a message to the agent fails with `No transcript
/// found`.
#[track_caller]
fn wait_for_transcript(projects: &Path, agent: &str, last: &str) {
    let name = format!("agent-{agent}.jsonl");
    for _ in 0..LOOKS {
        let mut open = vec![projects.to_owned()];
        while let Some(directory) = open.pop() {
            // The client creates and removes directories while it works.
            for path in
                fs::read_dir(directory).into_iter().flatten().flatten().map(|one| one.path())
            {
                if path.is_dir() {
                    open.push(path);
                } else if path.ends_with(&name)
                    && fs::read_to_string(&path).is_ok_and(|text| text.contains(last))
                {
                    return;
                }
            }
        }
        thread::park_timeout(BETWEEN_LOOKS);
    }
    panic!("what {agent} said was never written down");
}

/// 2.1.325 ignores a hook's answer to the second start.
fn an_agent_that_gets_a_message_starts_again_under_its_id(version: Version) {
    let mut stage = Stage::new(version);
    stage.turn_on_own();
    stage.hook.answer("SubagentStart", &context("FIRST-START"));
    stage.hook.answer("SubagentStart", &context("SECOND-START"));
    let transcripts = stage.environment.home().join(".claude/projects");
    let more = move |request: &Request| {
        let id = request.word_after("SendMessage with to: '").unwrap();
        wait_for_transcript(&transcripts, id, "Dusted.");
        let message = json!({ "to": id, "summary": "go on", "message": "The stairs too." });
        Reply::tool_use("SendMessage", message)
    };
    let script = Script::new()
        .step(maid(Place::Foreground))
        .step_with(more)
        .step(Reply::text("Started."))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(Reply::text("Dusted.")).step_with(stage.after_stop("Again.")));
    let requests = stage.play(script, |print| print);
    let ids = stage.of_event("SubagentStart", "/agent_id");
    assert_eq!(ids, vec![ids[0].clone(); 2]);
    assert_eq!(stage.of_event("PreToolUse", "/tool_input/to"), [Value::Null, ids[0].clone()]);
    assert_eq!(stage.of_event("PreToolUse", "/tool_input/message")[1], "The stairs too.");
    let last = requests.iter().rfind(|request| request.kind() == Kind::Subagent).unwrap();
    assert!(last.mentions("FIRST-START"));
    assert_eq!(last.mentions("SECOND-START"), version == Version::V2_1_197);
}

fn an_allowed_call_of_an_agent_asks_nobody_at_a_terminal(version: Version) {
    let mut stage = Stage::new(version);
    stage.turn_on_own();
    stage.hook.answer("PreToolUse", &json!({}));
    stage.hook.answer("PreToolUse", &allowed());
    let (script, subagent) = (Script::new().step(maid(Place::Foreground)), Rule::subagent());
    let subagent = subagent.step(bash(COMMAND));
    // On a terminal, 2.1.325 runs every subagent in the background, whatever the call says.
    let script = match version {
        Version::V2_1_197 => script.rule(subagent.step(Reply::text("Dusted."))),
        Version::V2_1_326 => script
            .step(Reply::text("Started."))
            .rule(subagent.step_with(stage.after_stop("Dusted."))),
    };
    let upstream = Upstream::start(script.step(Reply::text("All is dusted.")));
    let mut client = stage.client.interactive(&stage.environment, &upstream, &json!({}));
    client.type_line("go");
    client.terminal.wait_for("All is dusted.");
    drop(client);
    assert!(stage.is_made());
    assert_eq!(stage.of_event("PermissionRequest", ""), Vec::<Value>::new());
    upstream.finish();
}
