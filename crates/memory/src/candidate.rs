//! Candidates for learnings, as a reflection offers them, and the record of a rejected one.

use serde_json::{Value, json};

use crate::fields::text_list;

/// A learning that a reflection offers. Every text is as it was written; nothing is checked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The subject area of the learning, such as `pitfall`, as the reflection has it.
    pub category: String,
    /// The main point of the learning, as one sentence.
    pub summary: String,
    /// The knowledge that a reader needs to use the learning.
    pub detail: String,
    /// The audience of the learning, such as `project` or `team`. `None` if the reflection has
    /// none.
    pub scope: Option<String>,
    /// The criteria for keeping the learning, such as `stable_fact`, that the reflection claims.
    pub criteria: Vec<String>,
    /// Tags by which searches find the learning.
    pub tags: Vec<String>,
    /// Paths of files that the learning is about.
    pub files: Vec<String>,
    /// Names in the code that the learning is about.
    pub symbols: Vec<String>,
    /// Ids of the learnings that the candidate replaces.
    pub supersedes: Vec<String>,
}

/// The record of a rejected candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// The beginning of the candidate's summary.
    pub summary: String,
    /// The candidate's tags, limited in number and length.
    pub tags: Vec<String>,
    /// All problems with the candidate.
    pub reasons: Vec<Reason>,
}

/// One problem with a candidate, and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The candidate's field that must be changed.
    pub field: String,
    /// The text of the problem and its remedy.
    pub says: String,
}

impl Rejected {
    /// The maximum number of characters of a summary that the record keeps.
    const MAX_SUMMARY_CHARS: usize = 200;
    const MAX_TAGS: usize = 10;
    const MAX_TAG_CHARS: usize = 40;

    /// Creates the record of a rejected candidate. Shortens the summary and the tags.
    pub fn of(summary: &str, tags: &[String], reasons: Vec<Reason>) -> Self {
        let tags = tags.iter().take(Self::MAX_TAGS);
        Self {
            summary: summary.chars().take(Self::MAX_SUMMARY_CHARS).collect(),
            tags: tags.map(|tag| tag.chars().take(Self::MAX_TAG_CHARS).collect()).collect(),
            reasons,
        }
    }

    /// The record's stored form. Later versions may only add fields to it.
    pub fn to_json(&self) -> Value {
        let reasons: Vec<_> = self
            .reasons
            .iter()
            .map(|reason| json!({ "field": reason.field, "says": reason.says }))
            .collect();
        json!({ "summary": self.summary, "tags": self.tags, "reasons": reasons })
    }

    /// Reads a rejected candidate from its stored form. Missing fields are read as empty.
    pub fn from_json(value: &Value) -> Self {
        let text = |value: &Value, key: &str| {
            value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let reasons = value.get("reasons").and_then(Value::as_array).into_iter().flatten();
        Self {
            summary: text(value, "summary"),
            tags: text_list(value, "tags").unwrap_or_default(),
            reasons: reasons
                .map(|reason| Reason { field: text(reason, "field"), says: text(reason, "says") })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_candidate_is_read_back() {
        let rejected = Rejected {
            summary: "short".to_owned(),
            tags: vec!["db".to_owned()],
            reasons: vec![Reason { field: "summary".to_owned(), says: "is short".to_owned() }],
        };
        let stored = r#"{"reasons":[{"field":"summary","says":"is short"}],"summary":"short","tags":["db"]}"#;
        assert_eq!(rejected.to_json().to_string(), stored);
        assert_eq!(Rejected::from_json(&rejected.to_json()), rejected);
        let nothing = Rejected::of("", &[], vec![]);
        assert_eq!(Rejected::from_json(&json!([1])), nothing);
    }
}
