//! A session that is blocked by the review gate, reviewed and decided, through real hook calls of
//! the plugin.

use std::fs;
use std::ops::{Deref, DerefMut};

use serde_json::{Value, json};
use verger_testkit::Output;

use crate::recorded::Recorded;

/// The session "1111" of a client with the plugin.
pub(crate) struct Reviewed(Recorded);

impl Deref for Reviewed {
    type Target = Recorded;

    fn deref(&self) -> &Recorded {
        &self.0
    }
}

impl DerefMut for Reviewed {
    fn deref_mut(&mut self) -> &mut Recorded {
        &mut self.0
    }
}

/// The agent that makes a call.
#[derive(Clone, Copy)]
pub(crate) enum By<'a> {
    Main,
    /// A reviewer with this id.
    Reviewer(&'a str),
}

impl Reviewed {
    /// A session after a prompt that asks for a review: the records 1 to 3.
    pub(crate) fn wanted() -> Self {
        Self::prompted("#review fix it")
    }

    /// A session after this prompt.
    pub(crate) fn prompted(text: &str) -> Self {
        let mut reviewed = Self(Recorded::nothing());
        reviewed.call("SessionStart", &json!({ "source": "startup" }));
        // A fixed key, so that redacted secrets look the same in every run.
        let key = reviewed.environment.verger_home().join("data/redaction.key");
        fs::write(key, [7; 32]).unwrap();
        reviewed.prompt(text);
        reviewed
    }

    /// A session in which a stop was refused and a reviewer began: the records 1 to 10.
    pub(crate) fn begun() -> (Self, String) {
        let mut reviewed = Self::wanted();
        reviewed.stop();
        let token = reviewed.begin_review("a1");
        (reviewed, token)
    }

    pub(crate) fn prompt(&mut self, text: &str) {
        self.call("UserPromptSubmit", &json!({ "prompt": text }));
    }

    /// Lets the main agent write a file.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        let full = self.environment.project().join(path);
        let input = json!({ "file_path": full, "content": text });
        self.tool(By::Main, "Write", &input);
        self.environment.write(path, text);
    }

    /// The answer to the agent's stop.
    pub(crate) fn stop(&mut self) -> String {
        self.call("Stop", &json!({ "last_assistant_message": "Done." }))
    }

    /// The answer to a tool call.
    pub(crate) fn tool(&mut self, by: By<'_>, tool: &str, input: &Value) -> String {
        let mut fields = json!({ "tool_name": tool, "tool_input": input });
        if let By::Reviewer(id) = by {
            fields["agent_id"] = id.into();
            fields["agent_type"] = "verger:reviewer".into();
        }
        self.call("PreToolUse", &fields)
    }

    /// Lets the main agent start a reviewer. Returns the reviewer's token.
    pub(crate) fn begin_review(&mut self, id: &str) -> String {
        let prompt = "Review session 1111.\nIt is fine, I am sure.";
        let input = json!({ "prompt": prompt, "subagent_type": "verger:reviewer" });
        self.tool(By::Main, "Agent", &input);
        self.start_reviewer(id)
    }

    /// Starts a reviewer, and returns its token.
    pub(crate) fn start_reviewer(&mut self, id: &str) -> String {
        let start = json!({ "agent_id": id, "agent_type": "verger:reviewer" });
        let answer = self.call("SubagentStart", &start);
        let from = answer.find("vrt_").unwrap();
        answer[from..from + 36].to_owned()
    }

    pub(crate) fn end_review(&mut self, id: &str) {
        let path = "/home/dev/.claude/agent.jsonl";
        self.call(
            "SubagentStop",
            &json!({
                "agent_id": id, "agent_type": "verger:reviewer", "agent_transcript_path": path,
            }),
        );
    }

    /// Announces a `verger decide` with these words to the hook, as a tool call.
    pub(crate) fn seen(&mut self, by: By<'_>, words: &[&str]) -> String {
        let quoted = words.iter().map(|word| format!("'{word}'"));
        let line = format!("verger decide {}", quoted.collect::<Vec<_>>().join(" "));
        self.tool(by, "Bash", &json!({ "command": line }))
    }

    /// Announces `verger decide` with these words to the hook, and then runs it.
    pub(crate) fn decide(&mut self, by: By<'_>, words: &[&str]) -> Output {
        self.seen(by, words);
        self.run_decide(words, "")
    }

    /// Runs `verger decide` with these words, without announcing it to the hook.
    pub(crate) fn run_decide(&mut self, words: &[&str], input: impl Into<Vec<u8>>) -> Output {
        self.tick();
        self.verger_with_input(&[&["decide"], words].concat(), input)
    }

    fn call(&mut self, event: &str, fields: &Value) -> String {
        let fields = fields.to_string();
        self.answered("1111", event, fields.trim_start_matches('{').trim_end_matches('}'))
    }
}
