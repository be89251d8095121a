//! Gemini CLI's payloads, field by field, as captured from 0.61.0. A field that is not named here
//! is ignored.

use serde::Deserialize;

use crate::lenient::Lenient;
use crate::payload::{Id, Kept};

#[derive(Deserialize)]
pub(super) struct Common {
    pub(super) session_id: Id,
    pub(super) hook_event_name: Lenient<String>,
    pub(super) cwd: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionStart {
    pub(super) source: String,
    pub(super) transcript_path: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionEnd {
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct BeforeAgent {
    pub(super) prompt: String,
}

#[derive(Deserialize)]
pub(super) struct Call {
    pub(super) tool_name: String,
    pub(super) tool_input: Kept,
    pub(super) mcp_context: Lenient<Mcp>,
    /// Only after the call.
    #[serde(default)]
    pub(super) tool_response: Kept,
}

/// The server of an MCP tool. The program's name for the tool doesn't tell where the server's name
/// ends.
#[derive(Deserialize)]
pub(super) struct Mcp {
    pub(super) server_name: String,
    pub(super) tool_name: String,
}

#[derive(Deserialize)]
pub(super) struct AfterAgent {
    pub(super) stop_hook_active: Lenient<bool>,
    /// All texts of the turn, and of its earlier attempts to stop.
    pub(super) prompt_response: Lenient<String>,
}

#[derive(Deserialize)]
pub(super) struct Notification {
    pub(super) notification_type: String,
    pub(super) message: String,
}
