//! Who leads and who works.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::policy::Tiers;

/// What an agent is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Works.
    Musician,
    /// Leads musicians, and writes plans and documents.
    SectionLeader,
    /// Plans, and delegates the work.
    Conductor,
}

/// What says which role an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleSource {
    /// The settings.
    Settings,
    /// The environment of the agent's program.
    Environment,
    /// A file of the project.
    Marker,
}

impl Role {
    /// The role of that name. Other programs may use the same variable for names of their own: those
    /// are none.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace(['-', ' '], "_");
        match name.as_str() {
            "musician" => Some(Self::Musician),
            "section_leader" => Some(Self::SectionLeader),
            "conductor" => Some(Self::Conductor),
            _ => None,
        }
    }

    /// The role as it is where there are so many tiers: with two, whoever leads is the conductor.
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
