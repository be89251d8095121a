//! Parses the results of tools, in formats that several clients share.

use serde::Deserialize;
use serde_json::{Map, Value};
use verger_event::{FileOutcome, SubagentId, ToolCall, ToolOutput, ToolUse};

/// The keys in the results of a client's tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerKeys {
    /// The key of the standard output, if the result of a shell tool is an object.
    pub(crate) stdout: &'static str,
    pub(crate) stderr: &'static str,
    /// The key of an edit or write that shows whether the file is new, and its value for a new
    /// file.
    pub(crate) created: (&'static str, &'static str),
    /// The value of that key for an existing file.
    pub(crate) updated: &'static str,
    /// The key of the list of changes, and the key of each change's first line.
    pub(crate) changes: (&'static str, &'static str),
    /// Keys whose values repeat the call's path, new text and old text.
    pub(crate) repeats: &'static [&'static str],
    /// The keys that lead to the text of a file.
    pub(crate) file_text: (&'static str, &'static str),
    /// The key of the id of the subagent that a delegation started.
    pub(crate) subagent: Option<&'static str>,
}

/// The output of a successful call.
pub(crate) fn output_of(keys: AnswerKeys, call: &ToolCall, response: Value) -> ToolOutput {
    let mut output = match response {
        Value::String(text) => ToolOutput::text(text),
        rest => ToolOutput { rest, ..ToolOutput::default() },
    };
    match &call.action {
        ToolUse::Shell(_) => {
            if let Some(fields) = output.rest.as_object_mut() {
                output.text = taken(fields, keys.stdout).unwrap_or_default();
                output.errors = taken(fields, keys.stderr).unwrap_or_default();
            }
            unwrap(output)
        }
        ToolUse::Edit(_) | ToolUse::Write(_) => {
            if let Some(fields) = output.rest.as_object_mut() {
                output.file = Some(file_outcome(keys, call, fields));
            }
            output
        }
        ToolUse::Read(_) => {
            let (file, text) = keys.file_text;
            if let Some(fields) = output.rest.get_mut(file).and_then(Value::as_object_mut) {
                output.text = taken(fields, text).unwrap_or_default();
            }
            output
        }
        ToolUse::Delegate(_) => {
            if let (Some(fields), Some(key)) = (output.rest.as_object_mut(), keys.subagent) {
                output.subagent = taken(fields, key).map(SubagentId::new);
            }
            output
        }
        ToolUse::Mcp(_) => match blocks_of(&output.rest) {
            Some(text) => ToolOutput::text(text),
            None => output,
        },
        _ => output,
    }
}

fn taken(fields: &mut Map<String, Value>, key: &str) -> Option<String> {
    match fields.get_mut(key)? {
        Value::String(text) => {
            let text = std::mem::take(text);
            fields.remove(key);
            Some(text)
        }
        _ => None,
    }
}

/// The effect on the file. Values that repeat the call's input are removed from the result.
fn file_outcome(keys: AnswerKeys, call: &ToolCall, fields: &mut Map<String, Value>) -> FileOutcome {
    let said = call.texts();
    for key in keys.repeats {
        if fields.get(*key).and_then(Value::as_str).is_some_and(|text| said.contains(&text)) {
            fields.remove(*key);
        }
    }
    let (kind, new) = keys.created;
    let word = fields.get(kind).and_then(Value::as_str);
    let created = word == Some(new);
    if created || word == Some(keys.updated) {
        fields.remove(kind);
    }
    let (changes, line) = keys.changes;
    let first = fields.get(changes).and_then(Value::as_array).and_then(|changes| changes.first());
    FileOutcome { created, first_line: first.and_then(|first| first.get(line)?.as_u64()) }
}

/// The text of a result that consists only of text blocks.
fn blocks_of(response: &Value) -> Option<String> {
    let blocks = match response {
        Value::Object(fields) if fields.len() == 1 => fields.get("content")?.as_array()?,
        Value::Array(blocks) if !blocks.is_empty() => blocks,
        _ => return None,
    };
    let text = |block: &Value| {
        let fields = block.as_object().filter(|fields| fields.len() == 2)?;
        let is_text = fields.get("type")? == "text";
        fields.get("text")?.as_str().filter(|_| is_text).map(str::to_owned)
    };
    Some(blocks.iter().map(text).collect::<Option<Vec<_>>>()?.join("\n"))
}

/// The result format of some shell tools: a JSON object with the escaped output.
#[derive(Deserialize)]
struct Wrapped {
    output: String,
    exit_code: Option<i64>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The start of the line that a client adds before the output of a failed shell command.
const EXIT_CODE: &str = "Exit code ";

/// The output of a failed call. The exit code also stays in the text.
pub(crate) fn failure_of(call: &ToolCall, error: String) -> ToolOutput {
    let ToolUse::Shell(_) = call.action else { return ToolOutput::text(error) };
    let first = error.lines().next().unwrap_or_default();
    let exit_code = first.strip_prefix(EXIT_CODE).and_then(|code| code.trim().parse().ok());
    let output = unwrap(ToolOutput::text(error));
    ToolOutput { exit_code: output.exit_code.or(exit_code), ..output }
}

/// The output inside the JSON object that a shell tool printed. Any other output stays unchanged.
fn unwrap(output: ToolOutput) -> ToolOutput {
    let wrapped = {
        let printed = output.printed();
        let body = printed.strip_prefix(EXIT_CODE).and_then(|text| text.split_once('\n'));
        let body = body.map_or(&*printed, |(_, body)| body).trim();
        let is_object = body.starts_with('{') && body.ends_with('}');
        is_object.then(|| serde_json::from_str::<Wrapped>(body).ok()).flatten()
    };
    let Some(Wrapped { output: text, exit_code, rest: beside }) = wrapped else { return output };
    let mut rest = output.rest;
    match &mut rest {
        Value::Object(fields) => fields.extend(beside),
        rest if rest.is_null() && !beside.is_empty() => *rest = Value::Object(beside),
        _ => {}
    }
    ToolOutput { text, exit_code, rest, ..ToolOutput::default() }
}
