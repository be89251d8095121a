//! The stored form of a learning as JSON. It only grows: fields are added and optional, and what
//! this version does not know is passed over.
//!
//! Written by hand, not derived: the hook links this, and the reader can say which field is wrong.

use serde_json::Value;
use verger_event::{SessionId, Timestamp};

use crate::fields::{Fields, WrongField, list, number, optional_text, text, text_list, texts};
use crate::learning::{Learning, Provenance};
use crate::learning_id::BadLearningId;
use crate::words::UnknownWord;

/// Stands in every stored learning.
pub const STORED_VERSION: u64 = 1;

/// A JSON value is not a stored learning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALearning {
    /// A field is missing or of another type.
    #[error(transparent)]
    Field(#[from] WrongField),
    /// A word is unknown.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// An id is none.
    #[error(transparent)]
    Id(#[from] BadLearningId),
}

impl Learning {
    /// The stored form.
    pub fn to_json(&self) -> Value {
        let criteria: Vec<_> = self.criteria.iter().map(|criterion| criterion.as_str()).collect();
        let mut fields = Fields::default();
        fields.set("v", STORED_VERSION);
        fields.set("id", self.id.as_str());
        fields.set("category", self.category.as_str());
        fields.set("summary", self.summary.as_str());
        fields.set("detail", self.detail.as_str());
        fields.set("scope", self.scope.as_str());
        fields.set("confidence", self.confidence.as_str());
        fields.set("criteria", criteria);
        fields.set("tags", self.tags.as_slice());
        fields.set("files", self.files.as_slice());
        fields.set("symbols", self.symbols.as_slice());
        fields.set("supersedes", texts(&self.supersedes));
        fields.set("at", self.created.as_millis());
        fields.set("session", self.provenance.session.as_ref().map(SessionId::as_str));
        fields.set("ticket", self.provenance.ticket.as_deref());
        fields.set("events", texts(&self.provenance.events));
        fields.set("commit", self.provenance.commit.as_deref());
        fields.into_json()
    }

    /// Reads the stored form.
    pub fn from_json(value: &Value) -> Result<Self, NotALearning> {
        let id = text(value, "id")?.parse()?;
        let provenance = Provenance {
            session: optional_text(value, "session")?.map(SessionId::new),
            ticket: optional_text(value, "ticket")?.map(str::to_owned),
            events: list(value, "events", |text| text.parse().ok())?,
            commit: optional_text(value, "commit")?.map(str::to_owned),
        };
        Ok(Self {
            id,
            category: text(value, "category")?.parse()?,
            summary: text(value, "summary")?.to_owned(),
            detail: text(value, "detail")?.to_owned(),
            scope: text(value, "scope")?.parse()?,
            confidence: text(value, "confidence")?.parse()?,
            criteria: list(value, "criteria", |text| text.parse().ok())?,
            tags: text_list(value, "tags")?,
            files: text_list(value, "files")?,
            symbols: text_list(value, "symbols")?,
            supersedes: list(value, "supersedes", |text| text.parse().ok())?,
            created: Timestamp::from_millis(number(value, "at")?),
            provenance,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{any_learning, bare, full};
    use proptest::prelude::*;

    const FIXTURES: &str = include_str!("../fixtures/learning-v1.jsonl");

    #[test]
    fn the_stored_form_is_what_it_always_was() {
        let lines: Vec<_> = FIXTURES.lines().collect();
        assert_eq!(full().to_json().to_string(), lines[0]);
        assert_eq!(bare().to_json().to_string(), lines[1]);
        let read: Vec<_> = lines
            .iter()
            .map(|line| Learning::from_json(&serde_json::from_str(line).unwrap()).unwrap())
            .collect();
        assert_eq!(read, [full(), bare(), bare()], "the third has a field of a later version");
    }

    #[test]
    fn a_wrong_field_is_named() {
        let with = |field: &str, value: Value| {
            let mut stored = full().to_json();
            stored[field] = value;
            Learning::from_json(&stored).unwrap_err().to_string()
        };
        let table = [
            (
                with("id", json!("x")),
                "\"x\" is no learning's id, which looks like learn-01M7G83FEM0000000000000007",
            ),
            (with("summary", json!(null)), "`summary` is missing or not of its type"),
            (
                with("scope", json!("all")),
                "\"all\" is no scope; use one of project, team, personal, ephemeral",
            ),
            (with("tags", json!([1])), "`tags` is missing or not of its type"),
            (with("at", json!("now")), "`at` is missing or not of its type"),
            (with("events", json!(["x"])), "`events` is missing or not of its type"),
        ];
        for (said, expected) in table {
            assert_eq!(said, expected);
        }
        assert_eq!(Learning::from_json(&json!(7)), Err(NotALearning::Field(WrongField("id"))));
    }

    proptest! {
        #[test]
        fn any_learning_is_read_back(learning in any_learning()) {
            let line = learning.to_json().to_string();
            prop_assert_eq!(Learning::from_json(&serde_json::from_str(&line).unwrap()), Ok(learning));
        }
    }
}
