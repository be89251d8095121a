//! Patterns for the tools that need a review. The crate `agent` parses the text that the user
//! wrote.

use verger_event::ToolCall;
use verger_shell::{CommandPattern, Glob, PatternError, Script};

/// A pattern for tool calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// The pattern matches a tool by its name.
    Tool(Glob),
    /// The pattern matches a command that the shell tool runs, in any spelling.
    Command(CommandPattern),
}

/// The reason why a text isn't a valid tool pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadToolPattern {
    /// The command in the text isn't a valid command pattern.
    #[error("{0}")]
    Command(#[from] PatternError),
    /// The text isn't the name of a tool.
    #[error("a tool's name has letters, digits, `_`, `-` and `*`")]
    Name,
}

impl ToolPattern {
    /// A pattern for the names of a client's tools.
    pub fn tool(text: &str) -> Result<Self, BadToolPattern> {
        let name = text.trim();
        let is_name = |c: char| c.is_alphanumeric() || "_-*.".contains(c);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(BadToolPattern::Name);
        }
        Ok(Self { text: text.to_owned(), kind: Kind::Tool(Glob::new(name)) })
    }

    /// A pattern for commands that a shell runs. `text` is the whole pattern as the user wrote it.
    pub fn command(text: &str, command: &str) -> Result<Self, BadToolPattern> {
        Ok(Self { text: text.to_owned(), kind: Kind::Command(CommandPattern::parse(command)?) })
    }

    /// The pattern as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a tool call matches the pattern. `script` is the parsed command line, if it is a
    /// call of the shell tool.
    pub fn matches(&self, call: &ToolCall, script: Option<&Script>) -> bool {
        match &self.kind {
            Kind::Tool(name) => name.matches(&call.tool),
            Kind::Command(pattern) => script.is_some_and(|script| pattern.matches(script)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(pattern: &ToolPattern, call: &ToolCall, expected: bool) {
        let script = call.shell_line().map(verger_shell::read);
        assert_eq!(pattern.matches(call, script.as_ref()), expected, "{pattern:?} {call:?}");
    }

    #[test]
    fn a_call_fits_by_its_tool_or_by_what_its_line_runs() {
        let closing = ToolPattern::command("closing", "gh issue close*").unwrap();
        let input = json!({ "command": "gh issue close 5" });
        check(&closing, &ToolCall::shell("cd x && sudo gh -R a/b issue close 5"), true);
        check(&closing, &ToolCall::shell("echo gh issue close 5"), false);
        check(&closing, &ToolCall::shell("GH issue close 5"), true);
        check(&closing, &ToolCall::mcp("gh", "close", input), false);
        let tissue = ToolPattern::tool("mcp__tissue__close*").unwrap();
        check(&tissue, &ToolCall::mcp("tissue", "close_issue", json!({})), true);
        check(&tissue, &ToolCall::mcp("tissue", "list", json!({})), false);
        check(&ToolPattern::tool("shell").unwrap(), &ToolCall::shell("ls"), true);
        check(&ToolPattern::tool("*").unwrap(), &ToolCall::write("a", ""), true);
    }

    #[test]
    fn an_invalid_pattern_has_a_reason() {
        for bad in ["", "  ", "a:b", "gh issue close"] {
            assert_eq!(ToolPattern::tool(bad), Err(BadToolPattern::Name), "{bad:?}");
        }
        for bad in ["", "'gh'"] {
            assert!(ToolPattern::command("x", bad).is_err(), "{bad:?}");
        }
    }
}
