//! Where an agent stands: its last score, whether it was told, and what came after that.

use serde::{Deserialize, Serialize};
use verger_gate::course::Matter;

/// Where an agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The last score, from 1 to 10.
    pub score: u8,
    /// What is the matter, where something is.
    #[serde(default)]
    pub matter: Matter,
    /// Whether the agent was told of it.
    pub telling: Telling,
    /// What came after it.
    pub followed: Option<Followed>,
}

/// What becomes of a score that asks for a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Telling {
    /// It asks for none.
    Nothing,
    /// It is on record: agents are only observed.
    Observed,
    /// It is on record: the turn had ended, and there was nobody to be told.
    TurnEnded,
    /// The same, and the agent had been told of it before.
    StillThere,
    /// The agent is told with the next event that can carry it.
    Waits,
    /// No event could carry it until something else came.
    Missed,
    /// The agent was told the same before, or often enough.
    SaidBefore,
    /// The agent was told.
    Said,
}

/// What came after something was found or said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Followed {
    /// The agent did what the way back begins with.
    WentBack,
    /// It went on elsewhere.
    WentOn,
    /// It went on elsewhere so often that its changes there are denied.
    HeldBack,
    /// It was denied often enough, and let go.
    LetGo,
    /// The course was scored again.
    ScoredAgain {
        /// From 1 to 10.
        score: u8,
    },
    /// A person spoke.
    PersonSpoke,
}

/// What the course is scored at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occasion {
    /// The agent is at work.
    #[default]
    Work,
    /// It ends its turn.
    TurnEnded,
    /// A person speaks.
    Prompt,
}
