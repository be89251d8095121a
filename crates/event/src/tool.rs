//! What tools do, by their names. One table for whoever has to know: what a call runs or touches, what a step
//! was, what a person was asked.
//!
//! It has the names of all agents, so that a call means the same whoever makes it. A name that is not in it may
//! do anything.

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Runs a line in a shell.
    Shell,
    /// Changes a part of a file, which its input names by this key.
    Edit(&'static str),
    /// Changes files that are named in a text.
    Patch,
    /// Writes a whole file, which its input names by this key.
    Write(&'static str),
    /// Shows what is in a file, which its input names by this key.
    Read(&'static str),
    /// Looks for files by name.
    Find,
    /// Looks for text in many files.
    Search,
    /// Starts a subagent, whose own tools are seen when it uses them.
    Delegate,
    /// Asks the person something.
    AskPerson,
    /// Shows the person a plan that waits for consent.
    PresentPlan,
    /// Changes an item of the agent's own list.
    UpdateTodo,
    /// Writes the agent's own list as a whole.
    WriteTodos,
    /// Something else that changes no file.
    Harmless,
    /// Nobody knows.
    Unknown,
}

impl Tool {
    /// What the tool of this name does.
    pub fn of(name: &str) -> Self {
        match name {
            "Bash" | "bash" | "run_shell_command" => Self::Shell,
            "Edit" | "MultiEdit" => Self::Edit("file_path"),
            "NotebookEdit" => Self::Edit("notebook_path"),
            "edit" => Self::Edit("path"),
            "apply_patch" => Self::Patch,
            "Write" | "write_file" => Self::Write("file_path"),
            "create" => Self::Write("path"),
            "Read" => Self::Read("file_path"),
            "NotebookRead" => Self::Read("notebook_path"),
            "view" => Self::Read("path"),
            "Glob" | "LS" | "list_directory" => Self::Find,
            "Grep" => Self::Search,
            "Agent" | "Task" | "task" | "spawn_agent" | "invoke_agent" => Self::Delegate,
            "AskUserQuestion" => Self::AskPerson,
            "ExitPlanMode" => Self::PresentPlan,
            "TaskUpdate" => Self::UpdateTodo,
            "TodoWrite" => Self::WriteTodos,
            "TaskCreate"
            | "TaskGet"
            | "TaskList"
            | "create_goal"
            | "update_goal"
            | "BashOutput"
            | "KillShell"
            | "TaskOutput"
            | "TaskStop"
            | "EnterPlanMode"
            | "ListMcpResourcesTool"
            | "ReadMcpResourceTool"
            | "SlashCommand"
            | "Skill"
            | "ToolSearch"
            | "WebFetch"
            | "WebSearch" => Self::Harmless,
            _ => Self::Unknown,
        }
    }

    /// Whether it may change a file.
    pub fn may_change_files(self) -> bool {
        matches!(self, Self::Shell | Self::Edit(_) | Self::Patch | Self::Write(_) | Self::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_change_a_file_is_told_from_the_name_and_what_is_unknown_may() {
        let may = |name: &str| Tool::of(name).may_change_files();
        for name in [
            "Bash",
            "Edit",
            "MultiEdit",
            "NotebookEdit",
            "Write",
            "apply_patch",
            "bash",
            "create",
            "edit",
            "run_shell_command",
            "write_file",
            "mcp__files__read",
            "read",
            "BASH",
            "",
        ] {
            assert!(may(name), "{name}");
        }
        for name in [
            "Agent",
            "AskUserQuestion",
            "BashOutput",
            "EnterPlanMode",
            "ExitPlanMode",
            "Glob",
            "Grep",
            "KillShell",
            "LS",
            "ListMcpResourcesTool",
            "NotebookRead",
            "Read",
            "ReadMcpResourceTool",
            "SlashCommand",
            "Skill",
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
            "create_goal",
            "invoke_agent",
            "list_directory",
            "spawn_agent",
            "task",
            "update_goal",
            "view",
        ] {
            assert!(!may(name), "{name}");
        }
    }
}
