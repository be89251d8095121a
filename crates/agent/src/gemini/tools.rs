//! The tools of Gemini CLI: their names, and the keys of their input and output.

use serde_json::{Map, Value};
use verger_event::{
    FileOutcome, Interruption, ToolCall, ToolOutcome, ToolOutput, ToolUse, ToolUseId,
};

use crate::tool_form::{Form, ToolForms, raw_input, read_call};

const PATH: &str = "file_path";

/// The names are those of 0.61.0's own tools.
pub(crate) const TOOLS: ToolForms = &[
    (
        "run_shell_command",
        Form::Shell { line: "command", description: "description", sandbox: None },
    ),
    ("write_file", Form::Write { path: PATH, text: "content" }),
    ("replace", Form::Edit { path: PATH, old: "old_string", new: "new_string" }),
    ("read_file", Form::Read { path: PATH, from_line: "start_line" }),
    ("read_many_files", Form::Harmless),
    ("list_directory", Form::FindNames { pattern: "pattern", path: "dir_path" }),
    ("glob", Form::FindNames { pattern: "pattern", path: "dir_path" }),
    (
        "grep_search",
        Form::FindText { pattern: "pattern", path: "dir_path", names: "include_pattern" },
    ),
    (
        "invoke_agent",
        Form::Delegate { agent_type: "agent_name", prompt: "prompt", description: "description" },
    ),
    ("web_fetch", Form::Web { url: "url", query: "prompt" }),
    ("google_web_search", Form::Web { url: "url", query: "query" }),
    ("write_todos", Form::WriteTodos { list: "todos", title: "description", status: "status" }),
    ("complete_task", Form::Harmless),
];

pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    read_call(TOOLS, id, tool, input)
}

pub(super) fn input(call: &ToolCall) -> Value {
    raw_input(TOOLS, call)
}

/// The tags that the program puts around the output of tools.
const UNTRUSTED: (&str, &str) = ("<untrusted_context>\n", "\n</untrusted_context>");

/// The outcome of a call. The program reports every end with the same event. A tool's own error is
/// in `error`; the exit code of a shell line is a line of its text, and is there only if the line
/// failed.
pub(super) fn outcome(call: &ToolCall, mut response: Value) -> ToolOutcome {
    let is_error = !response["error"].is_null();
    let Some(fields) = response.as_object_mut() else {
        return ToolOutcome::Succeeded(ToolOutput { rest: response, ..ToolOutput::default() });
    };
    let text = text_of(fields);
    let mut output = ToolOutput { text, ..ToolOutput::default() };
    match &call.action {
        ToolUse::Shell(_) => {
            // The same text for people.
            fields.remove("returnDisplay");
            output = shell_output(&output.text);
        }
        ToolUse::Edit(_) | ToolUse::Write(_) => output.file = Some(file_outcome(fields)),
        _ => {
            fields.remove("returnDisplay");
        }
    }
    if !fields.is_empty() {
        output.rest = response;
    }
    match output.exit_code {
        Some(code) if code != 0 => ToolOutcome::Failed { output, interruption: Interruption::None },
        _ if is_error => ToolOutcome::Failed { output, interruption: Interruption::None },
        _ => ToolOutcome::Succeeded(output),
    }
}

/// Takes the text that the model sees: a string, or a list of parts.
fn text_of(fields: &mut Map<String, Value>) -> String {
    let text = match fields.get("llmContent") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().map(|part| part["text"].as_str());
            let Some(texts) = texts.collect::<Option<Vec<_>>>() else { return String::new() };
            texts.join("\n")
        }
        _ => return String::new(),
    };
    fields.remove("llmContent");
    let (begin, end) = UNTRUSTED;
    let inner = text.strip_prefix(begin).and_then(|text| text.strip_suffix(end));
    inner.map(str::to_owned).unwrap_or(text)
}

/// The output of a shell line: `Output: …`, then lines such as `Exit Code: 3` and
/// `Process Group PGID: 2239`, which the program adds.
fn shell_output(text: &str) -> ToolOutput {
    let text = text.strip_prefix("Output: ").unwrap_or(text);
    let added = ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];
    let mut rest = text;
    let mut exit_code = None;
    while let Some((before, line)) = rest.rsplit_once('\n') {
        if !added.iter().any(|head| line.starts_with(head)) {
            break;
        }
        if let Some(code) = line.strip_prefix("Exit Code: ") {
            exit_code = code.trim().parse().ok();
        }
        rest = before;
    }
    let text = if rest == "(empty)" { "" } else { rest };
    // The line is left out after a success.
    let exit_code = exit_code.or(Some(0));
    ToolOutput { text: text.to_owned(), exit_code, ..ToolOutput::default() }
}

/// The effect on the file. The copies of its text are dropped.
fn file_outcome(fields: &mut Map<String, Value>) -> FileOutcome {
    let Some(Value::Object(shown)) = fields.remove("returnDisplay") else {
        return FileOutcome::default();
    };
    let created = shown.get("isNewFile") == Some(&Value::Bool(true));
    let diff = shown.get("fileDiff").and_then(Value::as_str).unwrap_or_default();
    let hunk = diff.lines().find_map(|line| line.strip_prefix("@@ -")?.split('+').nth(1));
    let first_line = hunk.and_then(|hunk| hunk.split([',', ' ']).next()?.parse().ok());
    FileOutcome { created, first_line }
}
