//! The hook's answer as the client interprets it.

use std::fmt::{self, Display, Formatter};

use serde_json::{Value, json};

/// An answer. The default means that the hook printed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use = "a test that ignores what the hook said tests nothing"]
pub struct HookAnswer {
    /// `allow`, `ask`, `deny` or `block`, with the reason.
    pub verdict: Option<(String, String)>,
    /// The text that the model gets.
    pub context: Option<String>,
    /// The text that only the person gets.
    pub notice: Option<String>,
    /// The input that the tool gets instead of the agent's.
    pub rewritten: Option<Value>,
}

impl HookAnswer {
    /// Parses an answer. Fails the test if the client would not understand a part of it.
    #[track_caller]
    pub(crate) fn parse(event: &str, stdout: &str) -> Self {
        if stdout.is_empty() {
            return Self::default();
        }
        let mut json: Value = serde_json::from_str(stdout).unwrap();
        let rewritten = json.pointer_mut("/hookSpecificOutput/updatedInput").map(Value::take);
        let mut take = |pointer: &str| {
            let found = json.pointer_mut(pointer).map(Value::take)?;
            Some(found.as_str().unwrap_or_else(|| panic!("{pointer} in {stdout}")).to_owned())
        };
        let specific = "/hookSpecificOutput";
        let decision = if event == "Stop" {
            // The client continues working when it gets context.
            take(&format!("{specific}/additionalContext"))
                .map(|reason| ("block".to_owned(), reason))
        } else {
            take("/decision").zip(take("/reason"))
        };
        let permission = take(&format!("{specific}/permissionDecision"))
            .zip(take(&format!("{specific}/permissionDecisionReason")));
        // The context of a stop is its reason.
        let context = (event != "Stop").then(|| take(&format!("{specific}/additionalContext")));
        let context = context.flatten();
        let notice = take("/systemMessage");
        if let Some(name) = take(&format!("{specific}/hookEventName")) {
            assert_eq!(name, event, "{stdout}");
        }
        let rest = without_nulls(json);
        assert_eq!(rest, json!({}), "in {stdout}");
        Self { verdict: decision.or(permission), context, notice, rewritten }
    }

    pub fn is_silence(&self) -> bool {
        *self == Self::default()
    }

    /// The shell line that replaces the agent's.
    pub fn rewritten_line(&self) -> Option<&str> {
        self.rewritten.as_ref()?["command"].as_str()
    }

    /// The word of the verdict, or `silence` if there is none.
    pub fn word(&self) -> &str {
        self.verdict.as_ref().map_or("silence", |(word, _)| word)
    }

    /// The reason of the verdict. Empty if there is none.
    pub fn reason(&self) -> &str {
        self.verdict.as_ref().map_or("", |(_, reason)| reason)
    }
}

/// Removes fields that are `null` or empty objects, which are left over from parsed parts.
fn without_nulls(json: Value) -> Value {
    match json {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, without_nulls(value)))
            .filter(|(_, value)| !value.is_null() && *value != json!({}))
            .collect(),
        other => other,
    }
}

/// Formats the parts of the answer for snapshots.
impl Display for HookAnswer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_silence() {
            return writeln!(f, "silence");
        }
        if let Some((word, reason)) = &self.verdict {
            writeln!(f, "{word}: {}", reason.trim_end())?;
        }
        if let Some(context) = &self.context {
            writeln!(f, "context: {}", context.trim_end())?;
        }
        if let Some(notice) = &self.notice {
            writeln!(f, "notice: {}", notice.trim_end())?;
        }
        if let Some(rewritten) = &self.rewritten {
            writeln!(f, "rewritten: {rewritten}")?;
        }
        Ok(())
    }
}
