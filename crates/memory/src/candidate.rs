//! What a reflection offers, as it was written, and what became of it when it was turned away.

use serde_json::{Value, json};

use crate::fields::text_list;

/// A learning that somebody offers. Every text stands as it was written; nothing is checked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    /// What it is about.
    pub category: String,
    /// The point of it.
    pub summary: String,
    /// What one must know to use it.
    pub detail: String,
    /// Whom it is for.
    pub scope: Option<String>,
    /// Why it deserves to be kept.
    pub criteria: Vec<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Files that it speaks of.
    pub files: Vec<String>,
    /// Names in the code that it speaks of.
    pub symbols: Vec<String>,
    /// Learnings that it replaces.
    pub supersedes: Vec<String>,
}

/// A candidate that was turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// The beginning of its summary.
    pub summary: String,
    /// The words to find it by, the first of them and their beginnings.
    pub tags: Vec<String>,
    /// Everything that is wrong with it.
    pub reasons: Vec<Reason>,
}

/// One thing that is wrong with a candidate, and how to set it right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The field to change.
    pub field: String,
    /// What is wrong and what would do.
    pub says: String,
}

impl Rejected {
    /// How much of a summary is kept.
    const MAX_SUMMARY_CHARS: usize = 200;
    const MAX_TAGS: usize = 10;
    const MAX_TAG_CHARS: usize = 40;

    /// What is kept of a candidate that is turned away.
    pub fn of(summary: &str, tags: &[String], reasons: Vec<Reason>) -> Self {
        let tags = tags.iter().take(Self::MAX_TAGS);
        Self {
            summary: summary.chars().take(Self::MAX_SUMMARY_CHARS).collect(),
            tags: tags.map(|tag| tag.chars().take(Self::MAX_TAG_CHARS).collect()).collect(),
            reasons,
        }
    }

    /// The stored form, which only grows.
    pub fn to_json(&self) -> Value {
        let reasons: Vec<_> = self
            .reasons
            .iter()
            .map(|reason| json!({ "field": reason.field, "says": reason.says }))
            .collect();
        json!({ "summary": self.summary, "tags": self.tags, "reasons": reasons })
    }

    /// Reads the stored form; what is missing is empty, because nothing depends on it.
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
