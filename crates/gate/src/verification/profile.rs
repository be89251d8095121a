//! How deep a verification looks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How deep a verification looks. Each one does what those before it do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The state of git, open tasks, and stubs in what was changed.
    Quick,
    /// Lint and format too.
    Standard,
    /// Types, tests, the project's acceptance commands and the review too.
    Deep,
}

/// The word is no profile's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a profile is quick, standard or deep, not {0:?}")]
pub struct BadProfile(String);

impl Profile {
    /// All of them, the shallowest first.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Standard, Self::Deep];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// The next deeper one; the deepest is its own.
    #[must_use]
    pub fn deeper(self) -> Self {
        match self {
            Self::Quick => Self::Standard,
            Self::Standard | Self::Deep => Self::Deep,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Profile {
    type Err = BadProfile;

    fn from_str(text: &str) -> Result<Self, BadProfile> {
        let known = Self::ALL.into_iter().find(|profile| profile.as_str() == text);
        known.ok_or_else(|| BadProfile(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_has_a_word_and_the_deeper_ones_are_greater() {
        let told =
            Profile::ALL.map(|one| (one.as_str().parse(), one.deeper(), one < Profile::Deep));
        let [quick, standard, deep] = Profile::ALL;
        let expected =
            [(Ok(quick), standard, true), (Ok(standard), deep, true), (Ok(deep), deep, false)];
        assert_eq!(told, expected);
        let bad = "thorough".parse::<Profile>().map_err(|bad| bad.to_string());
        assert_eq!(bad, Err("a profile is quick, standard or deep, not \"thorough\"".to_owned()));
    }
}
