//! What Claude Code sends, field by field, as captured from 2.1.197.
//!
//! Every payload is read twice: once as [`Common`], once as its event's own struct. A field that
//! is not named here is passed over; a field that is named and occurs twice is an error. What
//! verger's events have no place for is left out: `transcript_path` except at the start of a
//! session (it stays the same), `turn_id` and `final` of a message, and `expansion_type` of a slash
//! command. The tests hold the list.
#![expect(clippy::struct_field_names, reason = "the names are the program's")]

use serde::Deserialize;
use serde_json::Value;

use crate::payload::{Id, Object};

/// The fields of [`Common`], and those every payload has beside them.
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
    pub(super) hook_event_name: Option<Id>,
    pub(super) cwd: Option<String>,
    pub(super) prompt_id: Option<Id>,
    pub(super) permission_mode: Option<String>,
    pub(super) effort: Option<Object<Effort>>,
    /// Inside a subagent.
    pub(super) agent_id: Option<Id>,
    /// Inside a subagent its type; else the `--agent` that the main agent was started as.
    pub(super) agent_type: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Effort {
    pub(super) level: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionStart {
    pub(super) source: String,
    pub(super) model: Option<String>,
    pub(super) transcript_path: Option<String>,
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
    pub(super) command_source: Option<String>,
    pub(super) prompt: String,
}

#[derive(Deserialize)]
pub(super) struct PreToolUse {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    pub(super) tool_use_id: Option<Id>,
}

#[derive(Deserialize)]
pub(super) struct PermissionRequest {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    pub(super) permission_suggestions: Option<Vec<Value>>,
}

#[derive(Deserialize)]
pub(super) struct PostToolUse {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    pub(super) tool_use_id: Option<Id>,
    /// Left out when the tool gives nothing back.
    #[serde(default)]
    pub(super) tool_response: Value,
    pub(super) duration_ms: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct PostToolUseFailure {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    pub(super) tool_use_id: Option<Id>,
    pub(super) error: String,
    pub(super) is_interrupt: Option<bool>,
    pub(super) duration_ms: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct PostToolBatch {
    pub(super) tool_calls: Vec<Object<BatchedCall>>,
}

#[derive(Deserialize)]
pub(super) struct BatchedCall {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    pub(super) tool_use_id: Option<Id>,
    #[serde(default)]
    pub(super) tool_response: Value,
}

#[derive(Deserialize)]
pub(super) struct Stop {
    pub(super) stop_hook_active: Option<bool>,
    pub(super) last_assistant_message: Option<String>,
    pub(super) background_tasks: Option<Vec<Object<BackgroundTask>>>,
    pub(super) session_crons: Option<Vec<Value>>,
}

#[derive(Deserialize)]
pub(super) struct BackgroundTask {
    pub(super) id: Id,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) status: String,
    pub(super) agent_type: Option<String>,
    pub(super) description: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct StopFailure {
    pub(super) error: String,
    pub(super) error_details: Option<String>,
    pub(super) last_assistant_message: Option<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read as the actor; here only so that neither can be missing")]
pub(super) struct SubagentStart {
    pub(super) agent_id: Id,
    pub(super) agent_type: String,
}

#[derive(Deserialize)]
pub(super) struct SubagentStop {
    pub(super) agent_id: Id,
    /// Empty for the fork that summarises the conversation.
    pub(super) agent_type: String,
    pub(super) agent_transcript_path: Option<String>,
    pub(super) stop_hook_active: Option<bool>,
    pub(super) last_assistant_message: Option<String>,
    pub(super) background_tasks: Option<Vec<Object<BackgroundTask>>>,
    pub(super) session_crons: Option<Vec<Value>>,
}

#[derive(Deserialize)]
pub(super) struct PreCompact {
    pub(super) trigger: String,
    pub(super) custom_instructions: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct PostCompact {
    pub(super) trigger: String,
    pub(super) compact_summary: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Task {
    pub(super) task_id: Id,
    pub(super) task_subject: String,
    pub(super) task_description: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Notification {
    pub(super) notification_type: String,
    pub(super) message: String,
}

#[derive(Deserialize)]
pub(super) struct ConfigChange {
    pub(super) source: String,
    pub(super) file_path: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct InstructionsLoaded {
    pub(super) file_path: String,
    pub(super) memory_type: Option<String>,
    pub(super) load_reason: Option<String>,
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
