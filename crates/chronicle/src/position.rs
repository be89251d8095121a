//! The agent's position: its last score, whether it was told, and the next event.

use serde::{Deserialize, Serialize};
use verger_gate::drift::FindingKind;

/// The agent's position after its last score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last score, from 1 to 10. `None` if there is nothing left to measure.
    pub score: Option<u8>,
    /// The kind of the finding, if there is one.
    pub kind: Option<FindingKind>,
    /// Whether the agent was told.
    pub telling: Telling,
    /// The event that followed.
    pub followed: Option<Followed>,
}

/// Whether the agent is told of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// There is no finding.
    Nothing,
    /// No: agents are only observed.
    Observed,
    /// No: the turn had ended.
    TurnEnded,
    /// The correction waits for an event that can carry it.
    Waits,
    /// No event could carry it in time.
    Missed,
    /// The agent was given the same correction before.
    ToldBefore,
    /// The agent was told.
    Told,
}

/// The event that followed a finding or a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Followed {
    /// The paths got back their content from the start of the task.
    Restored,
    /// The agent repeated the action and was denied.
    Denied,
    /// The agent's action was denied as often as allowed, and then ran.
    Released,
    /// The session was scored again.
    ScoredAgain {
        /// The score from 1 to 10. `None` if there was nothing left to measure.
        score: Option<u8>,
    },
    /// The person sent a prompt.
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
