//! The goal of a task: the person's words, and the reader program's interpretation of them.

use serde::{Deserialize, Serialize};
use verger_text::identifiers;

use crate::paths::named_in;
use crate::person::{is_go_on, persons_words};
use crate::phrases::shortened;
use crate::reading::Reading;

/// The maximum number of characters of the first instruction.
const MAX_TEXT: usize = 500;
/// The maximum number of later instructions, and the maximum number of characters of each.
const MAX_ADDED: usize = 4;
const MAX_ADDED_TEXT: usize = 160;
/// The maximum number of paths of a goal, and the maximum number of its keywords.
const MAX_PATHS: usize = 16;
const MAX_KEYWORDS: usize = 48;
/// The maximum length of the start and of the end of a long prompt, in bytes. The text between them
/// isn't read.
const MAX_HEAD: usize = 8 * 1024;
const MAX_TAIL: usize = 4 * 1024;

/// The goal of a task, in the person's words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// The instruction with which the task began, shortened.
    pub text: String,
    /// Later instructions for the same task, each shortened, the latest last.
    pub added: Vec<String>,
    /// The paths that the instructions of the task name.
    pub paths: Vec<String>,
    /// The goal as the reader program interprets it. `None` without an answer of the reader
    /// program.
    pub read_as: Option<String>,
    /// The identifiers in the instructions, and the reader program's keywords.
    pub keywords: Vec<String>,
}

impl Goal {
    /// Whether the goal is empty, because the person has sent no prompt for it yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Begins a new task whose first instruction is `words`.
    pub(crate) fn begin(&mut self, words: &str, root: Option<&str>) {
        *self = Self { text: shortened(words.trim(), MAX_TEXT), ..Self::default() };
        self.take_names(words, root);
    }

    /// Adds a later instruction to the current task.
    pub(crate) fn add(&mut self, words: &str, root: Option<&str>) {
        if self.is_empty() {
            return self.begin(words, root);
        }
        if is_go_on(words) {
            return;
        }
        if self.added.len() >= MAX_ADDED {
            self.added.remove(0);
        }
        self.added.push(shortened(words.trim(), MAX_ADDED_TEXT));
        self.take_names(words, root);
    }

    /// Adds the reader program's interpretation of the goal.
    pub(crate) fn refine(&mut self, reading: &Reading) {
        if reading.goal.is_some() {
            self.read_as.clone_from(&reading.goal);
        }
        add_new(&mut self.paths, reading.paths.iter().cloned(), MAX_PATHS);
        add_new(&mut self.keywords, reading.keywords.iter().cloned(), MAX_KEYWORDS);
    }

    /// The goal as one text of at most `max` characters: the first instruction, then the later
    /// instructions.
    pub fn summary(&self, max: usize) -> String {
        let parts = [std::slice::from_ref(&self.text), &self.added].concat();
        shortened(&parts.join("\n"), max)
    }

    fn take_names(&mut self, words: &str, root: Option<&str>) {
        let words = excerpt(words);
        add_new(&mut self.paths, named_in(&words, root).into_iter(), MAX_PATHS);
        let names = identifiers(&words).filter(|name| !name.contains('/')).map(str::to_owned);
        add_new(&mut self.keywords, names, MAX_KEYWORDS);
    }
}

/// Adds the items of `new` that aren't in `known` yet, until `known` has `max` items.
fn add_new(known: &mut Vec<String>, new: impl Iterator<Item = String>, max: usize) {
    for item in new {
        if known.len() < max && !known.contains(&item) {
            known.push(item);
        }
    }
}

/// The person's words in a prompt, without blocks that the client added. `None` if no words remain.
pub(crate) fn spoken(prompt: &str) -> Option<String> {
    let words = excerpt(persons_words(prompt).trim());
    (!words.is_empty()).then_some(words)
}

/// The start and the end of a text that is too long. A shorter text is returned whole.
fn excerpt(text: &str) -> String {
    if text.len() <= MAX_HEAD + MAX_TAIL {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(MAX_HEAD);
    let tail = text.ceil_char_boundary(text.len() - MAX_TAIL);
    format!("{}\n\n{}", &text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_instructions_are_added_and_the_oldest_of_them_goes() {
        let mut goal = Goal::default();
        goal.add("Fix the login", None);
        for n in 0..6 {
            goal.add(&format!("also {n}"), None);
        }
        let expected = Goal {
            text: "Fix the login".to_owned(),
            added: (2..6).map(|n| format!("also {n}")).collect(),
            ..Goal::default()
        };
        assert_eq!(goal, expected);
        assert_eq!(goal.summary(20), "Fix the login\nalso 2…");
    }

    #[test]
    fn a_reading_adds_to_the_goal() {
        let mut goal = Goal::default();
        goal.begin("Fix it", None);
        let reading = Reading {
            goal: Some("Let the login keep its page".to_owned()),
            paths: vec!["src/login.rs".to_owned()],
            ..Reading::default()
        };
        goal.refine(&reading);
        assert_eq!(goal.read_as, reading.goal);
        assert_eq!(goal.paths, reading.paths);
        assert_eq!(goal.text, "Fix it");
    }

    #[test]
    fn a_long_prompt_keeps_its_start_and_its_end() {
        let long = format!("start {} end", "あ".repeat(20_000));
        let words = spoken(&long).unwrap();
        assert!(words.starts_with("start") && words.ends_with("end"));
        assert!(words.len() <= MAX_HEAD + MAX_TAIL + 2);
        assert_eq!(spoken("<system-reminder>\nx\n</system-reminder>"), None);
    }
}
