//! One run of a client without a terminal.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use serde_json::Value;

use super::{Client, codex, copilot_cli, gemini_cli};
use crate::claude_code;
use crate::enclosure::Enclosure;
use crate::environment::{TIME_LIMIT, TestEnvironment};
use crate::supervised::{Ending, Supervised};
use crate::upstream::Upstream;

/// A run that is being described. All tools may be used without asking and outside of a sandbox,
/// and the project is trusted.
#[must_use = "nothing happens until `run`"]
pub struct ClientPrompt {
    client: Client,
    prompt: String,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    limit: Duration,
    hooks_need_trust: bool,
    allows_all: bool,
}

impl ClientPrompt {
    pub(super) fn new(client: Client, prompt: String) -> Self {
        Self {
            client,
            prompt,
            arguments: Vec::new(),
            variables: Vec::new(),
            directory: None,
            limit: TIME_LIMIT,
            hooks_need_trust: false,
            allows_all: true,
        }
    }

    /// Adds an argument, before the prompt.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Sets a variable, also one that the runner sets itself.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Runs somewhere else than in the project directory.
    pub fn current_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// The time after which the client and all it started is killed and the test fails; 90 seconds
    /// unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Makes Codex skip each hook that its user has not trusted, as it does by itself. Other
    /// clients have no such trust.
    pub fn hooks_need_trust(mut self) -> Self {
        self.hooks_need_trust = true;
        self
    }

    /// Leaves the permissions and the sandbox as they are without arguments. Nobody is there who
    /// could be asked.
    pub fn default_permissions(mut self) -> Self {
        self.allows_all = false;
        self
    }

    /// Runs the client to its end.
    #[track_caller]
    pub fn run(self, environment: &TestEnvironment, upstream: &Upstream) -> ClientRun {
        let enclosure = Enclosure::new(environment);
        let command = self.command(environment, upstream, &enclosure);
        let mut running = Supervised::spawn(command, self.limit);
        running.close_input();
        let outcome = running.finish();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&outcome.stdout), text(&outcome.stderr));
        let Ending::Exited(status) = outcome.ending else {
            let (client, limit) = (self.client, self.limit);
            panic!("{client} ran for more than {limit:?}\nstdout: {stdout}\nstderr: {stderr}");
        };
        ClientRun { client: self.client, status, stdout, stderr }
    }

    fn command(
        &self,
        environment: &TestEnvironment,
        upstream: &Upstream,
        enclosure: &Enclosure,
    ) -> Command {
        let program = self.client.installed();
        let (program, first) = program.split_first().expect("there is a program");
        let mut command = enclosure.isolated(environment, upstream, program);
        command.args(first);
        let (arguments, allow_all, variables) = match self.client {
            Client::ClaudeCode(_) => (
                claude_code::print_arguments(),
                claude_code::ALLOW_ALL,
                claude_code::variables(upstream),
            ),
            Client::Codex(_) => {
                (codex::arguments(environment, upstream), codex::ALLOW_ALL, codex::variables())
            }
            Client::GeminiCli => {
                gemini_cli::choose_login(environment);
                (gemini_cli::arguments(), gemini_cli::ALLOW_ALL, gemini_cli::variables(upstream))
            }
            Client::CopilotCli => {
                (copilot_cli::arguments(), copilot_cli::ALLOW_ALL, copilot_cli::variables(upstream))
            }
        };
        command.args(arguments);
        if self.allows_all {
            command.args(allow_all);
        }
        if matches!(self.client, Client::Codex(_)) && !self.hooks_need_trust {
            command.arg("--dangerously-bypass-hook-trust");
        }
        command.args(&self.arguments);
        match self.client {
            Client::ClaudeCode(_) | Client::Codex(_) => command.arg("--"),
            Client::GeminiCli | Client::CopilotCli => command.arg("--prompt"),
        };
        command.arg(&self.prompt).envs(variables);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// A run that has ended by itself.
#[derive(Debug)]
#[must_use = "a test that ignores what the client did tests nothing"]
pub struct ClientRun {
    client: Client,
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl ClientRun {
    /// Fails the test with all of the client's output if it did not succeed.
    #[track_caller]
    pub fn success(self) -> Self {
        let Self { client, status, stdout, stderr } = &self;
        assert!(status.success(), "{client} failed: {status}\nstdout: {stdout}\nstderr: {stderr}");
        self
    }

    /// The text of the last answer.
    #[track_caller]
    pub fn answer(&self) -> String {
        let found = match self.client {
            Client::GeminiCli => {
                let whole = serde_json::from_str(&self.stdout).unwrap_or_default();
                text_at(&whole, "/response")
            }
            Client::ClaudeCode(_) => self.last_with("/type", "result", "/result"),
            Client::Codex(_) => self.last_with("/item/type", "agent_message", "/item/text"),
            Client::CopilotCli => self.last_with("/type", "assistant.message", "/data/content"),
        };
        found.unwrap_or_else(|| panic!("there is no answer in: {}{}", self.stdout, self.stderr))
    }

    /// The text at a place in the last line of output that has this value at another place.
    fn last_with(&self, place: &str, value: &str, text: &str) -> Option<String> {
        let lines = self.stdout.lines().rev();
        let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages
            .find(|message| message.pointer(place).is_some_and(|found| found == value))
            .and_then(|message| text_at(&message, text))
    }
}

fn text_at(message: &Value, place: &str) -> Option<String> {
    message.pointer(place)?.as_str().map(str::to_owned)
}
