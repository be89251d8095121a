//! The tools of Copilot CLI: their names, and the keys of their input and output.

use serde_json::Value;
use verger_event::{
    EditCall, FileEdit, FileOutcome, Interruption, McpCall, OtherCall, ToolCall, ToolOutcome,
    ToolOutput, ToolUse, ToolUseId,
};

use crate::patch::diffed_texts;
use crate::tool_form::{Form, ToolForms, raw_input, read_call};

const PATH: &str = "path";
/// A list of the first and the last line.
const VIEW_RANGE: &str = "view_range";

pub(crate) const TOOLS: ToolForms = &[
    ("bash", Form::Shell { line: "command", description: "description", sandbox: None }),
    ("create", Form::Write { path: PATH, text: "file_text" }),
    ("edit", Form::Edit { path: PATH, old: "old_str", new: "new_str" }),
    // Models of OpenAI get this tool in place of the two above. Its input is the patch itself.
    ("apply_patch", Form::Patch { text: "patch" }),
    ("view", Form::Read { path: PATH, from_line: VIEW_RANGE }),
    ("glob", Form::FindNames { pattern: "pattern", path: "paths" }),
    ("grep", Form::FindText { pattern: "pattern", path: "paths", names: "glob" }),
    ("rg", Form::FindText { pattern: "pattern", path: "paths", names: "glob" }),
    (
        "task",
        Form::Delegate { agent_type: "agent_type", prompt: "prompt", description: "description" },
    ),
    ("web_fetch", Form::Web { url: "url", query: "query" }),
    ("write_agent", Form::Message { to: "agent_id", text: "message" }),
    ("read_agent", Form::Harmless),
    ("list_agents", Form::Harmless),
    ("skill", Form::Harmless),
    ("read_bash", Form::Harmless),
    ("stop_bash", Form::Harmless),
    ("list_bash", Form::Harmless),
    ("report_intent", Form::Harmless),
    ("fetch_copilot_cli_documentation", Form::Harmless),
    // The agent's own list is a table of its session's database.
    ("sql", Form::OtherTodos),
    // Read-only: earlier sessions.
    ("session_store_sql", Form::Harmless),
];

/// Parses a tool's name and input. A name with a hyphen is one of an MCP server's tools.
pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    let mut call = with_server(read_call(TOOLS, id, tool, input), '-');
    if let ToolUse::Read(read) = &mut call.action {
        read.from_line = read.from_line.or(call.rest[VIEW_RANGE][0].as_u64());
    }
    call
}

/// Parses the name and input of a call that a permission is asked for. An MCP server's name ends
/// with a slash there, and every change of a file is an edit with a diff.
pub(super) fn asked_call(tool: String, input: Value) -> ToolCall {
    if let Some(edit) = asked_edit(&tool, &input) {
        return ToolCall { rest: input, ..ToolCall::new(&tool, ToolUse::Edit(edit)) };
    }
    with_server(read_call(TOOLS, None, tool, input), '/')
}

/// The keys of the input with which a permission for a change of a file is asked.
const ASKED_PATH: &str = "file_path";
const ASKED_DIFF: &str = "diff";

fn asked_edit(tool: &str, input: &Value) -> Option<EditCall> {
    if tool != "edit" || input.get(PATH).is_some() {
        return None;
    }
    let path = input.get(ASKED_PATH)?.as_str()?.to_owned();
    let (change, edits) = diffed_texts(input.get(ASKED_DIFF)?.as_str()?);
    Some(EditCall { files: vec![FileEdit { path, change, edits }] })
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

/// The input of a call in the client's form.
pub(super) fn input(call: &ToolCall) -> Value {
    // The input of an edit that a permission is asked for is kept whole.
    if asked_edit(&call.tool, &call.rest).is_some_and(|edit| call.action == ToolUse::Edit(edit)) {
        return call.rest.clone();
    }
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
    if matches!(call.action, ToolUse::Write(_)) && is_success {
        let created = output.text.starts_with("Created file ");
        output.file = Some(FileOutcome { created, first_line: None });
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

/// Takes the exit code from the end of the text: `<shellId: 1 completed with exit code 3>`.
fn with_exit_code(output: ToolOutput) -> ToolOutput {
    let split = output.text.rfind("<shellId: ").and_then(|at| {
        let (text, last) = output.text.split_at(at);
        let (_, code) = last.strip_suffix('>')?.split_once(" completed with exit code ")?;
        Some((text.strip_suffix('\n').unwrap_or(text).to_owned(), code.parse().ok()?))
    });
    match split {
        Some((text, code)) => ToolOutput { text, exit_code: Some(code), ..output },
        None => output,
    }
}
