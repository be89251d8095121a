//! Patterns of tools that need an approval: `Bash:gh issue close*`, `mcp__tissue__close*`.

use verger_event::{SHELL_TOOL, ToolCall};
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
    /// A command that the shell tool runs, in whatever spelling.
    Command(CommandPattern),
}

/// A text that is no pattern of tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadToolPattern {
    /// What follows `Bash:` is no pattern of commands.
    #[error("{0}")]
    Command(#[from] PatternError),
    /// Another tool with something behind a colon.
    #[error(
        "only {SHELL_TOOL} has commands: write a tool's name, or `{SHELL_TOOL}:gh issue close*`"
    )]
    NoCommands,
    /// Not the name of a tool.
    #[error("a tool's name has letters, digits, `_`, `-` and `*`")]
    Name,
}

impl ToolPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, BadToolPattern> {
        let kind = match text.trim().split_once(':') {
            Some((SHELL_TOOL, command)) => Kind::Command(CommandPattern::parse(command)?),
            Some(_) => return Err(BadToolPattern::NoCommands),
            None => {
                let name = text.trim();
                let is_name = |c: char| c.is_alphanumeric() || "_-*.".contains(c);
                if name.is_empty() || !name.chars().all(is_name) {
                    return Err(BadToolPattern::Name);
                }
                Kind::Tool(Glob::new(name))
            }
        };
        Ok(Self { text: text.to_owned(), kind })
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the call fits. `script` is what its line runs, for the shell tool.
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

    fn fits(pattern: &str, tool: &str, line: &str) -> bool {
        let input = json!({ "command": line });
        let call = ToolCall { id: None, tool: tool.into(), input };
        let pattern = ToolPattern::parse(pattern).unwrap();
        pattern.matches(&call, call.shell_line().map(verger_shell::read).as_ref())
    }

    #[test]
    fn a_call_fits_by_its_tool_or_by_what_its_line_runs() {
        let cases = [
            ("Bash:gh issue close*", "Bash", "cd x && sudo gh -R a/b issue close 5", true),
            ("Bash:gh issue close*", "Bash", "echo gh issue close 5", false),
            ("Bash:gh issue close*", "Bash", "GH issue close 5", true),
            ("Bash:gh issue close*", "mcp__gh__close", "gh issue close 5", false),
            ("mcp__tissue__close*", "mcp__tissue__close_issue", "", true),
            ("mcp__tissue__close*", "mcp__tissue__list", "", false),
            ("Bash", "Bash", "ls", true),
            ("*", "Write", "", true),
        ];
        for (pattern, tool, line, expected) in cases {
            assert_eq!(fits(pattern, tool, line), expected, "{pattern} {tool} {line}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for bad in ["", "  ", "Edit:src/*", "Bash:", "Bash:'gh'", "gh issue close"] {
            assert!(ToolPattern::parse(bad).is_err(), "{bad:?}");
        }
    }
}
