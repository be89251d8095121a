//! Verifications in the gate's state: one that was started, or one that ended.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::Verified;

/// A verification without a recorded result. It still runs, or it ended and its result wasn't
/// recorded yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The id of the verification's run.
    pub run: String,
    /// The depth of the verification.
    pub depth: Depth,
    /// The content of the work that the verification checks.
    pub content: ContentHash,
    /// The time at which the verification was started.
    pub at: Timestamp,
}

/// A verification that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The time at which the verification ended.
    pub at: Timestamp,
    /// The result of the verification, cut to the parts that the gate uses. The log has the whole
    /// result.
    pub verified: Verified,
}
