//! What a program of the user's choice, such as one that asks a model, reads out of a person's words.
//!
//! It adds to what the rules read, and takes nothing away from it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tasks::PromptAction;

/// The name in the log of what becomes of asking a program to read a prompt.
pub const READER: &str = "course-reader";

/// So many characters of the goal.
const MAX_GOAL_CHARS: usize = 500;
/// So many of each list.
const MAX_PATHS: usize = 16;
const MAX_KEYWORDS: usize = 32;
const MAX_CONSTRAINTS: usize = 8;
/// Longer ones are none: what is cut off would be something else.
const MAX_PATH_CHARS: usize = 200;
const MAX_KEYWORD_CHARS: usize = 60;
const MAX_CONSTRAINT_CHARS: usize = 300;

/// What was read. A stored form: fields are only added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// What is wanted, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Files, folders and globs where the work is expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Words that say what it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// What is forbidden, as a person would say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// What it does to the tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<PromptAction>,
}

impl Reading {
    /// Where it stands in what the log keeps of asking.
    pub const FIELD: &'static str = "reading";

    /// Of what the log keeps of asking; nothing where it is of a form that this version does not know.
    pub fn kept_in(change: &Value) -> Option<Self> {
        Self::deserialize(change.get(Self::FIELD)?).ok().map(Self::bounded)
    }

    /// As much of it as is taken in.
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

/// On one line, without what a terminal would obey.
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

/// What the program is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingRequest {
    /// What the person says, without what machines added.
    pub prompt: String,
    /// What was wanted before, in the person's words.
    pub goal: Option<String>,
    /// What rules make of it.
    pub rules: ByRules,
}

/// What rules make of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByRules {
    /// What is wanted now, in the person's words.
    pub goal: String,
    /// Files, folders and globs that are named.
    pub paths: Vec<String>,
    /// Names of functions, types and the like.
    pub symbols: Vec<String>,
    /// What is forbidden, as it is told to people.
    pub constraints: Vec<String>,
    /// Words that say what it is about, as they are compared.
    pub keywords: Vec<String>,
    /// What it does to the tasks.
    pub task: PromptAction,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_too_much_or_too_long_is_left_out() {
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
    fn a_reading_comes_back_from_the_log_and_an_unknown_form_is_passed_over() {
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
    fn a_reading_is_told_in_one_line() {
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
