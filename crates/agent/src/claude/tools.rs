//! Claude Code's tools: their names, and the keys of their input and output.

use serde_json::Value;
use verger_event::{AskCall, ToolCall, ToolUseId};

use crate::tool_answer::AnswerKeys;
use crate::tool_form::{Form, ToolForms, raw_input, read_call};

const PATH: &str = "file_path";

pub(crate) const TOOLS: ToolForms = &[
    (
        "Bash",
        Form::Shell { line: "command", description: "description", sandbox: Some(LEAVES_SANDBOX) },
    ),
    ("Edit", Form::Edit { path: PATH, old: "old_string", new: "new_string" }),
    ("Read", Form::Read { path: PATH, from_line: "offset" }),
    ("Write", Form::Write { path: PATH, text: "content" }),
    (
        "MultiEdit",
        Form::EditList { path: PATH, list: "edits", old: "old_string", new: "new_string" },
    ),
    ("NotebookEdit", Form::Edit { path: "notebook_path", old: "old_string", new: "new_source" }),
    ("NotebookRead", Form::Read { path: "notebook_path", from_line: "offset" }),
    ("Glob", Form::FindNames { pattern: "pattern", path: "path" }),
    ("LS", Form::FindNames { pattern: "pattern", path: "path" }),
    ("Grep", Form::FindText { pattern: "pattern", path: "path", names: "glob" }),
    ("Agent", DELEGATE),
    ("Task", DELEGATE),
    ("SendMessage", Form::Message { to: "to", text: "message" }),
    ("AskUserQuestion", Form::Ask(AskCall::Question)),
    ("ExitPlanMode", Form::Ask(AskCall::Plan)),
    ("TaskUpdate", Form::UpdateTodo { item: "taskId", status: "status" }),
    ("TodoWrite", Form::WriteTodos { list: "todos", title: "content", status: "status" }),
    ("TaskCreate", Form::OtherTodos),
    ("TaskGet", Form::OtherTodos),
    ("TaskList", Form::OtherTodos),
    ("WebFetch", Form::Web { url: "url", query: "prompt" }),
    ("WebSearch", Form::Web { url: "url", query: "query" }),
    ("BashOutput", Form::Harmless),
    ("KillShell", Form::Harmless),
    ("TaskOutput", Form::Harmless),
    ("TaskStop", Form::Harmless),
    ("EnterPlanMode", Form::Harmless),
    ("EnterWorktree", Form::Harmless),
    ("ListMcpResourcesTool", Form::Harmless),
    ("ReadMcpResourceTool", Form::Harmless),
    ("SlashCommand", Form::Harmless),
    ("Skill", Form::Harmless),
    ("ToolSearch", Form::Harmless),
];

/// The input field with which the agent asks to run a command outside of the sandbox. The person
/// decides about that, whatever the command does.
const LEAVES_SANDBOX: &str = "dangerouslyDisableSandbox";

const DELEGATE: Form =
    Form::Delegate { agent_type: "subagent_type", prompt: "prompt", description: "description" };

pub(super) const ANSWERS: AnswerKeys = AnswerKeys {
    stdout: "stdout",
    stderr: "stderr",
    created: ("type", "create"),
    updated: "update",
    changes: ("structuredPatch", "newStart"),
    repeats: &["filePath", "content", "oldString", "newString"],
    file_text: ("file", "content"),
    subagent: Some("agentId"),
};

pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    read_call(TOOLS, id, tool, input)
}

pub(super) fn input(call: &ToolCall) -> Value {
    raw_input(TOOLS, call)
}
