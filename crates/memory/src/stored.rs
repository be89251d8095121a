//! The stored form of a learning as JSON. Fields are only added and are optional; unknown fields
//! are ignored.
//!
//! The code is written by hand, not derived: the hook links this code, so it must be small, and the
//! parser must name the field that is wrong.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use verger_event::{SessionId, Timestamp};

use crate::fields::{WrongField, list, number, optional_text, text, text_list};
use crate::learning::{Learning, Provenance};
use crate::learning_id::{BadLearningId, LearningId};
use crate::words::UnknownWord;

/// The version in every stored learning.
pub const STORED_VERSION: u64 = 1;

/// The reason why a JSON value isn't a stored learning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALearning {
    /// A field is missing or of another type.
    #[error(transparent)]
    Field(#[from] WrongField),
    /// A word isn't in its vocabulary.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// The id in the stored learning is invalid.
    #[error(transparent)]
    Id(#[from] BadLearningId),
}

/// The stored form, in which empty fields are left out.
impl Serialize for Learning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let provenance = &self.provenance;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("v", &STORED_VERSION)?;
        map.serialize_entry("id", self.id.as_str())?;
        map.serialize_entry("category", self.category.as_str())?;
        map.serialize_entry("summary", &self.summary)?;
        map.serialize_entry("detail", &self.detail)?;
        map.serialize_entry("scope", self.scope.as_str())?;
        map.serialize_entry("confidence", self.confidence.as_str())?;
        all(&mut map, "criteria", self.criteria.iter().map(|criterion| criterion.as_str()))?;
        all(&mut map, "tags", self.tags.iter())?;
        all(&mut map, "files", self.files.iter())?;
        all(&mut map, "symbols", self.symbols.iter())?;
        all(&mut map, "supersedes", self.supersedes.iter().map(LearningId::as_str))?;
        map.serialize_entry("at", &self.created.as_millis())?;
        all(&mut map, "events", provenance.events.iter().map(ToString::to_string))?;
        let of_origin = [
            ("session", provenance.session.as_ref().map(SessionId::as_str)),
            ("ticket", provenance.ticket.as_deref()),
            ("commit", provenance.commit.as_deref()),
        ];
        for (name, value) in of_origin {
            value.map_or(Ok(()), |value| map.serialize_entry(name, value))?;
        }
        map.end()
    }
}

fn all<M: SerializeMap, T: Serialize>(
    map: &mut M,
    name: &'static str,
    items: impl ExactSizeIterator<Item = T> + Clone,
) -> Result<(), M::Error> {
    if items.len() == 0 { Ok(()) } else { map.serialize_entry(name, &Items(items)) }
}

struct Items<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Items<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

impl Learning {
    /// The learning's stored form.
    pub fn to_json(&self) -> Value {
        // Serializing can fail only for a map whose keys aren't text, and there is none.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads a learning from its stored form.
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
                "\"x\" is not the id of a learning, such as learn-01M7G83FEM0000000000000007",
            ),
            (with("summary", json!(null)), "`summary` is missing or has the wrong type"),
            (
                with("scope", json!("all")),
                "\"all\" is not a known scope; use one of project, team, personal, ephemeral",
            ),
            (with("tags", json!([1])), "`tags` is missing or has the wrong type"),
            (with("at", json!("now")), "`at` is missing or has the wrong type"),
            (with("events", json!(["x"])), "`events` is missing or has the wrong type"),
        ];
        for (said, expected) in table {
            assert_eq!(said, expected);
        }
        assert_eq!(Learning::from_json(&json!(7)), Err(NotALearning::Field(WrongField("id"))));
    }

    proptest! {
        #[test]
        fn any_learning_is_read_back(learning in any_learning()) {
            for line in [learning.to_json().to_string(), serde_json::to_string(&learning).unwrap()] {
                let read = Learning::from_json(&serde_json::from_str(&line).unwrap());
                prop_assert_eq!(read.as_ref(), Ok(&learning));
            }
        }
    }
}
