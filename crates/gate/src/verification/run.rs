//! A started and an ended verification, as stored in the gate's state.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::Verified;

/// A verification without a recorded result. It still runs, or it ended and its result wasn't
/// recorded yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The run's id.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content that the verification checks.
    pub content: ContentHash,
    /// The time of the start.
    pub at: Timestamp,
}

/// A verification that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The time of the end.
    pub at: Timestamp,
    /// The result, cut to the parts that the gate uses. The log has the whole result.
    pub verified: Verified,
}
