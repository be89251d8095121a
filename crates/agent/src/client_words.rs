//! The clients' own words, which only this crate may use. `cargo xtask tidy` reads them from this
//! file.

/// The clients' tool names.
pub const TOOL_NAMES: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "ListMcpResourcesTool",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
    "apply_patch",
    "create_goal",
    "multi_agent_v1wait_agent",
    "spawn_agent",
    "update_goal",
];

/// The keys of the clients' payloads. Common words are left out.
pub const PAYLOAD_KEYS: &[&str] = &[
    "agentId",
    "dangerouslyDisableSandbox",
    "filePath",
    "file_path",
    "hook_event_name",
    "is_interrupt",
    "last_assistant_message",
    "newStart",
    "newString",
    "new_source",
    "new_string",
    "notebook_path",
    "oldString",
    "old_string",
    "originalFile",
    "permission_suggestions",
    "stop_hook_active",
    "structuredPatch",
    "subagent_type",
    "taskId",
    "tool_calls",
    "tool_input",
    "tool_name",
    "tool_response",
    "tool_use_id",
    "turn_id",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{claude, codex};

    #[test]
    fn the_list_has_every_tool_of_every_client() {
        let tools = [claude::TOOLS, codex::TOOLS].into_iter().flatten().map(|(name, _)| *name);
        let names: BTreeSet<_> = tools.collect();
        assert_eq!(names, TOOL_NAMES.iter().copied().collect());
    }
}
