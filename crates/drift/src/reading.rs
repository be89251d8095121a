//! The reader program's answer about a prompt. The reader program is a program of the user's
//! choice, such as one that asks a model.
//!
//! The answer adds to the result of the rules and removes nothing from it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tasks::PromptAction;

/// The name under which the reader program's answers are in the log, as changes of a gate.
pub const READER: &str = "drift-reader";

/// The maximum number of characters of the goal in an answer.
const MAX_GOAL_CHARS: usize = 500;
/// The maximum number of items of each list in an answer.
const MAX_PATHS: usize = 16;
const MAX_KEYWORDS: usize = 32;
const MAX_CONSTRAINTS: usize = 8;
/// The maximum number of characters of each item. A longer item is left out, because a part of a
/// path or a constraint would have another meaning.
const MAX_PATH_CHARS: usize = 200;
const MAX_KEYWORD_CHARS: usize = 60;
const MAX_CONSTRAINT_CHARS: usize = 300;

/// The reader program's answer. This is a stored form, so fields are only added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// The goal of the task, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Files, folders and globs where the work is expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Words about the subject of the task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// The limits in the prompt, as a person would write them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The prompt's effect on the tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<PromptAction>,
}

impl Reading {
    /// The name of the field with the answer in a gate's change.
    pub const FIELD: &'static str = "reading";

    /// Parses the answer in a gate's change. `None` if the change has no answer, or has one that
    /// this version can't parse.
    pub fn kept_in(change: &Value) -> Option<Self> {
        Self::deserialize(change.get(Self::FIELD)?).ok().map(Self::bounded)
    }

    /// Puts each text of the answer on one line, and shortens the lists and texts to their maximum.
    #[must_use]
    pub fn bounded(self) -> Self {
        let Self { goal, paths, keywords, constraints, task } = self;
        let goal: Option<String> =
            goal.map(|goal| plain(&goal).chars().take(MAX_GOAL_CHARS).collect());
        Self {
            goal: goal.filter(|goal| !goal.is_empty()),
            paths: listed(&paths, MAX_PATHS, MAX_PATH_CHARS),
            keywords: listed(&keywords, MAX_KEYWORDS, MAX_KEYWORD_CHARS),
            constraints: listed(&constraints, MAX_CONSTRAINTS, MAX_CONSTRAINT_CHARS),
            task,
        }
    }
}

fn listed(texts: &[String], count: usize, chars: usize) -> Vec<String> {
    let texts = texts.iter().map(|text| plain(text));
    texts.filter(|text| !text.is_empty() && text.chars().count() <= chars).take(count).collect()
}

/// The text on one line, without control characters.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.goal.clone().into_iter().collect();
        for (name, list) in
            [("where", &self.paths), ("words", &self.keywords), ("forbidden", &self.constraints)]
        {
            if !list.is_empty() {
                parts.push(format!("{name}: {}", list.join(", ")));
            }
        }
        parts.extend(self.task.map(|task| format!("task: {}", task.as_str())));
        if parts.is_empty() {
            return f.write_str("nothing to add");
        }
        f.write_str(&parts.join("; "))
    }
}

/// The input of the reader program: a prompt, and the result of the rules for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingRequest {
    /// The person's words, without text that clients added.
    pub prompt: String,
    /// The goal before this prompt, in the person's words.
    pub goal: Option<String>,
    /// The result of the rules for the prompt.
    pub rules: ByRules,
}

/// The result of the rules for a prompt. The rules are verger's own parser of goals, limits and
/// tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByRules {
    /// The goal including the prompt, in the person's words.
    pub goal: String,
    /// Files, folders and globs that the goal names.
    pub paths: Vec<String>,
    /// The limits in force including those in the prompt, in words.
    pub constraints: Vec<String>,
    /// The prompt's effect on the tasks, according to the rules.
    pub task: PromptAction,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_bounded() {
        let many = |count: usize| (0..count).map(|n| format!("a{n}")).collect::<Vec<_>>();
        let mut paths = vec!["x".repeat(MAX_PATH_CHARS + 1), " \n ".to_owned()];
        paths.extend(many(MAX_PATHS + 9));
        let reading = Reading {
            goal: Some(format!("Fix\u{1b}[31m the\nlogin {}", "é".repeat(MAX_GOAL_CHARS))),
            paths,
            keywords: many(MAX_KEYWORDS + 1),
            constraints: many(MAX_CONSTRAINTS + 1),
            task: Some(PromptAction::Subtask),
        };
        let goal: String = format!("Fix [31m the login {}", "é".repeat(MAX_GOAL_CHARS))
            .chars()
            .take(MAX_GOAL_CHARS)
            .collect();
        let expected = Reading {
            goal: Some(goal),
            paths: many(MAX_PATHS),
            keywords: many(MAX_KEYWORDS),
            constraints: many(MAX_CONSTRAINTS),
            task: Some(PromptAction::Subtask),
        };
        assert_eq!(reading.bounded(), expected);
    }

    #[test]
    fn an_answer_is_read_from_the_log_unless_its_form_is_unknown() {
        let reading = Reading {
            goal: Some("Fix the login".to_owned()),
            constraints: vec!["no pushes".to_owned()],
            task: Some(PromptAction::NewTask),
            ..Reading::default()
        };
        let kept =
            |reading: Value| Reading::kept_in(&json!({ "is": "answered", "reading": reading }));
        let stored = serde_json::to_value(&reading).unwrap();
        let form =
            json!({ "goal": "Fix the login", "constraints": ["no pushes"], "task": "new_task" });
        assert_eq!(stored, form);
        assert_eq!(kept(stored), Some(reading));
        assert_eq!(kept(json!({ "later": 1 })), Some(Reading::default()));
        assert_eq!(kept(json!({ "task": "other" })), None);
        assert_eq!(Reading::kept_in(&json!({ "is": "failed" })), None);
    }

    #[test]
    fn an_answer_is_shown_in_one_line() {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let reading = Reading {
            goal: Some("Fix the login".to_owned()),
            paths: list(&["src/a.rs", "web"]),
            keywords: vec![],
            constraints: list(&["do not push"]),
            task: Some(PromptAction::ParallelTask),
        };
        let expected =
            "Fix the login; where: src/a.rs, web; forbidden: do not push; task: parallel_task";
        assert_eq!(reading.to_string(), expected);
        assert_eq!(Reading::default().to_string(), "nothing to add");
    }
}
