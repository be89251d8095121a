//! What an agent notes for itself of what it is going to do.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mark::mark;
use crate::words::topic;

/// So many things of one list that are over, and so many that are left.
const MAX_ITEMS: usize = 32;

/// What a call does to the agent's own list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agenda {
    /// It is written as a whole.
    Written(Items),
    /// One thing more is to be done, of which these words speak.
    Added(BTreeSet<String>),
    /// One of them is done, or dropped.
    Ended,
}

/// The things on a list, told apart by their marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Items {
    /// Those that are done or dropped.
    pub over: Vec<u64>,
    /// Those that are not.
    pub left: Vec<u64>,
    /// Of what those speak that are left.
    pub words: BTreeSet<String>,
}

impl Agenda {
    /// Reads it from a call, if that is what it does.
    #[inline(never)]
    pub(super) fn of(tool: &str, input: &Value) -> Option<Self> {
        let status = |item: &Value| item.get("status").and_then(Value::as_str).map(is_over);
        let text = |item: &'_ Value, key: &str| {
            item.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        match tool {
            "TodoWrite" => {
                let mut items = Items::default();
                for item in input.get("todos")?.as_array()? {
                    let Some(is_over) = status(item) else { continue };
                    let kind = if is_over { &mut items.over } else { &mut items.left };
                    if kind.len() >= MAX_ITEMS {
                        continue;
                    }
                    let content = text(item, "content");
                    kind.push(mark(content.bytes()));
                    if !is_over {
                        items.words.extend(topic(&content));
                    }
                }
                Some(Self::Written(items))
            }
            "TaskCreate" => Some(Self::Added(topic(&text(input, "subject")))),
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
        let todo = |content: &str, status: &str| json!({ "content": content, "status": status });
        let all = [
            todo("parse hours", "completed"),
            todo("show them in the table", "in_progress"),
            todo("docs", "pending"),
        ];
        let marks = |items: &[&str]| items.iter().map(|one| mark(one.bytes())).collect();
        let words = |words: &[&str]| words.iter().map(|one| (*one).to_owned()).collect();
        let list = Agenda::Written(Items {
            over: marks(&["parse hours"]),
            left: marks(&["show them in the table", "docs"]),
            words: words(&["doc", "tabl"]),
        });
        let cases = [
            ("TodoWrite", json!({ "todos": all }), Some(list)),
            ("TodoWrite", json!({ "todos": "all" }), None),
            (
                "TaskCreate",
                json!({ "subject": "parse hours" }),
                Some(Agenda::Added(words(&["hour", "pars"]))),
            ),
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
