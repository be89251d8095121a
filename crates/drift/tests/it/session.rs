//! Sessions for tests, written down as they happen.

use serde_json::json;
use verger_drift::score::{Assessment, Course, Interval, Reason};
use verger_drift::step::{Outcome, Step};

/// A session that is written down as it happens.
#[derive(Default)]
pub(crate) struct Session(pub(crate) Course);

impl Session {
    pub(crate) fn of(prompt: &str) -> Self {
        Self::default().says(prompt)
    }

    pub(crate) fn says(mut self, prompt: &str) -> Self {
        self.0.apply_prompt(prompt, None);
        self
    }

    pub(crate) fn edits(self, file: &str, old: &str, new: &str) -> Self {
        let input = json!({ "file_path": file, "old_string": old, "new_string": new });
        self.does("Edit", &input, None)
    }

    pub(crate) fn writes(self, file: &str, content: &str) -> Self {
        self.does("Write", &json!({ "file_path": file, "content": content }), None)
    }

    /// What is noted on the agent's own list: so many things are left of it.
    pub(crate) fn notes(self, left: usize) -> Self {
        let todo =
            |n| json!({ "content": n, "status": if n < left { "pending" } else { "completed" } });
        self.does("TodoWrite", &json!({ "todos": (0..=left).map(todo).collect::<Vec<_>>() }), None)
    }

    pub(crate) fn greps(self, pattern: &str) -> Self {
        self.does("Grep", &json!({ "pattern": pattern }), None)
    }

    pub(crate) fn reads(self, file: &str) -> Self {
        self.does("Read", &json!({ "file_path": file }), None)
    }

    pub(crate) fn runs(self, line: &str) -> Self {
        self.does("Bash", &json!({ "command": line }), None)
    }

    pub(crate) fn fails(self, line: &str, output: &str) -> Self {
        self.does("Bash", &json!({ "command": line }), Some(output))
    }

    pub(crate) fn prints(mut self, line: &str, output: &str) -> Self {
        let outcome = Outcome { failed: false, output };
        let step = Step::of_call("Bash", &json!({ "command": line }), outcome, None);
        self.0.apply_step(&step, Interval::default());
        self
    }

    pub(crate) fn does(
        mut self,
        tool: &str,
        input: &serde_json::Value,
        failure: Option<&str>,
    ) -> Self {
        let outcome = Outcome { failed: failure.is_some(), output: failure.unwrap_or_default() };
        self.0.apply_step(&Step::of_call(tool, input, outcome, None), Interval::default());
        self
    }

    pub(crate) fn is_worth(&self, score: u8, reasons: &[Reason]) {
        let Assessment { score: found, reasons: told } = self.0.assess();
        assert_eq!((found.get(), told.as_slice()), (score, reasons));
    }
}
