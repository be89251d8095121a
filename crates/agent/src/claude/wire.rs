//! Claude Code's payloads, field by field, as captured from 2.1.197 and 2.1.326.
//!
//! Every payload is parsed twice: as [`Common`], and as its event's own struct. Fields that are
//! not listed here are ignored. A listed field that occurs twice is an error. A field that the
//! event doesn't require is [`Lenient`]. If one call of a tool batch can't be parsed, the whole
//! batch is an error, because a missing call would mean that it never ran.
//!
//! Some fields are left out, because verger's events have no place for them: `transcript_path`
//! except at the start of a session (it stays the same), `turn_id` and `final` of a message,
//! `expansion_type` of a slash command, `mcp_server` of a call (its tool's name has the server), and
//! the figures of the prompt's cache at the start of a session. The tests hold the list.
#![expect(clippy::struct_field_names, reason = "the names are the program's")]

use serde::Deserialize;

use crate::lenient::{Entries, Lenient, Millis};
use crate::payload::{FilledId, Id, Kept, Object};

/// The fields of [`Common`], and other fields that every payload has.
pub(super) const COMMON_FIELDS: &[&str] = &[
    "session_id",
    "hook_event_name",
    "cwd",
    "prompt_id",
    "permission_mode",
    "effort",
    "agent_id",
    "agent_type",
    "transcript_path",
];

#[derive(Deserialize)]
pub(super) struct Common {
    pub(super) session_id: Id,
    pub(super) hook_event_name: Lenient<String>,
    pub(super) cwd: Lenient<String>,
    pub(super) prompt_id: Lenient<Id>,
    pub(super) permission_mode: Lenient<String>,
    pub(super) effort: Lenient<Object<Effort>>,
    /// Set if the event is a subagent's. An invalid id is an error; otherwise the event would be
    /// attributed to the main agent.
    pub(super) agent_id: Option<Id>,
    /// The subagent's type, or the value of `--agent` for the main agent.
    pub(super) agent_type: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct Effort {
    pub(super) level: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionStart {
    pub(super) source: String,
    pub(super) model: Lenient<String>,
    pub(super) transcript_path: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionEnd {
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct Setup {
    pub(super) trigger: String,
}

#[derive(Deserialize)]
pub(super) struct UserPromptSubmit {
    pub(super) prompt: String,
}

#[derive(Deserialize)]
pub(super) struct UserPromptExpansion {
    pub(super) command_name: String,
    pub(super) command_args: String,
    pub(super) command_source: Lenient<String>,
    pub(super) prompt: String,
}

#[derive(Deserialize)]
pub(super) struct PreToolUse {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) tool_use_id: Lenient<Id>,
}

#[derive(Deserialize)]
pub(super) struct PermissionRequest {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) permission_suggestions: Entries<Kept>,
}

#[derive(Deserialize)]
pub(super) struct PostToolUse {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) tool_use_id: Lenient<Id>,
    /// Missing if the tool returned nothing.
    #[serde(default)]
    pub(super) tool_response: Kept,
    pub(super) duration_ms: Lenient<Millis>,
}

#[derive(Deserialize)]
pub(super) struct PostToolUseFailure {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) tool_use_id: Lenient<Id>,
    pub(super) error: String,
    pub(super) is_interrupt: Lenient<bool>,
    pub(super) duration_ms: Lenient<Millis>,
}

#[derive(Deserialize)]
pub(super) struct PostToolBatch {
    pub(super) tool_calls: Vec<Object<BatchedCall>>,
}

#[derive(Deserialize)]
pub(super) struct BatchedCall {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) tool_use_id: Lenient<Id>,
    #[serde(default)]
    pub(super) tool_response: Kept,
}

#[derive(Deserialize)]
pub(super) struct Stop {
    pub(super) stop_hook_active: Lenient<bool>,
    pub(super) last_assistant_message: Lenient<String>,
    pub(super) background_tasks: Entries<Object<BackgroundTask>>,
    pub(super) session_crons: Entries<Kept>,
}

#[derive(Deserialize)]
pub(super) struct BackgroundTask {
    pub(super) id: Lenient<Id>,
    #[serde(rename = "type")]
    pub(super) kind: Lenient<String>,
    pub(super) status: Lenient<String>,
    pub(super) agent_type: Lenient<String>,
    pub(super) description: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct StopFailure {
    pub(super) error: String,
    pub(super) error_details: Lenient<String>,
    pub(super) last_assistant_message: Lenient<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "makes both fields required; they are read as the actor")]
pub(super) struct SubagentStart {
    pub(super) agent_id: FilledId,
    pub(super) agent_type: String,
}

#[derive(Deserialize)]
pub(super) struct SubagentStop {
    pub(super) agent_id: FilledId,
    /// Empty for the fork that summarizes the conversation.
    pub(super) agent_type: String,
    pub(super) agent_transcript_path: Lenient<String>,
    pub(super) stop_hook_active: Lenient<bool>,
    pub(super) last_assistant_message: Lenient<String>,
    pub(super) background_tasks: Entries<Object<BackgroundTask>>,
    pub(super) session_crons: Entries<Kept>,
}

#[derive(Deserialize)]
pub(super) struct PreCompact {
    pub(super) trigger: String,
    pub(super) custom_instructions: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct PostCompact {
    pub(super) trigger: String,
    pub(super) compact_summary: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct Task {
    pub(super) task_id: Id,
    pub(super) task_subject: String,
    pub(super) task_description: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct Notification {
    pub(super) notification_type: String,
    pub(super) message: String,
}

#[derive(Deserialize)]
pub(super) struct ConfigChange {
    pub(super) source: String,
    pub(super) file_path: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct InstructionsLoaded {
    pub(super) file_path: String,
    pub(super) memory_type: Lenient<String>,
    pub(super) load_reason: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct CwdChanged {
    pub(super) old_cwd: String,
    pub(super) new_cwd: String,
}

#[derive(Deserialize)]
pub(super) struct FileChanged {
    pub(super) file_path: String,
    pub(super) event: String,
}

#[derive(Deserialize)]
pub(super) struct MessageDisplay {
    pub(super) message_id: Id,
    pub(super) index: u64,
    pub(super) delta: String,
}
