//! Where an agent stands: its last score, whether it was told, and what followed.

use serde::{Deserialize, Serialize};
use verger_gate::drift::FindingKind;

/// Where an agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last score, from 1 to 10; nothing where nothing is measured any more.
    pub score: Option<u8>,
    /// The kind of the finding, where there is one.
    pub kind: Option<FindingKind>,
    /// Whether the agent was told.
    pub telling: Telling,
    /// What came after it.
    pub followed: Option<Followed>,
}

/// Whether the agent is told of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// There is nothing to tell.
    Nothing,
    /// No: agents are only observed.
    Observed,
    /// No: the turn had ended.
    TurnEnded,
    /// With the next event that can carry it.
    Waits,
    /// No event could carry it before something else came.
    Missed,
    /// The agent was told the same before.
    ToldBefore,
    /// The agent was told.
    Told,
}

/// The next thing after a finding or a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Followed {
    /// The paths got back their content from the start of the task.
    Restored,
    /// The agent repeated the action and was denied.
    Denied,
    /// The agent was denied as often as allowed, and then not any more.
    Released,
    /// The session was scored again.
    ScoredAgain {
        /// From 1 to 10; nothing where nothing was measured any more.
        score: Option<u8>,
    },
    /// The person spoke.
    PersonSpoke,
}

/// The moment at which a session is scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occasion {
    /// The agent is at work.
    #[default]
    Work,
    /// It ends its turn.
    TurnEnded,
}
