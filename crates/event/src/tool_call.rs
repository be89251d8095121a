//! Tool calls of agents, in a form that is the same for every client.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::{
    EditCall, FileChange, FileEdit, McpCall, MessageCall, SearchTarget, ShellCall, TextEdit,
    TodoStatus, TodosCall, ToolUse, ToolUseId, WebCall, WriteCall,
};

/// The tool name in a shell call that verger itself creates.
const SHELL: &str = "shell";

/// The object of a tool call: a command or files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A command line that the call runs in a shell.
    Line(&'a str),
    /// Files that the call creates, changes or deletes.
    Written(Vec<&'a str>),
    /// A file that the call reads.
    Read(&'a str),
    /// Files that the call searches: all files below a path, or all files with certain names.
    Searched {
        /// The file or directory that the call searches.
        path: Option<&'a str>,
        /// The pattern of the file names that the call searches for.
        names: Option<&'a str>,
    },
    /// The tool is known, but the input doesn't name the command or files.
    Hidden,
    /// The tool runs no command and uses no files, or it is unknown.
    Other,
}

/// The start of a subagent by a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegation<'a> {
    /// The type of the subagent that is started.
    pub agent_type: &'a str,
    /// The text with the subagent's task.
    pub prompt: &'a str,
}

/// A message that a tool call sends to a running subagent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubagentMessage<'a> {
    /// The subagent's id or name, as the sender wrote it.
    pub to: &'a str,
    /// The text of the message.
    pub text: &'a str,
}

/// A tool call of an agent, in verger's vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call's id, if the client gives one.
    pub id: Option<ToolUseId>,
    /// The client's name of the tool, for people and for patterns that people write.
    pub tool: String,
    /// The use of the tool with its input, in verger's vocabulary.
    pub action: ToolUse,
    /// The part of the client's input that `action` doesn't contain: an object with the other
    /// fields, or a value that is not an object. The crate `agent` restores the whole input from
    /// `action` and `rest`.
    pub rest: Value,
}

impl ToolCall {
    /// A call that verger itself creates.
    pub fn new(tool: &str, action: ToolUse) -> Self {
        Self { id: None, tool: tool.to_owned(), action, rest: Value::Object(Map::new()) }
    }

    /// A call that runs a shell command line.
    pub fn shell(line: impl Into<String>) -> Self {
        let line = Some(line.into());
        Self::new(SHELL, ToolUse::Shell(ShellCall { line, ..ShellCall::default() }))
    }

