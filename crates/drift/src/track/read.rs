//! What a program reads out of a prompt: what it is told before, and how its answer waits for the prompt.
//!
//! The log has the answer before the prompt that it is about, so that a prompt is taken in once, with all
//! that is known of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use verger_event::{EventId, Standing};

use super::Track;
use crate::goal::{Goal, excerpt, persons_words};
use crate::reading::{ByRules, Reading, ReadingRequest};

/// A reading that waits for its prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Read {
    /// The prompt.
    pub(super) on: EventId,
    #[serde(with = "as_text")]
    pub(super) reading: Reading,
}

/// As the log has it, where it leaves out what it does not say. A snapshot leaves out nothing.
mod as_text {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Error as _, Serializer};

    use super::Reading;

    pub(super) fn serialize<S: Serializer>(reading: &Reading, to: S) -> Result<S::Ok, S::Error> {
        let text = serde_json::to_string(reading).map_err(S::Error::custom)?;
        to.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Reading, D::Error> {
        let text = String::deserialize(from)?;
        serde_json::from_str(&text).map_err(D::Error::custom)
    }
}

impl Read {
    pub(super) fn of(standing: &Standing, change: &Value) -> Option<Box<Self>> {
        let on = *standing.evidence.first()?;
        Some(Box::new(Self { on, reading: Reading::kept_in(change)? }))
    }
}

impl Track {
    /// What a program that reads a prompt is told of it; nothing where only machines spoke. `cwd` is where the
    /// prompt was said.
    pub fn reading_request(&self, prompt: &str, cwd: Option<&str>) -> Option<ReadingRequest> {
        let words = persons_words(prompt);
        let said = excerpt(words.trim());
        if said.is_empty() {
            return None;
        }
        let mut track = self.clone();
        track.root = track.root.or_else(|| cwd.map(str::to_owned));
        let Goal { text, scope, constraints, keywords, .. } = track.goal_by_rules(prompt, &words);
        Some(ReadingRequest {
            prompt: said,
            goal: Some(self.goal().text.clone()).filter(|text| !text.is_empty()),
            rules: ByRules {
                goal: text,
                paths: scope.paths.iter().map(|path| path.as_str().to_owned()).collect(),
                symbols: scope.symbols,
                constraints: constraints.iter().map(ToString::to_string).collect(),
                keywords: keywords.into_iter().collect(),
                task: self.tasks.action_of(&words),
            },
        })
    }

    /// The goal as a prompt leaves it by rules alone.
    pub(super) fn goal_by_rules(&self, prompt: &str, words: &str) -> Goal {
        let mut goal = self.goal().clone();
        goal.hear_with(prompt, self.root.as_deref(), self.tasks.action_of(words));
        goal
    }
}
