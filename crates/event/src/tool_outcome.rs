//! The outcome of a tool call, in a form that is the same for every client. The serialized output
//! is stored.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Interruption, SubagentId};

/// The outcome of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutcome {
    /// The tool call succeeded, with this output.
    Succeeded(ToolOutput),
    /// The tool call failed.
    Failed {
        /// The tool's output, as the agent got it.
        output: ToolOutput,
        /// Whether a person interrupted the tool.
        interruption: Interruption,
    },
    /// The tool ended, but the client doesn't report whether it succeeded. Some clients don't
    /// report the exit code of a shell command.
    Unknown(ToolOutput),
}

/// The output of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolOutput {
    /// The text: the standard output of a shell, the text of a file, the answer of a server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The standard error of a shell, where the client tells it apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub errors: String,
    /// The exit code of a shell's line, where the client tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The change of the file that an edit or a write names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileOutcome>,
    /// The subagent that a delegation started, where the client names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<SubagentId>,
    /// Other parts of the client's output.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub rest: Value,
}

/// The effect of a call on a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileOutcome {
    /// Whether it was not there before.
    pub created: bool,
    /// The first line of the first change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_line: Option<u64>,
}

impl ToolOutput {
    /// An output that consists of text only.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// All text that the tool printed, including errors.
    pub fn printed(&self) -> Cow<'_, str> {
        match (self.text.as_str(), self.errors.as_str()) {
            (text, "") => text.into(),
            ("", errors) => errors.into(),
            (text, errors) => format!("{text}\n{errors}").into(),
        }
    }
}