    /// A call that replaces one text in a file by another.
    pub fn edit(path: impl Into<String>, old: &str, new: &str) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let edit = TextEdit { old: text(old), new: text(new), ..TextEdit::default() };
        let edits = if edit == TextEdit::default() { vec![] } else { vec![edit] };
        let file = FileEdit { path: path.into(), change: FileChange::Modified, edits };
        Self::new("edit", ToolUse::Edit(EditCall { files: vec![file] }))
    }

    /// A call that writes the whole content of a file.
    pub fn write(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (Some(path.into()), Some(text.into()));
        Self::new("write", ToolUse::Write(WriteCall { path, text }))
    }

    /// A call of an MCP server's tool, with this input.
    pub fn mcp(server: &str, tool: &str, input: Value) -> Self {
        let call = McpCall { server: server.to_owned(), tool: tool.to_owned() };
        let name = format!("mcp__{server}__{tool}");
        Self { rest: input, ..Self::new(&name, ToolUse::Mcp(call)) }
    }

    /// The same call, with this id.
    #[must_use]
    pub fn with_id(self, id: impl Into<String>) -> Self {
        Self { id: Some(ToolUseId::new(id)), ..self }
    }

    /// The same call with another shell command line.
    #[must_use]
    pub fn with_line(&self, line: &str) -> Self {
        let mut call = self.clone();
        if let ToolUse::Shell(shell) = &mut call.action {
            shell.line = Some(line.to_owned());
        }
        call
    }

    /// The command line that the call runs in a shell.
    pub fn shell_line(&self) -> Option<&str> {
        match &self.action {
            ToolUse::Shell(shell) => shell.line.as_deref(),
            _ => None,
        }
    }

    /// The object of the call: its command or files.
    pub fn subject(&self) -> Subject<'_> {
        match &self.action {
            ToolUse::Shell(shell) => shell.line.as_deref().map_or(Subject::Hidden, Subject::Line),
            ToolUse::Edit(_) | ToolUse::Write(_) => {
                let files: Vec<_> = self.edited_files().collect();
                if files.is_empty() { Subject::Hidden } else { Subject::Written(files) }
            }
            ToolUse::Read(read) => read.path.as_deref().map_or(Subject::Hidden, Subject::Read),
            ToolUse::Search(search) if search.target == SearchTarget::Text => {
                Subject::Searched { path: search.path.as_deref(), names: search.names.as_deref() }
            }
            _ => Subject::Other,
        }
    }

    /// The files that the call creates, changes or deletes, as the agent named them.
    pub fn edited_files(&self) -> impl Iterator<Item = &str> {
        let (edited, written) = match &self.action {
            ToolUse::Edit(edit) => (edit.files.as_slice(), None),
            ToolUse::Write(write) => (&[][..], write.path.as_deref()),
            _ => (&[][..], None),
        };
        edited.iter().map(|file| file.path.as_str()).chain(written)
    }

    /// The first file that the call creates, changes or deletes, as the agent named it.
    pub fn edited_file(&self) -> Option<&str> {
        self.edited_files().next()
    }

    /// The lines that the call adds to files. If the replaced text is known, its lines are left
    /// out.
    pub fn inserted_text(&self) -> Option<String> {
        self.edited_file()?;
        let inserted: Vec<_> = match &self.action {
            ToolUse::Edit(edit) => edit
                .files
                .iter()
                .flat_map(|file| &file.edits)
                .filter_map(TextEdit::inserted)
                .collect(),
            ToolUse::Write(WriteCall { text, .. }) => text.iter().cloned().collect(),
            _ => vec![],
        };
        let inserted: Vec<_> = inserted.into_iter().filter(|text| !text.is_empty()).collect();
        (!inserted.is_empty()).then(|| inserted.join("\n"))
    }

    /// The subagent that the call starts. `None` if the call doesn't start a subagent.
    pub fn delegation(&self) -> Option<Delegation<'_>> {
        match &self.action {
            ToolUse::Delegate(call) => Some(Delegation {
                agent_type: call.agent_type.as_deref()?,
                prompt: call.prompt.as_deref()?,
            }),
            _ => None,
        }
    }

    /// The message that the call sends to a subagent. `None` if the call doesn't send one.
    pub fn subagent_message(&self) -> Option<SubagentMessage<'_>> {
        match &self.action {
            ToolUse::Message(message) => {
                Some(SubagentMessage { to: message.to.as_deref()?, text: message.text.as_deref()? })
            }
            _ => None,
        }
    }

    /// The item of the agent's to-do list that the call updates, and the item's new status. `None`
    /// for other calls.
    pub fn updated_todo(&self) -> Option<(&str, &TodoStatus)> {
        match &self.action {
            ToolUse::Todos(TodosCall::Update { item, status }) => {
                Some((item.as_deref()?, status.as_ref()?))
            }
            _ => None,
        }
    }

    /// The agent's whole to-do list, if the call writes the list: the title and the status of each
    /// item.
    pub fn written_todos(&self) -> Option<impl Iterator<Item = (&str, &TodoStatus)>> {
        match &self.action {
            ToolUse::Todos(TodosCall::Write { items: Some(items) }) => {
                Some(items.iter().map(|item| (item.title.as_str(), &item.status)))
            }
            _ => None,
        }
    }

    /// Whether the call may change a file. `true` if the tool is unknown.
    pub fn may_change_files(&self) -> bool {
        self.action.may_change_files()
    }

    /// The text that describes the call best, such as the command line, the path, the pattern or
    /// the URL.
    pub fn gist(&self) -> Option<&str> {
        match &self.action {
            ToolUse::Shell(shell) => shell.line.as_deref().or(shell.description.as_deref()),
            ToolUse::Edit(_) | ToolUse::Write(_) => self.edited_file(),
            ToolUse::Read(read) => read.path.as_deref(),
            ToolUse::Search(search) => search.pattern.as_deref().or(search.path.as_deref()),
            ToolUse::Delegate(call) => call.description.as_deref().or(call.prompt.as_deref()),
            ToolUse::Message(message) => message.text.as_deref(),
            ToolUse::Web(web) => web.url.as_deref().or(web.query.as_deref()),
            ToolUse::Ask(_) | ToolUse::Todos(_) | ToolUse::Mcp(_) | ToolUse::Other(_) => None,
        }
    }

    /// All texts of the call's input.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = match &self.action {
            ToolUse::Shell(ShellCall { line, description, .. }) => {
                [line, description].into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Edit(EditCall { files }) => {
                let edits = files.iter().flat_map(|file| {
                    let edits = file.edits.iter().flat_map(|edit| edit.old.iter().chain(&edit.new));
                    [&file.path].into_iter().chain(edits)
                });
                edits.map(String::as_str).collect()
            }
            ToolUse::Write(WriteCall { path, text }) => {
                [path, text].into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Read(read) => read.path.as_deref().into_iter().collect(),
            ToolUse::Search(search) => {
                let texts = [&search.pattern, &search.path, &search.names];
                texts.into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Delegate(call) => {
                let texts = [&call.description, &call.prompt, &call.agent_type];
                texts.into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Message(MessageCall { to, text }) => {
                [to, text].into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Todos(TodosCall::Update { item, status }) => {
                let status = status.as_ref().map(TodoStatus::as_str);
                item.as_deref().into_iter().chain(status).collect()
            }
            ToolUse::Web(WebCall { url, query }) => {
                [url, query].into_iter().flatten().map(String::as_str).collect()
            }
            ToolUse::Todos(_) | ToolUse::Ask(_) | ToolUse::Mcp(_) | ToolUse::Other(_) => vec![],
        };
        let rest = self.rest.as_object().into_iter().flatten();
        texts.extend(rest.filter_map(|(_, value)| value.as_str()));
        texts
    }

    /// A text that two calls share exactly if they do the same: the shell line, or else the tool
    /// and its whole input.
    pub fn identity(&self) -> Cow<'_, str> {
        match (self.shell_line(), &self.action) {
            (Some(line), _) => line.into(),
            (None, ToolUse::Mcp(_) | ToolUse::Other(_)) => {
                format!("{} {}", self.tool, self.rest).into()
            }
            // Serializing can't fail: every map has text keys, and every number is valid in JSON.
            (None, action) => {
                let action = serde_json::to_string(action).unwrap_or_default();
                match &self.rest {
                    Value::Object(fields) if fields.is_empty() => format!("{} {action}", self.tool),
                    rest => format!("{} {action} {rest}", self.tool),
                }
                .into()
            }
        }
    }
}

impl TextEdit {
    /// The lines of the new text that are not in the replaced text. `None` if the new text is
    /// unknown.
    fn inserted(&self) -> Option<String> {
        let old: Vec<_> = self.old.as_deref().unwrap_or_default().lines().collect();
        let lines = self.new.as_deref()?.lines().filter(|line| !old.contains(line));
        Some(lines.collect::<Vec<_>>().join("\n"))
    }
}
