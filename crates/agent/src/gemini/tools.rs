//! The tools of Gemini CLI: their names, and the keys of their input and output.

use serde_json::{Map, Value};
use verger_event::{
    AskCall, FileOutcome, Interruption, ToolCall, ToolOutcome, ToolOutput, ToolUse, ToolUseId,
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
    ("tracker_create_task", Form::OtherTodos),
    ("tracker_update_task", Form::OtherTodos),
    ("tracker_get_task", Form::OtherTodos),
    ("tracker_list_tasks", Form::OtherTodos),
    ("tracker_add_dependency", Form::OtherTodos),
    ("tracker_visualize", Form::OtherTodos),
    ("ask_user", Form::Ask(AskCall::Question)),
    ("exit_plan_mode", Form::Ask(AskCall::Plan)),
    ("enter_plan_mode", Form::Harmless),
    ("complete_task", Form::Harmless),
    ("update_topic", Form::Harmless),
    ("activate_skill", Form::Harmless),
    ("get_internal_docs", Form::Harmless),
    ("list_mcp_resources", Form::Harmless),
    ("read_mcp_resource", Form::Harmless),
];

pub(super) fn call(id: Option<ToolUseId>, tool: String, input: Value) -> ToolCall {
    read_call(TOOLS, id, tool, input)
}

pub(super) fn input(call: &ToolCall) -> Value {
    raw_input(TOOLS, call)
}

/// The tags that the program puts around the output of tools.
const UNTRUSTED: (&str, &str) = ("<untrusted_context>\n", "\n</untrusted_context>");

/// The outcome of a call. The program reports every end with the same event, and puts a tool's own
/// error into `error`.
pub(super) fn outcome(call: &ToolCall, mut response: Value) -> ToolOutcome {
    let is_shell = matches!(call.action, ToolUse::Shell(_));
    let Some(fields) = response.as_object_mut() else {
        let output = ToolOutput { rest: response, ..ToolOutput::default() };
        return if is_shell {
            ToolOutcome::Unknown(output)
        } else {
            ToolOutcome::Succeeded(output)
        };
    };
    let text = text_of(fields);
    let shown = fields.remove("returnDisplay").unwrap_or_default();
    let is_error = fields.get("error").is_some_and(|error| !error.is_null());
    let rest = if fields.is_empty() { Value::Null } else { response };
    if is_shell {
        return shell_outcome(&text, shown.as_str().unwrap_or_default(), is_error, rest);
    }
    let (text, file) = match &call.action {
        ToolUse::Edit(_) | ToolUse::Write(_) => (text, file_outcome(&shown)),
        ToolUse::Read(_) => (without_notice(text), None),
        _ => (text, None),
    };
    let output = ToolOutput { text, file, rest, ..ToolOutput::default() };
    if is_error { failed(output) } else { ToolOutcome::Succeeded(output) }
}

fn failed(output: ToolOutput) -> ToolOutcome {
    ToolOutcome::Failed { output, interruption: Interruption::None }
}

/// Takes the text that the model sees: a string, or a list of parts. Each part has its own tags.
fn text_of(fields: &mut Map<String, Value>) -> String {
    let text = match fields.get("llmContent") {
        Some(Value::String(text)) => untagged(text).to_owned(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().map(|part| part["text"].as_str().map(untagged));
            let Some(texts) = texts.collect::<Option<Vec<_>>>() else { return String::new() };
            texts.join("\n")
        }
        _ => return String::new(),
    };
    fields.remove("llmContent");
    text
}

fn untagged(text: &str) -> &str {
    let (begin, end) = UNTRUSTED;
    text.strip_prefix(begin).and_then(|text| text.strip_suffix(end)).unwrap_or(text)
}

/// The text of a file without the notice that the program puts before a part of a file.
fn without_notice(text: String) -> String {
    const NOTICE: &str = "\nIMPORTANT: The file content has been truncated.\n";
    const CONTENT: &str = "\n--- FILE CONTENT (truncated) ---\n";
    let content = text.strip_prefix(NOTICE).and_then(|text| text.split_once(CONTENT));
    content.map(|(_, content)| content.to_owned()).unwrap_or(text)
}

