//! Parses tool patterns in the settings, such as `Bash:gh issue close*` or `mcp__tissue__close*`.

use crate::claude;
use crate::codex;
use crate::tool_form::is_shell;

/// A tool pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternText<'a> {
    /// A pattern of tool names.
    Tool(&'a str),
    /// A pattern of commands that a shell runs.
    Command(&'a str),
}

/// The pattern has a colon after the name of a tool that is no shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("only Bash patterns can name a command: write a tool's name, or `Bash:gh issue close*`")]
pub struct OnlyShellHasCommands;

/// Parses a pattern. `NAME:PATTERN` is a pattern of commands if `NAME` is a client's shell tool.
pub fn pattern_text(text: &str) -> Result<PatternText<'_>, OnlyShellHasCommands> {
    match text.trim().split_once(':') {
        None => Ok(PatternText::Tool(text.trim())),
        Some((name, command)) => {
            let is_shell = [claude::TOOLS, codex::TOOLS].iter().any(|tools| is_shell(tools, name));
            if is_shell { Ok(PatternText::Command(command)) } else { Err(OnlyShellHasCommands) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_shell_has_commands() {
        let read = pattern_text;
        assert_eq!(read("Bash:gh issue close*"), Ok(PatternText::Command("gh issue close*")));
        assert_eq!(read(" mcp__tissue__close* "), Ok(PatternText::Tool("mcp__tissue__close*")));
        assert_eq!(read("Bash"), Ok(PatternText::Tool("Bash")));
        assert_eq!(read("Edit:src/*"), Err(OnlyShellHasCommands));
        assert_eq!(read("Bash:"), Ok(PatternText::Command("")));
    }
}
