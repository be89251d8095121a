//! A use of a tool, and what can be told from it.

use serde_json::Value;

use crate::{Tool, ToolUseId};

/// The tool that runs a line in a shell.
pub const SHELL_TOOL: &str = "Bash";

/// What a call runs or touches, as far as its tool is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A line in a shell.
    Line(&'a str),
    /// A file that it makes or changes.
    Written(&'a str),
    /// A file that it shows.
    Read(&'a str),
    /// Files that it looks into: below a path, or of such names.
    Searched {
        /// A file or a directory.
        path: Option<&'a str>,
        /// A pattern of names.
        names: Option<&'a str>,
    },
    /// It should be one of these, and its input does not say which.
    Hidden,
    /// Something else.
    Other,
}

/// What a subagent is started with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegation<'a> {
    /// Of which type it is to be.
    pub agent_type: &'a str,
    /// What it is told to do.
    pub prompt: &'a str,
}

/// A use of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call, where the agent names it.
    pub id: Option<ToolUseId>,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

impl ToolCall {
    /// What its tool does.
    pub fn kind(&self) -> Tool {
        Tool::of(&self.tool)
    }

    /// The line that it runs in a shell.
    pub fn shell_line(&self) -> Option<&str> {
        match self.kind() {
            Tool::Shell => self.text("command"),
            _ => None,
        }
    }

    /// What it runs or touches.
    pub fn subject(&self) -> Subject<'_> {
        match self.kind() {
            Tool::Shell => self.text("command").map_or(Subject::Hidden, Subject::Line),
            Tool::Edit(key) | Tool::Write(key) => {
                self.text(key).map_or(Subject::Hidden, Subject::Written)
            }
            Tool::Read(key) => self.text(key).map_or(Subject::Hidden, Subject::Read),
            Tool::Search => Subject::Searched { path: self.text("path"), names: self.text("glob") },
            _ => Subject::Other,
        }
    }

    /// The file that it changes, as the agent named it.
    pub fn edited_file(&self) -> Option<&str> {
        match self.kind() {
            Tool::Edit(key) | Tool::Write(key) => self.text(key),
            _ => None,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.input.get(key)?.as_str()
    }

    /// What it puts into a file: the lines that are not in the text that it takes out, as far as
    /// that is known.
    pub fn inserted_text(&self) -> Option<String> {
        self.edited_file()?;
        let several = self.input.get("edits").and_then(Value::as_array);
        let edits = several.into_iter().flatten().chain([&self.input]);
        let inserted = edits.filter_map(|edit| {
            let text = |keys: &[&str]| keys.iter().find_map(|key| edit.get(key)?.as_str());
            let new = text(&["new_string", "content", "new_source", "new_str", "file_text"])?;
            let old: Vec<_> =
                text(&["old_string", "old_str"]).unwrap_or_default().lines().collect();
            let lines = new.lines().filter(|line| !old.contains(line));
            Some(lines.collect::<Vec<_>>().join("\n"))
        });
        let inserted: Vec<_> = inserted.filter(|text| !text.is_empty()).collect();
        (!inserted.is_empty()).then(|| inserted.join("\n"))
    }

    /// The subagent that it starts.
    pub fn delegation(&self) -> Option<Delegation<'_>> {
        (self.kind() == Tool::Delegate).then_some(())?;
        let types = ["subagent_type", "agent_type", "agent_name"];
        let agent_type = types.into_iter().find_map(|key| self.text(key))?;
        Some(Delegation { agent_type, prompt: self.text("prompt")? })
    }

    /// The item of the agent's own list that it changes, and the word for what it becomes.
    pub fn updated_todo(&self) -> Option<(&str, &str)> {
        (self.kind() == Tool::UpdateTodo).then_some(())?;
        Some((self.text("taskId")?, self.text("status")?))
    }

    /// The agent's own list as it is from now on, where it writes the whole of it: the title of each
    /// item, and the word for how it stands.
    pub fn written_todos(&self) -> Option<impl Iterator<Item = (&str, &str)>> {
        (self.kind() == Tool::WriteTodos).then_some(())?;
        let items = self.input.get("todos")?.as_array()?;
        Some(items.iter().filter_map(|item| {
            Some((item.get("content")?.as_str()?, item.get("status")?.as_str()?))
        }))
    }

    /// Whether it may change a file. What is not known may.
    pub fn may_change_files(&self) -> bool {
        self.kind().may_change_files()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_call_does_is_told_from_its_tool_and_input() {
        let cases = [
            ("Bash", json!({"command": "ls"}), (Some("ls"), None, true)),
            ("Bash", json!({"command": 7}), (None, None, true)),
            ("Edit", json!({"file_path": "/p/a"}), (None, Some("/p/a"), true)),
            ("NotebookEdit", json!({"notebook_path": "n"}), (None, Some("n"), true)),
            ("Read", json!({"file_path": "/p/a"}), (None, None, false)),
            ("mcp__files__write", json!({"command": "x"}), (None, None, true)),
            ("run_shell_command", json!({"command": "ls"}), (Some("ls"), None, true)),
            ("edit", json!({"path": "/p/a"}), (None, Some("/p/a"), true)),
            ("apply_patch", json!({"command": "*** Add File: a"}), (None, None, true)),
        ];
        for (tool, input, expected) in cases {
            let call = ToolCall { id: None, tool: tool.into(), input };
            let told = (call.shell_line(), call.edited_file(), call.may_change_files());
            assert_eq!(told, expected, "{call:?}");
        }
    }

    #[test]
    fn what_a_call_touches_is_told_or_known_to_be_hidden() {
        let cases = [
            ("Bash", json!({"command": "ls"}), Subject::Line("ls")),
            ("Bash", json!({"Command": "ls"}), Subject::Hidden),
            ("Bash", json!(["ls"]), Subject::Hidden),
            ("Write", json!({"file_path": "/p/a"}), Subject::Written("/p/a")),
            ("NotebookEdit", json!({"notebook_path": 7}), Subject::Hidden),
            ("Read", json!({"file_path": "a"}), Subject::Read("a")),
            ("view", json!({"path": "a"}), Subject::Read("a")),
            ("view", json!({"file_path": "a"}), Subject::Hidden),
            ("create", json!({"path": "a"}), Subject::Written("a")),
            ("apply_patch", json!({"command": "*** Add File: a"}), Subject::Other),
            (
                "Grep",
                json!({"path": "a", "glob": "*.rs"}),
                Subject::Searched { path: Some("a"), names: Some("*.rs") },
            ),
            ("Grep", json!({"pattern": "a"}), Subject::Searched { path: None, names: None }),
            ("WebFetch", json!({"url": "a"}), Subject::Other),
        ];
        for (tool, input, expected) in cases {
            let call = ToolCall { id: None, tool: tool.into(), input };
            assert_eq!(call.subject(), expected, "{call:?}");
        }
    }

    #[test]
    fn what_a_call_puts_into_a_file_is_what_was_not_there() {
        let edit = |old: &str, new: &str| json!({"old_string": old, "new_string": new});
        let with = |mut input: Value| {
            input["file_path"] = json!("/p/a");
            input
        };
        let cases = [
            ("Write", with(json!({"content": "a\nb"})), Some("a\nb")),
            ("Edit", with(edit("a\nc", "a\nb\nc")), Some("b")),
            ("Edit", with(edit("a\nb", "b")), None),
            ("MultiEdit", with(json!({"edits": [edit("", "a"), edit("b", "c")]})), Some("a\nc")),
            ("NotebookEdit", json!({"notebook_path": "n", "new_source": "x"}), Some("x")),
            ("Edit", with(json!({"new_string": 7, "edits": 7})), None),
            ("Bash", json!({"command": "x", "content": "y"}), None),
            ("edit", json!({"path": "a", "old_str": "a", "new_str": "a\nb"}), Some("b")),
            ("create", json!({"path": "a", "file_text": "x"}), Some("x")),
        ];
        for (tool, input, expected) in cases {
            let call = ToolCall { id: None, tool: tool.into(), input };
            assert_eq!(call.inserted_text().as_deref(), expected, "{call:?}");
        }
    }

    #[test]
    fn what_becomes_of_an_item_is_told_from_the_call() {
        let input = json!({"taskId": "3", "status": "deleted"});
        let cases = [
            ("TaskUpdate", input.clone(), Some(("3", "deleted"))),
            ("TaskUpdate", json!({"taskId": "3", "subject": "x"}), None),
            ("TaskUpdate", json!({"taskId": 3, "status": "deleted"}), None),
            ("TaskCreate", input, None),
        ];
        for (tool, input, expected) in cases {
            let call = ToolCall { id: None, tool: tool.into(), input };
            assert_eq!(call.updated_todo(), expected, "{call:?}");
        }
    }

    #[test]
    fn who_is_asked_to_do_what_is_told_from_the_call() {
        let input = json!({"subagent_type": "x", "prompt": "look", "description": "d"});
        let delegation = Delegation { agent_type: "x", prompt: "look" };
        let cases = [
            ("Agent", input.clone(), Some(delegation)),
            ("Task", input.clone(), Some(delegation)),
            ("Bash", input, None),
            ("Agent", json!({"prompt": "look"}), None),
            ("Agent", json!(null), None),
            ("task", json!({"agent_type": "x", "prompt": "look"}), Some(delegation)),
            ("invoke_agent", json!({"agent_name": "x", "prompt": "look"}), Some(delegation)),
            ("spawn_agent", json!({"message": "look"}), None),
        ];
        for (tool, input, expected) in cases {
            let call = ToolCall { id: None, tool: tool.into(), input };
            assert_eq!(call.delegation(), expected, "{call:?}");
        }
    }
}
