//! The tools of Copilot CLI: their names, and the keys of their input and output.

use serde_json::Value;
use verger_event::{
    Interruption, McpCall, OtherCall, ToolCall, ToolOutcome, ToolOutput, ToolUse, ToolUseId,
};

use crate::tool_form::{Form, ToolForms, raw_input, read_call};

const PATH: &str = "path";

pub(crate) const TOOLS: ToolForms = &[
    ("bash", Form::Shell { line: "command", description: "description", sandbox: None }),
    ("create", Form::Write { path: PATH, text: "file_text" }),
    ("edit", Form::Edit { path: PATH, old: "old_str", new: "new_str" }),
    ("view", Form::Read { path: PATH, from_line: "from_line" }),
    ("glob", Form::FindNames { pattern: "pattern", path: PATH }),
    ("grep", Form::FindText { pattern: "pattern", path: PATH, names: "glob" }),
    ("rg", Form::FindText { pattern: "pattern", path: PATH, names: "glob" }),
    (
        "task",
        Form::Delegate { agent_type: "agent_type", prompt: "prompt", description: "description" },
    ),
    ("web_fetch", Form::Web { url: "url", query: "query" }),
    ("read_bash", Form::Harmless),
    ("stop_bash", Form::Harmless),
    ("list_bash", Form::Harmless),
    ("report_intent", Form::Harmless),
    ("fetch_copilot_cli_documentation", Form::Harmless),
    // The agent's own list is a table of its session's database.
    ("sql", Form::OtherTodos),
];

/// Parses a tool's name and input. A name with a hyphen is one of an MCP server's tools.
pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    with_server(read_call(TOOLS, id, tool, input), '-')
}

/// Parses the name and input of a call that a permission is asked for. An MCP server's name ends
/// with a slash there.
pub(super) fn asked_call(tool: String, input: Value) -> ToolCall {
    with_server(read_call(TOOLS, None, tool, input), '/')
}

fn with_server(call: ToolCall, separator: char) -> ToolCall {
    let is_unknown = call.action == ToolUse::Other(OtherCall { harmless: false });
    match call.tool.rsplit_once(separator).filter(|_| is_unknown) {
        Some((server, tool)) => {
            let (server, tool) = (server.to_owned(), tool.to_owned());
            ToolCall { action: ToolUse::Mcp(McpCall { server, tool }), ..call }
        }
        None => call,
    }
}

pub(super) fn input(call: &ToolCall) -> Value {
    raw_input(TOOLS, call)
}

/// The outcome of a call that the tool accepted. A shell line's exit code is in the last line of
/// its text; the result is called a success whatever it is.
pub(super) fn outcome(call: &ToolCall, mut result: Value) -> ToolOutcome {
    let mut output = ToolOutput::default();
    let mut is_success = true;
    if let Some(fields) = result.as_object_mut() {
        if let Some(Value::String(text)) = fields.remove("textResultForLlm") {
            output.text = text;
        }
        if let Some(kind) = fields.remove("resultType") {
            is_success = kind == "success";
            if !is_success {
                fields.insert("resultType".to_owned(), kind);
            }
        }
        if !fields.is_empty() {
            output.rest = result;
        }
    }
    let is_shell = matches!(call.action, ToolUse::Shell(_));
    if is_shell {
        output = with_exit_code(output);
    }
    let failed = |output| ToolOutcome::Failed { output, interruption: Interruption::None };
    match output.exit_code {
        _ if !is_success => failed(output),
        Some(code) if code != 0 => failed(output),
        // A line that still runs in the background has no exit code yet.
        None if is_shell => ToolOutcome::Unknown(output),
        _ => ToolOutcome::Succeeded(output),
    }
}

/// Takes the exit code from the last line: `<shellId: 1 completed with exit code 3>`.
fn with_exit_code(output: ToolOutput) -> ToolOutput {
    let (text, last) = output.text.rsplit_once('\n').unwrap_or(("", &output.text));
    let code = last
        .strip_prefix("<shellId: ")
        .and_then(|rest| rest.strip_suffix('>'))
        .and_then(|rest| rest.split_once(" completed with exit code "))
        .and_then(|(_, code)| code.parse().ok());
    match code {
        Some(code) => ToolOutput { text: text.to_owned(), exit_code: Some(code), ..output },
        None => output,
    }
}
