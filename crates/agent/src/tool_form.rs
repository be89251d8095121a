//! The input formats of a client's tools, as a table of names and keys that is used in both
//! directions.
//!
//! [`read_call`] removes the fields in the table from the input. The other fields become the
//! call's `rest`. [`raw_input`] adds the fields again, so that a client gets its own input back,
//! possibly with another command line.

use serde_json::{Map, Value};
use verger_event::{
    AskCall, DelegateCall, EditCall, FileChange, FileEdit, McpCall, MessageCall, OtherCall,
    ReadCall, SearchCall, SearchTarget, ShellCall, TextEdit, TodoItem, TodosCall, ToolCall,
    ToolUse, ToolUseId, WebCall, WriteCall,
};

use crate::patch::patched_files;

/// A client's tools by name. A tool that is not in the table may do anything.
pub(crate) type ToolForms = &'static [(&'static str, Form)];

/// The keys of a tool's input. `None` if the client's tool has no such field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Shell {
        line: &'static str,
        description: &'static str,
        sandbox: Option<&'static str>,
    },
    /// One file and one replacement.
    Edit {
        path: &'static str,
        old: &'static str,
        new: &'static str,
    },
    /// One file and a list of replacements.
    EditList {
        path: &'static str,
        list: &'static str,
        old: &'static str,
        new: &'static str,
    },
    /// The text of a patch, which names the files.
    Patch {
        text: &'static str,
    },
    Write {
        path: &'static str,
        text: &'static str,
    },
    Read {
        path: &'static str,
        from_line: &'static str,
    },
    FindNames {
        pattern: &'static str,
        path: &'static str,
    },
    FindText {
        pattern: &'static str,
        path: &'static str,
        names: &'static str,
    },
    Delegate {
        agent_type: &'static str,
        prompt: &'static str,
        description: &'static str,
    },
    Message {
        to: &'static str,
        text: &'static str,
    },
    Ask(AskCall),
    UpdateTodo {
        item: &'static str,
        status: &'static str,
    },
    WriteTodos {
        list: &'static str,
        title: &'static str,
        status: &'static str,
    },
    OtherTodos,
    Web {
        url: &'static str,
        query: &'static str,
    },
    Harmless,
}

/// The prefix of MCP tool names. It is followed by the server, two underscores and the tool.
const MCP: &str = "mcp__";

fn form_of(forms: ToolForms, tool: &str) -> Option<Form> {
    forms.iter().find(|(name, _)| *name == tool).map(|(_, form)| *form)
}

/// Whether the tool with this name runs command lines in a shell.
pub(crate) fn is_shell(forms: ToolForms, tool: &str) -> bool {
    matches!(form_of(forms, tool), Some(Form::Shell { .. }))
}

/// Parses the input of a tool into a call.
pub(crate) fn read_call(
    forms: ToolForms,
    id: Option<ToolUseId>,
    tool: String,
    mut input: Value,
) -> ToolCall {
    let form = form_of(forms, &tool);
    let action = match (form, &mut input) {
        // Some programs send the patch itself as the input.
        (Some(Form::Patch { .. }), Value::String(patch)) => {
            ToolUse::Edit(EditCall { files: patched_files(patch) })
        }
        (Some(form), Value::Object(fields)) => form.take(&mut Fields(fields)),
        (Some(form), _) => form.take(&mut Fields(&mut Map::new())),
        (None, _) => unknown(&tool),
    };
    ToolCall { id, tool, action, rest: input }
}

fn unknown(tool: &str) -> ToolUse {
    match tool.strip_prefix(MCP).and_then(|name| name.split_once("__")) {
        Some((server, tool)) => {
            ToolUse::Mcp(McpCall { server: server.to_owned(), tool: tool.to_owned() })
        }
        None => ToolUse::Other(OtherCall { harmless: false }),
    }
}

/// The whole input of a call, as the client sent it.
pub(crate) fn raw_input(forms: ToolForms, call: &ToolCall) -> Value {
    let mut input = call.rest.clone();
    if let (Some(form), Some(fields)) = (form_of(forms, &call.tool), input.as_object_mut()) {
        form.put(&call.action, fields);
    }
    input
}

