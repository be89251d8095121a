//! Patterns of tools that need a review. The crate `agent` parses the user's text.

use verger_event::ToolCall;
use verger_shell::{CommandPattern, Glob, PatternError, Script};

/// A pattern of tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPattern {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// A tool by its name.
    Tool(Glob),
    /// A command that the shell tool runs, in any spelling.
    Command(CommandPattern),
}

/// The reason why a text isn't a valid tool pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadToolPattern {
    /// The part for a command isn't a command pattern.
    #[error("{0}")]
    Command(#[from] PatternError),
    /// The text isn't the name of a tool.
    #[error("a tool's name has letters, digits, `_`, `-` and `*`")]
    Name,
}

impl ToolPattern {
    /// A pattern of a client's tool names.
    pub fn tool(text: &str) -> Result<Self, BadToolPattern> {
        let name = text.trim();
        let is_name = |c: char| c.is_alphanumeric() || "_-*.".contains(c);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(BadToolPattern::Name);
        }
        Ok(Self { text: text.to_owned(), kind: Kind::Tool(Glob::new(name)) })
    }

    /// A pattern of commands that a shell runs. `text` is the whole pattern as it was written.
    pub fn command(text: &str, command: &str) -> Result<Self, BadToolPattern> {
        Ok(Self { text: text.to_owned(), kind: Kind::Command(CommandPattern::parse(command)?) })
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the call matches. `script` is the parsed line of the shell tool.
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
