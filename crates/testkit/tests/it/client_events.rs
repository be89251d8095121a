//! The events of each client with the keys of their payloads.

use verger_testkit::Client;

/// The calls that the hooks of a client get.
pub(crate) struct ClientEvents {
    /// The events to record; not those that come again and again with each answer of the model.
    pub(crate) recorded: &'static [&'static str],
    /// The keys of every payload.
    pub(crate) common: &'static [&'static str],
    /// The events of a session with one command, each with its own keys.
    pub(crate) command: &'static [&'static str],
    /// The main agent's events of a session in which a subagent runs a command.
    pub(crate) delegation: &'static [&'static str],
    /// The subagent's events of that session.
    pub(crate) subagent: &'static [&'static str],
}

impl ClientEvents {
    pub(crate) fn of(client: Client) -> &'static Self {
        match client {
            Client::ClaudeCode(_) => &CLAUDE_CODE,
            Client::Codex(_) => &CODEX,
            Client::GeminiCli => &GEMINI_CLI,
            Client::CopilotCli => &COPILOT_CLI,
        }
    }
}

const CLAUDE_CODE: ClientEvents = ClientEvents {
    recorded: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "SessionEnd",
    ],
    common: &["cwd", "hook_event_name", "session_id", "transcript_path"],
    command: &[
        "SessionStart source",
        "UserPromptSubmit permission_mode prompt prompt_id",
        "PreToolUse effort permission_mode prompt_id tool_input tool_name tool_use_id",
        "PostToolUse duration_ms effort permission_mode prompt_id tool_input tool_name \
         tool_response tool_use_id",
        "Stop background_tasks effort last_assistant_message permission_mode prompt_id \
         session_crons stop_hook_active",
        "SessionEnd prompt_id reason",
    ],
    delegation: &[
        "SessionStart source",
        "UserPromptSubmit permission_mode prompt prompt_id",
        "PreToolUse effort permission_mode prompt_id tool_input tool_name tool_use_id",
        "PostToolUse duration_ms effort permission_mode prompt_id tool_input tool_name \
         tool_response tool_use_id",
        "Stop background_tasks effort last_assistant_message permission_mode prompt_id \
         session_crons stop_hook_active",
        "SessionEnd prompt_id reason",
    ],
    subagent: &[
        "SubagentStart agent_id agent_type prompt_id",
        "PreToolUse agent_id agent_type effort permission_mode prompt_id tool_input tool_name \
         tool_use_id",
        "PostToolUse agent_id agent_type duration_ms effort permission_mode prompt_id tool_input \
         tool_name tool_response tool_use_id",
        "SubagentStop agent_id agent_transcript_path agent_type background_tasks effort \
         last_assistant_message permission_mode prompt_id session_crons stop_hook_active",
    ],
};

const CODEX: ClientEvents = ClientEvents {
    recorded: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "SessionEnd",
    ],
    common: &["cwd", "hook_event_name", "session_id", "transcript_path"],
    command: &[
        "SessionStart model permission_mode source",
        "UserPromptSubmit model permission_mode prompt turn_id",
        "PreToolUse model permission_mode tool_input tool_name tool_use_id turn_id",
        "PostToolUse model permission_mode tool_input tool_name tool_response tool_use_id turn_id",
        "Stop last_assistant_message model permission_mode stop_hook_active turn_id",
        "SessionEnd reason",
    ],
    // One call starts the subagent, and another waits for it.
    delegation: &[
        "SessionStart model permission_mode source",
        "UserPromptSubmit model permission_mode prompt turn_id",
        "PreToolUse model permission_mode tool_input tool_name tool_use_id turn_id",
        "PostToolUse model permission_mode tool_input tool_name tool_response tool_use_id turn_id",
        "PreToolUse model permission_mode tool_input tool_name tool_use_id turn_id",
        "PostToolUse model permission_mode tool_input tool_name tool_response tool_use_id turn_id",
        "Stop last_assistant_message model permission_mode stop_hook_active turn_id",
        "SessionEnd reason",
    ],
    subagent: &[
        "SubagentStart agent_id agent_type model permission_mode turn_id",
        "UserPromptSubmit agent_id agent_type model permission_mode prompt turn_id",
        "PreToolUse agent_id agent_type model permission_mode tool_input tool_name tool_use_id \
         turn_id",
        "PostToolUse agent_id agent_type model permission_mode tool_input tool_name tool_response \
         tool_use_id turn_id",
        "SubagentStop agent_id agent_transcript_path agent_type last_assistant_message model \
         permission_mode stop_hook_active turn_id",
    ],
};

const GEMINI_CLI: ClientEvents = ClientEvents {
    recorded: &[
        "SessionStart",
        "BeforeAgent",
        "BeforeTool",
        "AfterTool",
        "AfterAgent",
        "PreCompress",
        "Notification",
        "SessionEnd",
    ],
    common: &["cwd", "hook_event_name", "session_id", "timestamp", "transcript_path"],
    // PreCompress comes before every turn of the main agent, and nothing is compressed.
    command: &[
        "SessionStart source",
        "BeforeAgent prompt",
        "PreCompress trigger",
        "BeforeTool tool_input tool_name",
        "AfterTool tool_input tool_name tool_response",
        "PreCompress trigger",
        "AfterAgent prompt prompt_response stop_hook_active",
        "SessionEnd reason",
    ],
    // The subagent's calls lie within the call that started it, and nothing tells them from others.
    delegation: &[
        "SessionStart source",
        "BeforeAgent prompt",
        "PreCompress trigger",
        "BeforeTool tool_input tool_name",
        "BeforeTool tool_input tool_name",
        "AfterTool tool_input tool_name tool_response",
        "PreCompress trigger",
        "BeforeTool tool_input tool_name",
        "AfterTool tool_input tool_name tool_response",
        "AfterTool tool_input tool_name tool_response",
        "PreCompress trigger",
        "AfterAgent prompt prompt_response stop_hook_active",
        "SessionEnd reason",
    ],
    subagent: &[],
};

const COPILOT_CLI: ClientEvents = ClientEvents {
    recorded: &[
        "sessionStart",
        "userPromptSubmitted",
        "preToolUse",
        "permissionRequest",
        "postToolUse",
        "postToolUseFailure",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "errorOccurred",
        "notification",
        "sessionEnd",
    ],
    common: &["cwd", "sessionId", "timestamp"],
    command: &[
        "sessionStart initialPrompt source",
        "userPromptSubmitted prompt",
        "preToolUse toolArgs toolName",
        "permissionRequest hookName permissionSuggestions toolInput toolName",
        "postToolUse toolArgs toolName toolResult",
        "agentStop stopReason stop_hook_active transcriptPath",
        "sessionEnd reason",
    ],
    delegation: &[
        "sessionStart initialPrompt source",
        "userPromptSubmitted prompt",
        "preToolUse toolArgs toolName",
        "postToolUse toolArgs toolName toolResult",
        "agentStop stopReason stop_hook_active transcriptPath",
        "sessionEnd reason",
    ],
    subagent: &[
        "subagentStart agentId agentName agentType parentAgentId transcriptPath",
        "userPromptSubmitted agentId agentType parentAgentId prompt",
        "preToolUse agentId agentType parentAgentId toolArgs toolName",
        "permissionRequest agentId agentType hookName parentAgentId permissionSuggestions \
         toolInput toolName",
        "postToolUse agentId agentType parentAgentId toolArgs toolName toolResult",
        "agentStop agentId agentType parentAgentId stopReason stop_hook_active transcriptPath",
        "subagentStop agentId agentName agentType parentAgentId response stopReason \
         stop_hook_active transcriptPath",
    ],
};
