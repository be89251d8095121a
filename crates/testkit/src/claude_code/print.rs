//! A run of the client without a terminal: one or more prompts, then the end.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use serde_json::{Value, json};

use super::ClaudeCode;
use crate::enclosure::Enclosure;
use crate::environment::{TIME_LIMIT, TestEnvironment};
use crate::supervised::{Ending, Supervised};
use crate::upstream::Upstream;

/// A run that hasn't started yet.
#[must_use = "nothing happens until `run`"]
pub struct Print<'a> {
    client: &'a ClaudeCode,
    prompts: Vec<String>,
    settings: Option<Value>,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    limit: Duration,
}

impl<'a> Print<'a> {
    pub(super) fn new(client: &'a ClaudeCode, prompt: String) -> Self {
        Self {
            client,
            prompts: vec![prompt],
            settings: None,
            arguments: Vec::new(),
            variables: Vec::new(),
            directory: None,
            limit: TIME_LIMIT,
        }
    }

    /// Adds a prompt, or a command such as `/clear`. It is sent when the previous prompt has been
    /// answered.
    pub fn then(mut self, prompt: impl Into<String>) -> Self {
        self.prompts.push(prompt.into());
        self
    }

    /// Uses these settings in addition to those in the home and the project directory.
    pub fn hooks(mut self, settings: &Value) -> Self {
        self.settings = Some(settings.clone());
        self
    }

    pub fn allowed_tools<T: AsRef<str>>(self, tools: impl IntoIterator<Item = T>) -> Self {
        let tools: Vec<String> = tools.into_iter().map(|tool| tool.as_ref().to_owned()).collect();
        // A single argument, because the flag uses all following words, including the prompt.
        self.arg("--allowedTools").arg(tools.join(","))
    }

    pub fn resume(self, session_id: impl AsRef<OsStr>) -> Self {
        self.arg("--resume").arg(session_id)
    }

    pub fn model(self, model: impl AsRef<OsStr>) -> Self {
        self.arg("--model").arg(model)
    }

    /// Makes the client compact the conversation when a reply reports more than about 50,000 input
    /// tokens. Otherwise the client uses the size of its model's context window.
    pub fn small_context(self) -> Self {
        self.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "50000")
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Runs in another directory than the project.
    pub fn current_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// The time limit, 90 seconds by default. The client and all processes that it started are then
    /// killed, and the test fails.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs the client until it ends.
    #[track_caller]
    pub fn run(self, environment: &TestEnvironment, upstream: &Upstream) -> PrintRun {
        let enclosure = Enclosure::new(environment);
        let mut running =
            Supervised::spawn(self.command(environment, upstream, &enclosure), self.limit);
        if self.prompts.len() > 1 {
            self.converse(&mut running);
        }
        running.close_input();
        let outcome = running.finish();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&outcome.stdout), text(&outcome.stderr));
        let Ending::Exited(status) = outcome.ending else {
            let limit = self.limit;
            panic!("the client ran for more than {limit:?}\nstdout: {stdout}\nstderr: {stderr}");
        };
        let messages = stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        PrintRun { status, messages, stdout, stderr }
    }

    /// Sends each prompt after the result of the previous one. The client may merge prompts that
    /// are sent together into one turn, and may drop prompts that wait when the input closes.
    fn converse(&self, running: &mut Supervised) {
        for prompt in &self.prompts {
            let message = json!({ "role": "user", "content": prompt });
            running.send_line(&json!({ "type": "user", "message": message }).to_string());
            while let Some(line) = running.next_line() {
                let message: Value = serde_json::from_slice(&line).unwrap_or_default();
                if message["type"] == "result" {
                    break;
                }
            }
        }
    }

    fn command(
        &self,
        environment: &TestEnvironment,
        upstream: &Upstream,
        enclosure: &Enclosure,
    ) -> Command {
        let mut command =
            self.client.enclosed(environment, upstream, enclosure, self.settings.as_ref());
        command.args(["--print", "--verbose", "--output-format", "stream-json"]);
        command.args(&self.arguments);
        match &self.prompts[..] {
            [prompt] => command.arg("--").arg(prompt),
            _ => command.args(["--input-format", "stream-json"]),
        };
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

/// A run that ended by itself.
#[derive(Debug)]
#[must_use = "a test that ignores what the client did tests nothing"]
pub struct PrintRun {
    pub status: ExitStatus,
    /// The lines of `stdout`, which are JSON objects with a `type`.
    pub messages: Vec<Value>,
    pub stdout: String,
    pub stderr: String,
}

impl PrintRun {
    /// Fails the test, with all output of the client, if the run did not succeed.
    #[track_caller]
    pub fn success(self) -> Self {
        assert!(
            self.status.success(),
            "the client failed: {}\nstdout: {}\nstderr: {}",
            self.status,
            self.stdout,
            self.stderr
        );
        self
    }

    /// The last `result` message, in which the client reports the outcome of the run.
    #[track_caller]
    pub fn result(&self) -> &Value {
        let found = self.messages.iter().rfind(|message| message["type"] == "result");
        found.unwrap_or_else(|| panic!("there is no result in: {}{}", self.stdout, self.stderr))
    }

    /// The text of the last answer.
    #[track_caller]
    pub fn answer(&self) -> &str {
        self.result()["result"].as_str().expect("the result is a text")
    }

    /// The id of the last session of the run.
    #[track_caller]
    pub fn session_id(&self) -> &str {
        self.result()["session_id"].as_str().expect("the result names its session")
    }
}
