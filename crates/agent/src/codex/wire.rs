//! Codex's payloads, field by field, as captured from versions 0.166.0 and 0.169.0. Fields that
//! are not listed here are ignored.
#![expect(clippy::struct_field_names, reason = "the program chose the names")]

use serde::Deserialize;

use crate::lenient::Lenient;
use crate::payload::{FilledId, Id, Kept};

#[derive(Deserialize)]
pub(super) struct Common {
    pub(super) session_id: Id,
    pub(super) hook_event_name: Lenient<String>,
    pub(super) cwd: Lenient<String>,
    /// The prompt that the agent works on.
    pub(super) turn_id: Lenient<Id>,
    pub(super) permission_mode: Lenient<String>,
    /// Set if the event is a subagent's. An invalid id is an error; otherwise the event would be
    /// attributed to the main agent.
    pub(super) agent_id: Option<Id>,
    pub(super) agent_type: Lenient<String>,
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
pub(super) struct UserPromptSubmit {
    pub(super) prompt: String,
}

/// A tool call before it runs, or before the person is asked about it.
#[derive(Deserialize)]
pub(super) struct Call {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) tool_use_id: Lenient<Id>,
}

#[derive(Deserialize)]
pub(super) struct PostToolUse {
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
    /// Set if the event is a subagent's.
    pub(super) agent_transcript_path: Lenient<String>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "makes both fields required; they are read as the actor")]
pub(super) struct Subagent {
    pub(super) agent_id: FilledId,
    pub(super) agent_type: String,
}

#[derive(Deserialize)]
pub(super) struct Compact {
    pub(super) trigger: String,
}
