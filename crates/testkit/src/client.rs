//! The real coding agents, each in the versions that the tests run with.
//!
//! Their observed behaviour; `tests/it/client_sessions.rs` checks it against the real programs.
//! That of Claude Code stands in `claude_code.rs`.
//!
//! - **Codex.** The newest models of its list call tools from programs that they write; the runner
//!   chooses one that calls them itself. A subagent works beside the main agent, which asks for its
//!   end by a call of its own; the subagent's events have its id. A refused WebSocket costs one
//!   request. Hooks that nobody trusted are skipped, and nothing tells of it.
//! - **Gemini CLI.** Before each prompt, a subagent's too, a small model is asked which model is to
//!   answer. A subagent's events have no mark. `prompt_response` of `AfterAgent` is the answer only
//!   if it came in one piece: otherwise the first piece is the whole answer, and the others follow.
//!   The kind of login has to be in the user's settings.
//! - **Copilot CLI.** The hooks of `sessionStart` and of the first `userPromptSubmitted` run at the
//!   same time. `permissionRequest` comes for a command even if all tools are allowed. A subagent's
//!   events have its id, and its requests say that they are a subagent's.

mod codex;
mod copilot_cli;
mod gemini_cli;
mod hooks;
mod install;
mod prompt;

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use serde_json::json;
use verger_upstream::{Block, Reply, Script};

pub use codex::CodexVersion;
pub(crate) use install::platform_packages;
pub use install::{InstallError, Newest, agents_directories, install, install_newest};
pub use prompt::{ClientPrompt, ClientRun};

use crate::claude_code::Version;

/// A real coding agent in one version.
///
/// One test can be written for all of them: [`in_each_client!`](crate::in_each_client) runs it with
/// each, and [`shell`](Self::shell) and the like make the model's calls in the agent's own form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    ClaudeCode(Version),
    Codex(CodexVersion),
    GeminiCli,
    CopilotCli,
}

impl Client {
    pub const ALL: [Self; 6] = [
        Self::ClaudeCode(Version::V2_1_197),
        Self::ClaudeCode(Version::V2_1_326),
        Self::Codex(CodexVersion::V0_166_0),
        Self::Codex(CodexVersion::V0_169_0),
        Self::GeminiCli,
        Self::CopilotCli,
    ];

    /// Each client in the newest version that the tests know.
    pub const NEWEST: [Self; 4] = [
        Self::ClaudeCode(Version::V2_1_326),
        Self::Codex(CodexVersion::V0_169_0),
        Self::GeminiCli,
        Self::CopilotCli,
    ];

