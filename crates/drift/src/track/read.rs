//! Builds the reader program's input, and keeps its answer until the record of the prompt is
//! applied.
//!
//! In the log, the answer comes before its prompt. So the prompt is applied only once, together
//! with the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::{EventId, Standing};

use super::Track;
use crate::goal::spoken;
use crate::limit::limits_in;
use crate::reading::{ByRules, Reading, ReadingRequest};

/// The reader program's answer about a prompt whose record isn't applied yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Read {
    /// The id of the prompt's record.
    pub(super) on: EventId,
    /// The answer as JSON, because the snapshot's format can't leave out fields.
    json: String,
}

impl Read {
    pub(super) fn of(standing: &Standing, change: &Value) -> Option<Self> {
        let on = *standing.evidence.first()?;
        let json = serde_json::to_string(&Reading::kept_in(change)?).ok()?;
        Some(Self { on, json })
    }

    pub(super) fn reading(&self) -> Option<Reading> {
        serde_json::from_str(&self.json).ok()
    }
}

impl Track {
    /// The input of the reader program for a prompt. `None` if the prompt has no words of a person.
    /// `cwd` is the agent's directory at the time of the prompt.
    pub fn reading_request(&self, prompt: &str, cwd: Option<&str>) -> Option<ReadingRequest> {
        let words = spoken(prompt)?;
        let root = self.root.as_deref().or(cwd);
        let mut goal = self.goal.clone();
        goal.add(&words, root);
        let limits = limits_in(&words, root);
        let said = limits.iter().map(|said| said.limit.to_string());
        Some(ReadingRequest {
            prompt: words.clone(),
            goal: Some(self.goal.text.clone()).filter(|text| !text.is_empty()),
            rules: ByRules {
                goal: goal.text,
                paths: goal.paths,
                constraints: self.limits().into_iter().chain(said).collect(),
                task: self.tasks.action_of(&words),
            },
        })
    }
}
