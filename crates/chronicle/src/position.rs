//! The agent's position: its last score, whether the agent was told about it, and the event that
//! followed.

use serde::{Deserialize, Serialize};
use verger_gate::drift::FindingKind;

/// The agent's position after its last score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last score, from 1 to 10. `None` if there was nothing to measure.
    pub score: Option<u8>,
    /// The kind of the finding, if there is one.
    pub kind: Option<FindingKind>,
    /// Whether the agent was told about the finding.
    pub telling: Telling,
    /// The first relevant event after the score.
    pub followed: Option<Followed>,
}

/// Whether the agent is told about a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// There is no finding.
    Nothing,
    /// The agent isn't told, because the drift gate only observes.
    Observed,
    /// The agent isn't told, because its turn had ended.
    TurnEnded,
    /// The correction is pending until the agent can get it with the answer to an event.
    Waits,
    /// The correction is no longer pending, and the agent never got it.
    Missed,
    /// The agent got the same correction before.
    ToldBefore,
    /// The agent got the correction.
    Told,
}

/// The event that followed a finding or correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Followed {
    /// The paths were restored to their content at the task's start.
    Restored,
    /// The agent repeated the action and was denied.
    Denied,
    /// The agent's action was denied as often as allowed, and then ran.
    Released,
    /// The session was scored again.
    ScoredAgain {
        /// The score from 1 to 10. `None` if there was nothing to measure.
        score: Option<u8>,
    },
    /// The person sent a prompt.
    PersonSpoke,
}

/// The part of a turn in which a session is scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occasion {
    /// The agent is working.
    #[default]
    Work,
    /// The agent is ending its turn.
    TurnEnded,
}
