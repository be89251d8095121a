//! What a change takes out of a file and puts in its place.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mark::mark;

/// A text for another one, told apart by their marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    #[serde(rename = "t")]
    taken: u64,
    #[serde(rename = "p")]
    put: u64,
}

impl Exchange {
    /// What an edit exchanges; nothing where that is not known of a call.
    pub(super) fn of(input: &Value) -> Option<Self> {
        let of = |key: &str| input.get(key)?.as_str().map(|text| mark(text.bytes()));
        Some(Self { taken: of("old_string")?, put: of("new_string")? })
    }

    /// Whether nothing is left of it.
    pub(crate) fn is_nothing(self) -> bool {
        self.taken == self.put
    }

    /// Both, where the other goes on from what this one left.
    pub(crate) fn then(self, other: Self) -> Option<Self> {
        (self.put == other.taken).then_some(Self { taken: self.taken, put: other.put })
    }
}
