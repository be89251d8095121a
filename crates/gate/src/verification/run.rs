//! A started and an ended verification, as the gate remembers them.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::Verified;

/// A verification without a result yet: it runs, or it ended and its result wasn't collected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The run's id.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content that it checks.
    pub content: ContentHash,
    /// The time of the start.
    pub at: Timestamp,
}

/// A verification that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The time of the end.
    pub at: Timestamp,
    /// The result, cut to the part that the gate uses; the log has the whole.
    pub verified: Verified,
}