impl Form {
    fn take(self, fields: &mut Fields<'_>) -> ToolUse {
        match self {
            Self::Shell { line, description, sandbox } => ToolUse::Shell(ShellCall {
                line: fields.text(line),
                description: fields.text(description),
                leaves_sandbox: sandbox.is_some_and(|key| fields.flag(key)),
            }),
            Self::Edit { path, old, new } => edit(fields.text(path), || {
                let edit =
                    TextEdit { old: fields.text(old), new: fields.text(new), rest: Map::new() };
                if edit == TextEdit::default() { vec![] } else { vec![edit] }
            }),
            Self::EditList { path, list, old, new } => {
                edit(fields.text(path), || fields.edits(list, old, new))
            }
            Self::Patch { text } => {
                let patch = fields.0.get(text).and_then(Value::as_str).unwrap_or_default();
                ToolUse::Edit(EditCall { files: patched_files(patch) })
            }
            Self::Write { path, text } => {
                ToolUse::Write(WriteCall { path: fields.text(path), text: fields.text(text) })
            }
            Self::Read { path, from_line } => ToolUse::Read(ReadCall {
                path: fields.text(path),
                from_line: fields.number(from_line),
            }),
            Self::FindNames { pattern, path } => ToolUse::Search(SearchCall {
                target: SearchTarget::Names,
                pattern: fields.text(pattern),
                path: fields.text(path),
                names: None,
            }),
            Self::FindText { pattern, path, names } => ToolUse::Search(SearchCall {
                target: SearchTarget::Text,
                pattern: fields.text(pattern),
                path: fields.text(path),
                names: fields.text(names),
            }),
            Self::Delegate { agent_type, prompt, description } => ToolUse::Delegate(DelegateCall {
                agent_type: fields.text(agent_type),
                prompt: fields.text(prompt),
                description: fields.text(description),
            }),
            Self::Message { to, text } => {
                ToolUse::Message(MessageCall { to: fields.text(to), text: fields.text(text) })
            }
            Self::Ask(ask) => ToolUse::Ask(ask),
            Self::UpdateTodo { item, status } => ToolUse::Todos(TodosCall::Update {
                item: fields.text(item),
                status: fields.text(status).map(Into::into),
            }),
            Self::WriteTodos { list, title, status } => {
                ToolUse::Todos(TodosCall::Write { items: fields.todos(list, title, status) })
            }
            Self::OtherTodos => ToolUse::Todos(TodosCall::Other),
            Self::Web { url, query } => {
                ToolUse::Web(WebCall { url: fields.text(url), query: fields.text(query) })
            }
            Self::Harmless => ToolUse::Other(OtherCall { harmless: true }),
        }
    }

    /// Adds the fields that [`Form::take`] removed. An existing field is not replaced.
    fn put(self, action: &ToolUse, fields: &mut Map<String, Value>) {
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value
                && !fields.contains_key(key)
            {
                fields.insert(key.to_owned(), value);
            }
        };
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        match (self, action) {
            (Self::Shell { line, description, sandbox }, ToolUse::Shell(shell)) => {
                put(line, text(&shell.line));
                put(description, text(&shell.description));
                if let Some(key) = sandbox.filter(|_| shell.leaves_sandbox) {
                    put(key, Some(true.into()));
                }
            }
            (Self::Edit { path, old, new }, ToolUse::Edit(edit)) => {
                let Some(file) = edit.files.first() else { return };
                put(path, Some(file.path.as_str().into()));
                if let Some(edit) = file.edits.first() {
                    put(old, text(&edit.old));
                    put(new, text(&edit.new));
                }
            }
            (Self::EditList { path, list, old, new }, ToolUse::Edit(edit)) => {
                let Some(file) = edit.files.first() else { return };
                put(path, Some(file.path.as_str().into()));
                let item =
                    |edit: &TextEdit| object(&edit.rest, [(old, &edit.old), (new, &edit.new)]);
                let items: Vec<_> = file.edits.iter().map(item).collect();
                put(list, (!items.is_empty()).then(|| items.into()));
            }
            (Self::Write { path, text: key }, ToolUse::Write(write)) => {
                put(path, text(&write.path));
                put(key, text(&write.text));
            }
            (Self::Read { path, from_line }, ToolUse::Read(read)) => {
                put(path, text(&read.path));
                put(from_line, read.from_line.map(Value::from));
            }
            (Self::FindNames { pattern, path }, ToolUse::Search(search)) => {
                put(pattern, text(&search.pattern));
                put(path, text(&search.path));
            }
            (Self::FindText { pattern, path, names }, ToolUse::Search(search)) => {
                put(pattern, text(&search.pattern));
                put(path, text(&search.path));
                put(names, text(&search.names));
            }
            (Self::Delegate { agent_type, prompt, description }, ToolUse::Delegate(call)) => {
                put(agent_type, text(&call.agent_type));
                put(prompt, text(&call.prompt));
                put(description, text(&call.description));
            }
            (
                Self::UpdateTodo { item: item_key, status: status_key },
                ToolUse::Todos(TodosCall::Update { item, status }),
            ) => {
                put(item_key, text(item));
                put(status_key, status.as_ref().map(|status| status.as_str().into()));
            }
            (
                Self::WriteTodos { list, title, status },
                ToolUse::Todos(TodosCall::Write { items: Some(items) }),
            ) => {
                let item = |item: &TodoItem| {
                    let (named, standing) =
                        (Some(item.title.clone()), Some(item.status.to_string()));
                    object(&item.rest, [(title, &named), (status, &standing)])
                };
                put(list, (!items.is_empty()).then(|| items.iter().map(item).collect()));
            }
            (Self::Message { to, text: key }, ToolUse::Message(message)) => {
                put(to, text(&message.to));
                put(key, text(&message.text));
            }
            (Self::Web { url, query }, ToolUse::Web(web)) => {
                put(url, text(&web.url));
                put(query, text(&web.query));
            }
            // The other formats remove no fields.
            _ => {}
        }
    }
}

