//! The real Claude Code, offline, against a scripted upstream.
//!
//! Its observed behaviour, in both versions unless one is named. `tests/it/claude_code.rs` checks
//! each point against the real program where that is possible:
//!
//! - **Order.** A session without tools: `SessionStart`, `UserPromptSubmit`, `Stop`, `SessionEnd`.
//!   A tool call adds `PreToolUse`, then `PostToolUse` or `PostToolUseFailure`. One `PostToolBatch`
//!   follows all the calls of a message. Reading tools in one message run at the same time, and so
//!   do their hooks. Commands that may write run one after the other.
//! - **Prompts.** The first `SessionStart` has no `prompt_id`. Consecutive `Stop`s, which follow
//!   each other because a hook blocked them, have the `prompt_id` of the `UserPromptSubmit` before
//!   them; only the first has `stop_hook_active` false. `/clear` has its own `prompt_id`, which the
//!   `SessionEnd` has but no `UserPromptSubmit`. In 2.1.197 the next `SessionStart` has it too; in
//!   2.1.325 that one has none.
//! - **Subagents.** In the foreground, all events of a subagent come between `PreToolUse` and
//!   `PostToolUse` of `Agent`. 2.1.325 runs a subagent in the background unless its input has
//!   `"run_in_background": false`. In the background, `PostToolUse` comes at once, and the
//!   session's `Stop` may come while the subagent works (it is then in `background_tasks`). The
//!   model learns of the subagent's end by another `UserPromptSubmit`, whose prompt begins with
//!   `<task-notification>`. Another `Stop` follows; both have a new `prompt_id`.
//! - **Agents of a plugin.** Their type is `plugin:agent`. Their `tools` and `model: inherit` are
//!   used. In the input of a hook, `Task` is named `Agent`. Other definitions can have the same
//!   type: an agent's file of that name (2.1.197 only, read when the client starts), `--agents`,
//!   and another plugin of the same name that a project's settings enable. On a terminal, 2.1.325
//!   runs every subagent in the background. A message (`SendMessage`) to a subagent that has ended
//!   starts it again under its id; only 2.1.197 passes a hook's output to that second start. The
//!   client restarts the subagent from its transcript, which is written some time after the end,
//!   and can't restart it before. A blocked stop is reported to the subagent as `Stop hook
//!   feedback:` (2.1.197) or with the hook's command line before the reason (2.1.325). Its next
//!   stop has `stop_hook_active` true.
//! - **Compaction.** The events are `PreCompact`, `SubagentStop` with an empty `agent_type` and
//!   without a start, `SessionStart` with source `compact`, and `PostCompact`. The session keeps
//!   its id. There must be two exchanges before the one that fills the context.
//! - **Clearing.** `/clear` can be sent as a message to a client that reads messages from its
//!   input; no terminal is needed. The new session has a new id.
//! - **Input.** If the input closes before a message was begun, 2.1.197 drops the message and
//!   2.1.325 answers it. So each message is sent after the result of the previous one.
//! - **On a terminal.** `PermissionRequest` comes between `PreToolUse` and the tool's end.
//!   `Notification` comes some six seconds later if the user doesn't answer. Without a terminal
//!   there is neither. 2.1.325 asks for permission only in the permission mode `default`.
//!   `SessionEnd` has the `prompt_id` of `/exit`, which no other event has.
//! - **Failures of the upstream.** `StopFailure` comes instead of `Stop`. The client doesn't wait
//!   for its hooks. They may overlap with those of the next prompt, and are killed if the client
//!   ends first, which it does at once when there is no other prompt. After 400 or 422, 2.1.325
//!   sends the request five more times with fewer features. After 404, it is sent twice. After 402,
//!   403 and 413 it isn't repeated, nor after 400 and 422 in 2.1.197.
//! - **Connections.** 2.1.197 sends `HEAD /` first; 2.1.325 does not.
//! - **Version.** Of the environment variables of a hook, only `AI_AGENT` has the client's version,
//!   as `claude-code_2-1-325_harness`. Requests have it in `User-Agent` and in the first block of
//!   the system prompt. Both versions set `CLAUDECODE`, `CLAUDE_CODE_CHILD_SESSION`,
//!   `CLAUDE_CODE_ENTRYPOINT`, `CLAUDE_CODE_SESSION_ID` and `CLAUDE_PROJECT_DIR`. 2.1.325 also sets
//!   `CLAUDE_PID`, `CLAUDE_CODE_SESSION_ATTENDED`, `CLAUDE_CODE_MESSAGING_SOCKET` and
//!   `CLAUDE_CODE_MESSAGING_TOKEN`. `CLAUDE_ENV_FILE` is set only for `SessionStart`. The user's
//!   own variables are all set, including the API key.

mod interactive;
mod on_path;
mod print;
mod recording_hook;
mod scenario;

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use serde_json::{Map, Value, json};
use verger_agent::DEMONSTRATED_RUN;

pub use interactive::{Interactive, PermissionMode};
pub use on_path::OnPath;
pub use print::{Print, PrintRun};
pub use recording_hook::{HookCall, RecordingHook};
pub use scenario::{Playing, Scenario, ScenarioPlayed, UnknownScenario};

