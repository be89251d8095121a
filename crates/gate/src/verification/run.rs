//! A verification that was started, and one that ended, as far as the gate remembers them.

use serde::{Deserialize, Serialize};
use verger_event::{ContentHash, Timestamp};

use super::Depth;
use super::verified::Verified;

/// A verification whose result was not taken yet: it runs, or ended while nobody waited for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The run's id.
    pub run: String,
    /// How deep it looks.
    pub depth: Depth,
    /// The content that it looks at.
    pub content: ContentHash,
    /// Since when.
    pub at: Timestamp,
}

/// A verification that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// When.
    pub at: Timestamp,
    /// What it found, cut to what the gate has to say; the log has it whole.
    pub verified: Verified,
}
