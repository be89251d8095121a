//! A project in which the real client calls the hook program for every event.

use serde_json::{Value, json};
use verger_agent::{Capture, by_name};
use verger_testkit::{
    ClaudeCode, Print, PrintRun, Reply, Request, Script, TestEnvironment, Upstream, Version,
    hook_settings,
};

use crate::log::Log;

/// The path of the tested program.
pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_verger-hook");

/// The user in git's configuration of the project.
pub(crate) const USER: &str = "ada@example.invalid";

pub(crate) struct Stage {
    pub(crate) client: ClaudeCode,
    pub(crate) environment: TestEnvironment,
}

/// A run of the client, and the requests that the model got.
pub(crate) struct Played {
    pub(crate) run: PrintRun,
    pub(crate) requests: Vec<Request>,
}

impl Stage {
    #[track_caller]
    pub(crate) fn new(version: Version) -> Self {
        let environment = TestEnvironment::with_repository();
        let configured = environment.run("git", ["config", "user.email", USER], "");
        assert_eq!(configured.success().stdout, "");
        // Drift is tested elsewhere, so its records are turned off here.
        let config = environment.verger_home().join("config/config.toml");
        environment.write(config, "[drift]\nmode = \"off\"\n");
        Self { client: ClaudeCode::installed(version), environment }
    }

    /// Runs a conversation that begins with the prompt `go`.
    #[track_caller]
    pub(crate) fn play<'a>(
        &'a self,
        settings: &Value,
        script: Script,
        print: impl FnOnce(Print<'a>) -> Print<'a>,
    ) -> Played {
        let upstream = Upstream::start(script);
        let print = print(self.client.print("go").hooks(settings));
        let run = print.run(&self.environment, &upstream);
        Played { run, requests: upstream.finish() }
    }

    pub(crate) fn log(&self) -> Log {
        Log::of(&self.environment)
    }

    /// The requests that mention verger. The name of the environment's directory doesn't count,
    /// because it contains the word.
    pub(crate) fn traces<'a>(&self, requests: &'a [Request]) -> Vec<&'a Request> {
        let directory = self.environment.root().file_name().unwrap().to_string_lossy().into_owned();
        let is_trace = |request: &&Request| {
            let headers = request.headers.iter().any(|(name, value)| {
                name.to_lowercase().contains("verger") || value.to_lowercase().contains("verger")
            });
            let body = request.body.to_string().replace(&directory, "");
            headers || body.to_lowercase().contains("verger")
        };
        requests.iter().filter(is_trace).collect()
    }
}

/// Settings that call `command` for every captured event. `MessageDisplay` is left out, because
/// it is sent for every piece of a message.
pub(crate) fn all_events(command: &str) -> Value {
    let events = by_name("claude").unwrap().events.iter();
    // The older version warns about events that it doesn't know. verger decodes none of those.
    let captured =
        events.filter(|event| event.capture == Capture::Captured && !event.kinds.is_empty());
    let names: Vec<_> =
        captured.map(|event| event.name).filter(|name| *name != "MessageDisplay").collect();
    hook_settings(command, &names)
}

pub(crate) fn bash(command: &str) -> Reply {
    Reply::tool_use("Bash", json!({ "command": command }))
}
