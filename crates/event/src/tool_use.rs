//! The use of a tool, in one vocabulary for every client.
//!
//! The crate `agent` makes these values from a client's tool names and input fields. No other code
//! reads such a name or field. A field that the client left out, or that has another type, is
//! `None`. The serialized form is stored.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::TodoStatus;

/// The use of a tool by a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ToolUse {
    /// Runs a line in a shell.
    Shell(ShellCall),
    /// Changes parts of files.
    Edit(EditCall),
    /// Writes a whole file.
    Write(WriteCall),
    /// Shows a file.
    Read(ReadCall),
    /// Looks for files by name, or for text in files.
    Search(SearchCall),
    /// Starts a subagent, whose own calls are events of their own.
    Delegate(DelegateCall),
    /// Sends a message to a subagent that was started earlier.
    Message(MessageCall),
    /// Asks the person.
    Ask(AskCall),
    /// Changes the agent's own to-do list.
    Todos(TodosCall),
    /// Reads a page of the web or searches the web.
    Web(WebCall),
    /// Uses a tool of an MCP server.
    Mcp(McpCall),
    /// Uses any other tool.
    Other(OtherCall),
}

/// A line in a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShellCall {
    /// The line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The agent's words for what the line does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the agent asks the client to run it outside of the client's sandbox.
    #[serde(default, skip_serializing_if = "is_false")]
    pub leaves_sandbox: bool,
}

/// A change of parts of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditCall {
    /// The files; none if the input does not name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileEdit>,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileEdit {
    /// Its path, as the agent gave it.
    pub path: String,
    /// The kind of change.
    #[serde(default, skip_serializing_if = "FileChange::is_modified")]
    pub change: FileChange,
    /// The texts that are replaced, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<TextEdit>,
}

/// The kind of a change of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FileChange {
    /// Parts of its text change.
    #[default]
    Modified,
    /// It is created, or another file is moved here.
    Added,
    /// It is moved to another path.
    Moved,
    /// It is deleted.
    Deleted,
}

impl FileChange {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_modified(&self) -> bool {
        *self == Self::Modified
    }
}

/// A text that takes the place of another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextEdit {
    /// The text that is taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The text that is put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The other fields of the client's form.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub rest: Map<String, Value>,
}

/// A file that is written as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WriteCall {
    /// Its path, as the agent gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A file that is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadCall {
    /// Its path, as the agent gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line from which it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_line: Option<u64>,
}

/// A search in files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchCall {
    /// Whether names or texts are searched.
    #[serde(rename = "in")]
    pub target: SearchTarget,
    /// The pattern of the names or the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The file or directory that is searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A pattern of names to which a search for text is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
}

/// The target of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SearchTarget {
    /// The names of files.
    #[default]
    Names,
    /// The text in files.
    Text,
}

/// The start of a subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DelegateCall {
    /// Its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// Its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The agent's words for what it is to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A message to a subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MessageCall {
    /// The subagent's id or name, as the sender wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Something that the person is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AskCall {
    /// Questions.
    Question,
    /// Whether a plan may be carried out.
    Plan,
}

/// A use of the agent's own to-do list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TodosCall {
    /// Changes one item.
    Update {
        /// The item's id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<String>,
        /// Its new status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<TodoStatus>,
    },
    /// Writes the whole list.
    Write {
        /// The items; `None` if the input has no list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        items: Option<Vec<TodoItem>>,
    },
    /// Adds, shows or does something else.
    Other,
}

/// An item of a to-do list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TodoItem {
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: TodoStatus,
    /// The other fields of the client's form.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub rest: Map<String, Value>,
}

/// A use of the web.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebCall {
    /// The page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The words that are searched for, or what is asked of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// A use of a tool of an MCP server. Its input is the rest of the call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McpCall {
    /// The server.
    pub server: String,
    /// The server's own name of the tool.
    pub tool: String,
}

/// A use of another tool. Its input is the rest of the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherCall {
    /// Whether the tool is known to change no file.
    #[serde(default, skip_serializing_if = "is_false")]
    pub harmless: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl ToolUse {
    /// Whether this use of a tool may change a file. `true` if the tool is unknown.
    pub fn may_change_files(&self) -> bool {
        match self {
            Self::Shell(_) | Self::Edit(_) | Self::Write(_) | Self::Mcp(_) => true,
            Self::Other(other) => !other.harmless,
            Self::Read(_)
            | Self::Search(_)
            | Self::Delegate(_)
            | Self::Message(_)
            | Self::Ask(_)
            | Self::Todos(_)
            | Self::Web(_) => false,
        }
    }
}