/// The beginnings of the text of a line that did not run to its end.
const CANCELLED: &[(&str, Interruption)] = &[
    ("Command was cancelled by user ", Interruption::ByPerson),
    ("Command was automatically cancelled ", Interruption::None),
];

/// The outcome of a shell line. Its text is `Output: `, the output, and lines such as
/// `Exit Code: 3` that the program adds; a success has no such line. Any other text says that the
/// line goes on in the background, or is a summary by a model.
fn shell_outcome(text: &str, shown: &str, is_error: bool, rest: Value) -> ToolOutcome {
    let whole = |rest| ToolOutput { rest, ..ToolOutput::text(text) };
    if let Some((_, interruption)) = CANCELLED.iter().find(|(head, _)| text.starts_with(head)) {
        return ToolOutcome::Failed { output: whole(rest), interruption: *interruption };
    }
    let Some(text) = text.strip_prefix("Output: ") else {
        return if is_error { failed(whole(rest)) } else { ToolOutcome::Unknown(whole(rest)) };
    };
    let Printed { text, errors, exit_code } = Printed::new(text, shown, is_error);
    let is_success = errors.is_empty() && exit_code.is_none() && !is_error;
    let exit_code = if is_success { Some(0) } else { exit_code };
    let text = text.to_owned();
    let output = ToolOutput { text, errors, exit_code, rest, ..ToolOutput::default() };
    if is_success { ToolOutcome::Succeeded(output) } else { failed(output) }
}

/// The parts of a shell line's text.
struct Printed<'a> {
    text: &'a str,
    /// The lines about a signal that ended the line, or about a failed start.
    errors: String,
    exit_code: Option<i64>,
}

impl<'a> Printed<'a> {
    /// Splits the output from the lines that the program adds after it, in a fixed order. `shown` is
    /// the text for people, which usually is the output alone. If it isn't, a last line of the
    /// output that looks like an added one is taken for it.
    fn new(text: &'a str, shown: &str, is_error: bool) -> Self {
        let added = text.strip_prefix(shown).filter(|added| {
            !shown.trim().is_empty() && (added.is_empty() || added.starts_with('\n'))
        });
        let mut rest = added.unwrap_or(text);
        take_last_line(&mut rest, "Process Group PGID: ");
        take_last_line(&mut rest, "Background PIDs: ");
        let signal = take_last_line(&mut rest, "Signal: ").unwrap_or_default();
        let code = take_last_line(&mut rest, EXIT_CODE);
        let exit_code = code.and_then(|line| line.strip_prefix(EXIT_CODE)?.parse().ok());
        let (text, error) = if added.is_some() {
            (&text[..shown.len()], rest)
        } else {
            let error = rest.rfind("\nError: ").filter(|_| is_error).unwrap_or(rest.len());
            let (text, error) = rest.split_at(error);
            (if text == "(empty)" { "" } else { text }, error)
        };
        let errors = format!("{error}\n{signal}").trim_matches('\n').to_owned();
        Self { text, errors, exit_code }
    }
}

const EXIT_CODE: &str = "Exit Code: ";

/// Takes the last line if it begins so, and if another line is before it.
fn take_last_line<'a>(text: &mut &'a str, head: &str) -> Option<&'a str> {
    let (before, line) = text.rsplit_once('\n').filter(|(_, line)| line.starts_with(head))?;
    *text = before;
    Some(line)
}

/// The effect on the file, from what is shown to people. The copies of its text are dropped.
fn file_outcome(shown: &Value) -> Option<FileOutcome> {
    let created = shown.as_object()?.get("isNewFile") == Some(&Value::Bool(true));
    let diff = shown["fileDiff"].as_str().unwrap_or_default();
    let hunk = diff.lines().find_map(|line| line.strip_prefix("@@ -")?.split('+').nth(1));
    let first_line = hunk.and_then(|hunk| hunk.split([',', ' ']).next()?.parse().ok());
    Some(FileOutcome { created, first_line })
}
