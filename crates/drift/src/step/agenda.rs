//! What an agent notes for itself of what it is going to do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a call does to the agent's own list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agenda {
    /// It is written as a whole, and so many things of it are left to do.
    Left(u32),
    /// One thing more is to be done.
    Added,
    /// One of them is done, or dropped.
    Ended,
}

impl Agenda {
    /// Reads it from a call, if that is what it does.
    pub(super) fn of(tool: &str, input: &Value) -> Option<Self> {
        let status = |item: &Value| item.get("status").and_then(Value::as_str).map(is_over);
        match tool {
            "TodoWrite" => {
                let items = input.get("todos")?.as_array()?;
                let left = items.iter().filter(|item| status(item) == Some(false)).count();
                Some(Self::Left(u32::try_from(left).unwrap_or(u32::MAX)))
            }
            "TaskCreate" => Some(Self::Added),
            "TaskUpdate" => status(input)?.then_some(Self::Ended),
            _ => None,
        }
    }
}

fn is_over(status: &str) -> bool {
    matches!(status, "completed" | "deleted" | "cancelled")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_says_what_is_left() {
        let todo = |status: &str| json!({ "content": "a", "status": status });
        let all = ["completed", "in_progress", "pending"].map(todo);
        let cases = [
            ("TodoWrite", json!({ "todos": all }), Some(Agenda::Left(2))),
            ("TodoWrite", json!({ "todos": [todo("completed")] }), Some(Agenda::Left(0))),
            ("TodoWrite", json!({ "todos": "all" }), None),
            ("TaskCreate", json!({ "subject": "a" }), Some(Agenda::Added)),
            ("TaskUpdate", json!({ "taskId": "1", "status": "completed" }), Some(Agenda::Ended)),
            ("TaskUpdate", json!({ "taskId": "1", "status": "in_progress" }), None),
            ("TaskUpdate", json!({ "taskId": "1", "owner": "b" }), None),
            ("Bash", json!({ "command": "ls" }), None),
        ];
        for (tool, input, expected) in cases {
            assert_eq!(Agenda::of(tool, &input), expected, "{tool} {input}");
        }
    }
}
