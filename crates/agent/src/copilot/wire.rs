//! Copilot CLI's payloads, field by field, as captured from 1.0.102. A field that is not named here
//! is ignored.

use serde::Deserialize;

use crate::lenient::{Entries, Lenient};
use crate::payload::{FilledId, Id, Kept};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Common {
    pub(super) session_id: Id,
    pub(super) cwd: Lenient<String>,
    /// Set inside a subagent. An invalid id is an error, so that it isn't taken for the main agent.
    pub(super) agent_id: Option<Id>,
    pub(super) agent_type: Lenient<String>,
    /// The session of a subagent, or the subagent that started it.
    pub(super) parent_agent_id: Lenient<Id>,
    /// The session's, also in a subagent's payload.
    pub(super) transcript_path: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionStart {
    pub(super) source: String,
}

#[derive(Deserialize)]
pub(super) struct SessionEnd {
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct Prompt {
    pub(super) prompt: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Call {
    pub(super) tool_name: String,
    pub(super) tool_args: Kept,
    #[serde(default)]
    pub(super) tool_result: Kept,
    /// Only of a call that the tool refused.
    pub(super) error: Lenient<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PermissionRequest {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) permission_suggestions: Entries<Kept>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read as the actor; here only so that it can't be missing")]
pub(super) struct Subagent {
    pub(super) agent_id: FilledId,
}

#[derive(Deserialize)]
pub(super) struct Stop {
    /// In this case in every payload.
    pub(super) stop_hook_active: Lenient<bool>,
    /// Only of a subagent.
    pub(super) response: Lenient<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PreCompact {
    pub(super) trigger: String,
    pub(super) custom_instructions: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct Notification {
    pub(super) notification_type: String,
    pub(super) message: String,
}
