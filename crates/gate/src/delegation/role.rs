//! The roles of agents. An agent either leads others or does the work.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::policy::Tiers;

/// The role of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The agent does the work.
    Musician,
    /// The agent leads musicians, and writes plans and documents.
    SectionLeader,
    /// The agent plans, and delegates the work.
    Conductor,
}

/// The source of an agent's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleSource {
    /// The role comes from verger's settings.
    Settings,
    /// The role comes from an environment variable of the agent's program.
    Environment,
    /// The role comes from a file of the project.
    Marker,
}

impl Role {
    /// The role with this name. `None` for any other name, because other programs may use the same
    /// environment variable for something else.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace(['-', ' '], "_");
        match name.as_str() {
            "musician" => Some(Self::Musician),
            "section_leader" => Some(Self::SectionLeader),
            "conductor" => Some(Self::Conductor),
            _ => None,
        }
    }

    /// The role in a project with this number of tiers. With two tiers, a section leader counts as
    /// a conductor.
    #[must_use]
    pub fn in_tiers(self, tiers: Tiers) -> Self {
        match (self, tiers) {
            (Self::SectionLeader, Tiers::Two) => Self::Conductor,
            (role, Tiers::Two | Tiers::Three) => role,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Musician => "musician",
            Self::SectionLeader => "section leader",
            Self::Conductor => "conductor",
        })
    }
}

impl fmt::Display for RoleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Settings => "settings",
            Self::Environment => "environment",
            Self::Marker => "marker",
        })
    }
}
