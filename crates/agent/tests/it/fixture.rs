//! Reads the captured payloads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verger_agent::{AGENTS, AgentSpec, CLAUDE, CODEX, COPILOT, GEMINI, Malformed, Observed};

/// A payload as one version of a program sent it.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) agent: &'static AgentSpec,
    /// The event's name, and its variant after a hyphen.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Fixture {
    pub(crate) fn event_name(&self) -> &str {
        self.name.split('-').next().unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// Whether the adapter knows the payload and makes no event of it.
    pub(crate) fn is_passed_over(&self) -> bool {
        PASSED_OVER.contains(&(self.agent.name, &self.name))
    }

    /// Decodes this payload, or a changed form of it.
    pub(crate) fn decode(&self, payload: &Value) -> Result<Option<Observed>, Malformed> {
        (self.agent.decode)(self.event_name(), payload.to_string().as_bytes())
    }

    #[track_caller]
    pub(crate) fn observed(&self) -> Observed {
        (self.agent.decode)(self.event_name(), &self.bytes).unwrap().unwrap()
    }
}

/// The captured payloads that are not about the work, and the stop of a subagent that
/// `subagentStop` follows.
pub(crate) const PASSED_OVER: &[(&str, &str)] = &[
    ("claude", "DirectoryAdded"),
    ("claude", "PostModelSwitch"),
    ("claude", "PreModelSwitch"),
    ("codex", "Interrupt"),
    ("codex", "PostModelRequest-completed"),
    ("codex", "PostModelRequest-failed"),
    ("codex", "PreModelRequest"),
    ("codex", "PreModelRequest-in_subagent"),
    ("gemini", "AfterModel"),
    ("gemini", "BeforeModel"),
    ("gemini", "BeforeToolSelection"),
    ("gemini", "PreCompress"),
    ("copilot", "agentStop-first-in_subagent"),
    ("copilot", "agentStop-nested"),
    ("copilot", "errorOccurred"),
    ("copilot", "preMcpToolCall-recall"),
];

/// The words of a client for a call of its shell.
pub(crate) struct ShellWords {
    pub(crate) agent: &'static AgentSpec,
    pub(crate) session: &'static str,
    pub(crate) requested: &'static str,
    pub(crate) ended: &'static str,
    pub(crate) asked: Option<&'static str>,
    /// The keys of a tool's name, its input, and its answer.
    pub(crate) tool: [&'static str; 3],
    /// The key of the input when a permission is asked for.
    pub(crate) asked_input: &'static str,
    pub(crate) shell: &'static str,
}

const SNAKE: ShellWords = ShellWords {
    agent: &CLAUDE,
    session: "session_id",
    requested: "PreToolUse",
    ended: "PostToolUse",
    asked: Some("PermissionRequest"),
    tool: ["tool_name", "tool_input", "tool_response"],
    asked_input: "tool_input",
    shell: "Bash",
};

pub(crate) const SHELL_WORDS: &[ShellWords] = &[
    SNAKE,
    ShellWords { agent: &CODEX, ..SNAKE },
    ShellWords {
        agent: &GEMINI,
        requested: "BeforeTool",
        ended: "AfterTool",
        asked: None,
        shell: "run_shell_command",
        ..SNAKE
    },
    ShellWords {
        agent: &COPILOT,
        session: "sessionId",
        requested: "preToolUse",
        ended: "postToolUse",
        asked: Some("permissionRequest"),
        tool: ["toolName", "toolArgs", "toolResult"],
        asked_input: "toolInput",
        shell: "bash",
    },
];

/// The words of this client.
pub(crate) fn words_of(agent: &AgentSpec) -> &'static ShellWords {
    SHELL_WORDS.iter().find(|words| words.agent.name == agent.name).unwrap()
}

/// The decoded payload of Claude Code. Decoding must succeed.
#[track_caller]
pub(crate) fn decoded(event_name: &str, payload: &[u8]) -> Observed {
    (CLAUDE.decode)(event_name, payload).unwrap().unwrap()
}

/// The fields that an event doesn't require.
pub(crate) const OPTIONAL_FIELDS: &[&str] = &[
    "agent_transcript_path",
    "background_tasks",
    "command_source",
    "compact_summary",
    "custom_instructions",
    "cwd",
    "duration_ms",
    "effort",
    "error_details",
    "is_interrupt",
    "last_assistant_message",
    "load_reason",
    "memory_type",
    "model",
    "permission_mode",
    "permission_suggestions",
    "prompt_id",
    "session_crons",
    "stop_hook_active",
    "task_description",
    "tool_use_id",
    "transcript_path",
];

/// The folders of a client's payloads, one per version.
pub(crate) fn folders(client: &str) -> BTreeSet<PathBuf> {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(client);
    fs::read_dir(versions).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The fixtures of the version of Claude Code that has the most.
pub(crate) fn claude() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude/2.1.197");
    fixtures_in(&CLAUDE, &folder)
}

/// All fixtures of all versions of an agent.
pub(crate) fn fixtures_of(agent: &'static AgentSpec) -> Vec<Fixture> {
    folders(agent.name).iter().flat_map(|folder| fixtures_in(agent, folder)).collect()
}

/// All fixtures that are decoded, of all versions of all agents.
pub(crate) fn decoded_fixtures() -> Vec<Fixture> {
    AGENTS.iter().flat_map(fixtures_of).filter(|fixture| !fixture.is_passed_over()).collect()
}

pub(crate) fn fixtures_in(agent: &'static AgentSpec, folder: &Path) -> Vec<Fixture> {
    let read = |name: String| {
        let bytes = fs::read(folder.join(format!("{name}.json"))).unwrap();
        Fixture { agent, name, bytes }
    };
    stems(folder, "json").into_iter().map(read).collect()
}

pub(crate) fn named(name: &str) -> Fixture {
    claude().into_iter().find(|fixture| fixture.name == name).unwrap()
}

/// The names of the files in a directory with this extension, without the extension.
pub(crate) fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}
