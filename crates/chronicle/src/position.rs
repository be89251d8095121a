//! The agent's position: its last score, whether the agent was told about the score, and the event
//! that followed.

use serde::{Deserialize, Serialize};
use verger_gate::drift::FindingKind;

/// The agent's position after its last score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The score from 1 to 10. `None` if there was nothing to measure.
    pub score: Option<u8>,
    /// The kind of the finding, if there is one.
    pub kind: Option<FindingKind>,
    /// Whether the agent was told about the finding.
    pub telling: Telling,
    /// The first event after the score that matters for drift.
    pub followed: Option<Followed>,
}

/// Whether the agent is told about a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// There is no finding to tell the agent about.
    Nothing,
    /// There is a finding, but the agent isn't told, because the drift gate only observes.
    Observed,
    /// There is a finding, but the agent isn't told, because its turn had ended.
    TurnEnded,
    /// The agent will be told with verger's next answer to an event.
    Waits,
    /// The agent was never told, and the correction is no longer pending.
    Missed,
    /// The agent isn't told again, because it got the same correction before.
    ToldBefore,
    /// The agent was told: it got the correction.
    Told,
}

/// The event that followed a finding or correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Followed {
    /// The paths that broke a limit were restored to their content at the task's start.
    Restored,
    /// The agent repeated the action and verger denied it.
    Denied,
    /// The action was allowed, because it had been denied the maximum number of times.
    Released,
    /// The session was scored again.
    ScoredAgain {
        /// The new score from 1 to 10. `None` if there was nothing to measure.
        score: Option<u8>,
    },
    /// The person sent a prompt.
    PersonSpoke,
}

/// The part of a turn in which a session is scored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occasion {
    /// The session is scored while the agent is working.
    #[default]
    Work,
    /// The session is scored while the agent is ending its turn.
    TurnEnded,
}
