//! The permanent id of a learning.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use ulid::Ulid;
use verger_event::{EventId, Timestamp, hex};

const PREFIX: &str = "learn-";
const MAX_REST_BYTES: usize = 64;

/// `learn-` and a ULID, so that two branches never create the same id. The ids of other programs
/// are accepted too: `learn-` and at most 64 letters, digits, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LearningId(String);

/// The error for a text that isn't the id of a learning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the id of a learning, such as learn-01M7G83FEM0000000000000007")]
pub struct BadLearningId(pub String);

impl LearningId {
    /// Creates an id from a time and 80 random bits. Higher bits of `random` are dropped.
    pub fn new(at: Timestamp, random: u128) -> Self {
        Self(format!("{PREFIX}{}", Ulid::from_parts(at.as_millis(), random)))
    }

    /// The id of a handwritten learning without an id. The same text always gives the same id.
    pub fn of_text(summary: &str, detail: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(summary);
        hash.update([0]);
        hash.update(detail);
        Self(format!("{PREFIX}by-hand-{}", hex(&hash.finalize()[..12])))
    }

    /// The time when the learning was made, if the id contains a time.
    pub fn made_at(&self) -> Option<Timestamp> {
        let ulid = Ulid::from_string(self.0.strip_prefix(PREFIX)?).ok()?;
        Some(Timestamp::from_millis(ulid.timestamp_ms()))
    }

    /// An id derived from an event's id.
    pub fn of_event(id: EventId) -> Self {
        Self(format!("{PREFIX}{id}"))
    }

    /// The learning id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for LearningId {
    type Err = BadLearningId;

    fn from_str(text: &str) -> Result<Self, BadLearningId> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let is_id = text.strip_prefix(PREFIX).is_some_and(|rest| {
            (1..=MAX_REST_BYTES).contains(&rest.len()) && rest.bytes().all(is_letter)
        });
        if is_id { Ok(Self(text.to_owned())) } else { Err(BadLearningId(text.to_owned())) }
    }
}

impl fmt::Display for LearningId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_made_of_a_ulid_and_read_back() {
        let id = LearningId::new(Timestamp::from_millis(1_794_767_961_556), 7);
        assert_eq!(id.as_str(), "learn-01M7G83FEM0000000000000007");
        assert_eq!(id.made_at(), Some(Timestamp::from_millis(1_794_767_961_556)));
        assert_eq!(id.as_str().parse(), Ok(id));
        assert_eq!("learn-abc123".parse::<LearningId>().unwrap().made_at(), None);
    }

    #[test]
    fn only_short_plain_words_behind_the_prefix_are_ids() {
        let longest = format!("learn-{}", "a".repeat(64));
        for good in ["learn-a", "learn-abc123", "learn-A_b-9", longest.as_str()] {
            assert_eq!(good.parse::<LearningId>().unwrap().as_str(), good);
        }
        let too_long = format!("learn-{}", "a".repeat(65));
        let bad =
            ["", "learn-", "learn", "Learn-a", "learn-a b", "learn-é", "learn-a/b", &too_long];
        for bad in bad {
            assert_eq!(bad.parse::<LearningId>(), Err(BadLearningId(bad.to_owned())));
        }
    }
}
