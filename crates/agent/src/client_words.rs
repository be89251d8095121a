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
    "activate_skill",
    "apply_patch",
    "ask_user",
    "complete_task",
    "create_goal",
    "enter_plan_mode",
    "exit_plan_mode",
    "fetch_copilot_cli_documentation",
    "get_internal_docs",
    "google_web_search",
    "grep_search",
    "invoke_agent",
    "list_agents",
    "list_bash",
    "list_directory",
    "list_mcp_resources",
    "multi_agent_v1wait_agent",
    "read_agent",
    "read_bash",
    "read_file",
    "read_many_files",
    "read_mcp_resource",
    "report_intent",
    "run_shell_command",
    "session_store_sql",
    "spawn_agent",
    "stop_bash",
    "tracker_add_dependency",
    "tracker_create_task",
    "tracker_get_task",
    "tracker_list_tasks",
    "tracker_update_task",
    "tracker_visualize",
    "update_goal",
    "update_topic",
    "web_fetch",
    "write_agent",
    "write_file",
    "write_todos",
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
    use crate::{claude, codex, copilot, gemini};

    #[test]
    fn every_tool_name_that_is_not_an_everyday_word_is_listed() {
        let tools = [claude::TOOLS, codex::TOOLS, copilot::TOOLS, gemini::TOOLS]
            .into_iter()
            .flatten()
            .map(|(name, _)| *name);
        // Words such as `edit` occur everywhere.
        let is_word = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase());
        let names: BTreeSet<_> = tools.filter(|name| !is_word(name)).collect();
        assert_eq!(names, TOOL_NAMES.iter().copied().collect());
    }
}