fn edit(path: Option<String>, edits: impl FnOnce() -> Vec<TextEdit>) -> ToolUse {
    let file = |path| FileEdit { path, change: FileChange::Modified, edits: edits() };
    ToolUse::Edit(EditCall { files: path.map(file).into_iter().collect() })
}

fn object(rest: &Map<String, Value>, texts: [(&str, &Option<String>); 2]) -> Value {
    let mut fields = rest.clone();
    for (key, text) in texts {
        if let Some(text) = text {
            fields.insert(key.to_owned(), text.as_str().into());
        }
    }
    Value::Object(fields)
}

/// The fields of an input. Each method removes the field that it reads.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn text(&mut self, key: &str) -> Option<String> {
        text_of(self.0, key)
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        let number = self.0.get(key)?.as_u64()?;
        self.0.remove(key);
        Some(number)
    }

    /// Reads a flag. Returns `true` if the field exists and is neither `false` nor `null`. The
    /// field is removed only if its value is `true`.
    fn flag(&mut self, key: &str) -> bool {
        match self.0.get(key) {
            Some(Value::Bool(true)) => self.0.remove(key).is_some(),
            Some(Value::Bool(false) | Value::Null) | None => false,
            Some(_) => true,
        }
    }

    /// Reads a list of edits. The list is removed only if all of its items are edits.
    fn edits(&mut self, list: &str, old: &str, new: &str) -> Vec<TextEdit> {
        let edit = |mut fields: Map<String, Value>| {
            let (old, new) = (text_of(&mut fields, old), text_of(&mut fields, new));
            Some(TextEdit { old, new, rest: fields })
        };
        self.items(list, edit).unwrap_or_default()
    }

    /// Reads the items of a to-do list. The list is removed only if all of its items have a title
    /// and a status.
    fn todos(&mut self, list: &str, title: &str, status: &str) -> Option<Vec<TodoItem>> {
        self.items(list, |mut fields| {
            let (title, status) = (text_of(&mut fields, title)?, text_of(&mut fields, status)?);
            Some(TodoItem { title, status: status.into(), rest: fields })
        })
    }

    fn items<T>(
        &mut self,
        list: &str,
        read: impl Fn(Map<String, Value>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let values = self.0.get(list)?.as_array()?;
        let fields = values.iter().filter_map(Value::as_object).cloned();
        let items: Vec<_> = fields.filter_map(read).collect();
        if items.len() == values.len() && !items.is_empty() {
            self.0.remove(list);
        }
        Some(items)
    }
}

fn text_of(fields: &mut Map<String, Value>, key: &str) -> Option<String> {
    if !fields.get(key)?.is_string() {
        return None;
    }
    match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}
