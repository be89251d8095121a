//! The tools of Codex: their names, and the keys of their input and output.

use serde_json::Value;
use verger_event::{Interruption, ToolCall, ToolOutcome, ToolOutput, ToolUse, ToolUseId};

use crate::tool_answer::{AnswerKeys, output_of};
use crate::tool_form::{Form, ToolForms, raw_input, read_call};

pub(crate) const TOOLS: ToolForms = &[
    // The program's own name for this tool is `exec_command`.
    ("Bash", Form::Shell { line: "command", description: "description", sandbox: None }),
    ("apply_patch", Form::Patch { text: "command" }),
    (
        "spawn_agent",
        Form::Delegate { agent_type: "agent_type", prompt: "message", description: "description" },
    ),
    ("multi_agent_v1wait_agent", Form::Harmless),
    ("create_goal", Form::OtherTodos),
    ("update_goal", Form::OtherTodos),
];

const ANSWERS: AnswerKeys = AnswerKeys {
    stdout: "stdout",
    stderr: "stderr",
    created: ("type", "create"),
    updated: "update",
    changes: ("changes", "line"),
    repeats: &[],
    file_text: ("file", "content"),
    subagent: None,
};

/// Parses a tool's name and input.
pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    read_call(TOOLS, id, tool, input)
}

/// The input of a call in the client's form.
pub(super) fn input(call: &ToolCall) -> Value {
    raw_input(TOOLS, call)
}

/// The outcome of a call. Codex reports every end with the same event. For a shell command it
/// sends only the printed text, so a failed command looks like a successful one.
pub(super) fn outcome(call: &ToolCall, response: Value) -> ToolOutcome {
    let is_error = response["isError"] == true;
    let is_shell = matches!(call.action, ToolUse::Shell(_));
    let output = output_of(ANSWERS, call, response);
    // A shell's output has no head, but may look as if it had one.
    let output = if is_shell { output } else { without_head(output) };
    match output.exit_code {
        None if is_shell => ToolOutcome::Unknown(output),
        Some(0) | None if !is_error => ToolOutcome::Succeeded(output),
        _ => ToolOutcome::Failed { output, interruption: Interruption::None },
    }
}

/// The output without the leading lines `Exit code: 0`, `Wall time: 0 seconds` and `Output:`.
fn without_head(output: ToolOutput) -> ToolOutput {
    let head = output.text.strip_prefix("Exit code: ").and_then(|text| text.split_once('\n'));
    let printed = head.and_then(|(code, rest)| {
        let (_, text) = rest.split_once("Output:\n")?;
        Some((code.parse().ok()?, text.to_owned()))
    });
    match printed {
        Some((code, text)) => ToolOutput { text, exit_code: Some(code), ..output },
        None => output,
    }
}