use crate::client::{Client, platform_packages};
use crate::enclosure::{Enclosure, Isolation};
use crate::environment::TestEnvironment;
use crate::upstream::Upstream;

/// The versions that the tests run with: the oldest supported one and a recent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    V2_1_197,
    V2_1_326,
}

impl Version {
    pub const ALL: [Self; 2] = [Self::V2_1_197, Self::V2_1_326];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_1_197 => "2.1.197",
            Self::V2_1_326 => "2.1.326",
        }
    }
}

/// Turns each function that takes a version into a test for every version.
#[macro_export]
macro_rules! in_each_version {
    ($($name:ident)*) => {
        $(mod $name {
            #[test]
            fn in_2_1_197() {
                super::$name($crate::Version::V2_1_197);
            }

            #[test]
            fn in_2_1_326() {
                super::$name($crate::Version::V2_1_326);
            }
        })*
    };
}

impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        Self::ALL.into_iter().find(|version| version.as_str() == text).ok_or(UnknownVersion)
    }
}

/// The error for a version that the tests don't support.
#[derive(Debug)]
pub struct UnknownVersion;

impl Display for Version {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// An installed client.
#[derive(Clone, Debug)]
pub struct ClaudeCode {
    version: String,
    /// The program and the arguments that come before all others.
    command: Vec<OsString>,
}

impl ClaudeCode {
    /// The client of this version. Fails the test if it isn't installed.
    #[track_caller]
    pub fn installed(version: Version) -> Self {
        let command = Client::ClaudeCode(version).installed();
        Self { version: version.to_string(), command }
    }

    /// The client of this version, if it is installed.
    pub fn find(version: Version) -> Option<Self> {
        let command = Client::ClaudeCode(version).find()?;
        Some(Self { version: version.to_string(), command })
    }

    /// A client at another path, whose version the caller knows.
    pub fn at(program: impl Into<OsString>, version: impl Into<String>) -> Self {
        Self { version: version.into(), command: vec![program.into()] }
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// The network isolation for the client that this system supports.
    pub fn isolation() -> Isolation {
        Isolation::available()
    }

    /// The program and the arguments that come before all others.
    pub fn command(&self) -> &[OsString] {
        &self.command
    }

    /// A run of `claude --print` with this prompt.
    pub fn print(&self, prompt: impl Into<String>) -> Print<'_> {
        Print::new(self, prompt.into())
    }

    /// A command for the client with only its settings as arguments, without access to the network.
    fn enclosed(
        &self,
        environment: &TestEnvironment,
        upstream: &Upstream,
        enclosure: &Enclosure,
        settings: Option<&Value>,
    ) -> Command {
        let (program, first) = self.command.split_first().expect("there is a program");
        let mut command = enclosure.isolated(environment, upstream, program);
        command.args(first);
        if let Some(settings) = settings {
            command.arg("--settings").arg(enclosure.keep("settings.json", &settings.to_string()));
        }
        command.envs(variables(upstream));
        command
    }
}

/// The arguments of a run for any client, without the prompt.
pub(crate) fn print_arguments() -> Vec<String> {
    ["--print", "--verbose", "--output-format", "stream-json"].map(str::to_owned).into()
}

/// The arguments that allow all tools.
pub(crate) const ALLOW_ALL: &[&str] = &["--allowedTools", "Bash,Read,Write,Edit,Agent"];

/// The environment variables that point the client to the upstream only.
pub(crate) fn variables(upstream: &Upstream) -> Vec<(&'static str, String)> {
    let mut variables = (DEMONSTRATED_RUN.service)(&upstream.url());
    variables.push(("IS_SANDBOX", "1".to_owned()));
    variables
}

/// The client in a directory of packages: the native program, or else the wrapper.
pub(crate) fn program_in(packages: &Path) -> Option<Vec<OsString>> {
    let scope = packages.join("@anthropic-ai");
    let programs = platform_packages(&scope, "claude-code-").into_iter();
    let mut programs = programs.map(|package| package.join("claude"));
    if let Some(program) = programs.find(|program| program.is_file()) {
        return Some(vec![program.into_os_string()]);
    }
    let wrapper = scope.join("claude-code/cli-wrapper.cjs");
    wrapper.exists().then(|| vec!["node".into(), wrapper.into_os_string()])
}

/// Settings with a hook for each of these events, which runs `<command> claude <Event>`.
pub fn hook_settings(command: &str, events: &[&str]) -> Value {
    let hooks: Map<String, Value> = events
        .iter()
        .map(|event| {
            let hook = json!({ "type": "command", "command": format!("{command} claude {event}") });
            ((*event).to_owned(), json!([{ "hooks": [hook] }]))
        })
        .collect();
    json!({ "hooks": hooks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_runs_the_command_with_its_name() {
        let hook = |event| {
            let command = format!("/bin/hook claude {event}");
            json!([{ "hooks": [{ "type": "command", "command": command }] }])
        };
        assert_eq!(
            hook_settings("/bin/hook", &["Stop", "SessionEnd"]),
            json!({ "hooks": { "Stop": hook("Stop"), "SessionEnd": hook("SessionEnd") } })
        );
    }
}