    /// The product's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode(_) => "Claude Code",
            Self::Codex(_) => "Codex",
            Self::GeminiCli => "Gemini CLI",
            Self::CopilotCli => "Copilot CLI",
        }
    }

    /// The name by which verger knows the agent.
    pub fn agent(self) -> &'static str {
        match self {
            Self::ClaudeCode(_) => "claude",
            Self::Codex(_) => "codex",
            Self::GeminiCli => "gemini",
            Self::CopilotCli => "copilot",
        }
    }

    pub fn version(self) -> &'static str {
        match self {
            Self::ClaudeCode(version) => version.as_str(),
            Self::Codex(version) => version.as_str(),
            Self::GeminiCli => "0.61.0",
            Self::CopilotCli => "1.0.102",
        }
    }

    /// The npm package.
    fn package(self) -> &'static str {
        match self {
            Self::ClaudeCode(_) => "@anthropic-ai/claude-code",
            Self::Codex(_) => "@openai/codex",
            Self::GeminiCli => "@google/gemini-cli",
            Self::CopilotCli => "@github/copilot",
        }
    }

    /// The tool by which the model runs a shell command, and the key of the command in its input.
    pub fn shell_tool(self) -> (&'static str, &'static str) {
        match self {
            Self::ClaudeCode(_) => ("Bash", "command"),
            Self::Codex(_) => ("exec_command", "cmd"),
            Self::GeminiCli => ("run_shell_command", "command"),
            Self::CopilotCli => ("bash", "command"),
        }
    }

    /// The model's call that runs a shell command.
    pub fn shell(self, command: &str) -> Block {
        let (tool, key) = self.shell_tool();
        let mut input = json!({ key: command });
        if self == Self::CopilotCli {
            input["description"] = json!("Run a command");
        }
        Block::tool_use(tool, input)
    }

    /// The tool by which the model writes a new file.
    pub fn write_tool(self) -> &'static str {
        match self {
            Self::ClaudeCode(_) => "Write",
            Self::Codex(_) => "apply_patch",
            Self::GeminiCli => "write_file",
            Self::CopilotCli => "create",
        }
    }

    /// The model's call that writes a new file with this text.
    pub fn write_file(self, path: &Path, text: &str) -> Block {
        let input = match self {
            Self::ClaudeCode(_) | Self::GeminiCli => json!({ "file_path": path, "content": text }),
            Self::Codex(_) => json!(codex::patch_that_adds(path, text)),
            Self::CopilotCli => json!({ "path": path, "file_text": text }),
        };
        Block::tool_use(self.write_tool(), input)
    }

    /// Adds the steps by which the model has a subagent work on a prompt and waits for it. The
    /// subagent's own steps are those of [`Rule::subagent`](verger_upstream::Rule::subagent); the
    /// last of them is [`subagent_result`](Self::subagent_result).
    #[must_use]
    pub fn delegate(self, script: Script, prompt: &str) -> Script {
        let (tool, input) = match self {
            Self::ClaudeCode(_) => (
                "Agent",
                json!({
                    "description": "Look",
                    "prompt": prompt,
                    "subagent_type": "general-purpose",
                    // 2.1.326 otherwise runs it in the background.
                    "run_in_background": false,
                }),
            ),
            Self::Codex(_) => (codex::SPAWN_AGENT, json!({ "message": prompt })),
            Self::GeminiCli => {
                ("invoke_agent", json!({ "agent_name": "generalist", "prompt": prompt }))
            }
            Self::CopilotCli => (
                "task",
                json!({
                    "agent_type": "general-purpose",
                    "description": "Look",
                    "mode": "sync",
                    "name": "look",
                    "prompt": prompt,
                }),
            ),
        };
        let script = script.step(Reply::tool_use(tool, input));
        match self {
            Self::Codex(_) => script.step_with(codex::wait_for_agent),
            Self::ClaudeCode(_) | Self::GeminiCli | Self::CopilotCli => script,
        }
    }

    /// The message with which a subagent ends its work.
    pub fn subagent_result(self, text: &str) -> Block {
        match self {
            Self::ClaudeCode(_) | Self::Codex(_) | Self::CopilotCli => Block::text(text),
            Self::GeminiCli => {
                Block::tool_use("complete_task", json!({ "result": { "response": text } }))
            }
        }
    }

    /// A run of the client without a terminal, with this prompt.
    pub fn prompt(self, prompt: impl Into<String>) -> ClientPrompt {
        ClientPrompt::new(self, prompt.into())
    }
}

impl Display for Client {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.name(), self.version())
    }
}

/// Makes of each function that takes a [`Client`] one test for every client.
#[macro_export]
macro_rules! in_each_client {
    ($($name:ident)*) => {
        $(mod $name {
            use $crate::{Client, CodexVersion, Version};

            #[test]
            fn in_claude_code_2_1_197() {
                super::$name(Client::ClaudeCode(Version::V2_1_197));
            }

            #[test]
            fn in_claude_code_2_1_326() {
                super::$name(Client::ClaudeCode(Version::V2_1_326));
            }

            #[test]
            fn in_codex_0_166_0() {
                super::$name(Client::Codex(CodexVersion::V0_166_0));
            }

            #[test]
            fn in_codex_0_169_0() {
                super::$name(Client::Codex(CodexVersion::V0_169_0));
            }

            #[test]
            fn in_gemini_cli() {
                super::$name(Client::GeminiCli);
            }

            #[test]
            fn in_copilot_cli() {
                super::$name(Client::CopilotCli);
            }
        })*
    };
}
