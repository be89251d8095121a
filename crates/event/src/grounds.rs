//! Why verger said what it said: who spoke, by which rule, from which facts and settings.
//!
//! Grounds are written with the verdict they led to, so that it can be explained when the settings
//! and the working tree have long changed. They are bounded when they are made.

use crate::{GateName, Verdict};

/// How many facts, and how many settings, one opinion names.
pub const MAX_GROUNDS: usize = 32;
/// How much of a text one ground keeps.
pub const MAX_GROUND_BYTES: usize = 512;

/// What one gate or guard said, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    /// The gate or guard.
    pub by: GateName,
    /// What it said. In a record of the first release, which names only who spoke: what all of them
    /// together said.
    pub verdict: Verdict,
    /// Why.
    pub grounds: Grounds,
}

/// What a decision was made from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grounds {
    pub(crate) rule: Option<String>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) settings: Vec<UsedSetting>,
}

/// Something that was looked up before deciding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What was looked up, such as `files changed`.
    pub name: String,
    /// What was found.
    pub value: String,
}

/// A setting that took part in a decision, as it was then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedSetting {
    /// Its key.
    pub key: String,
    /// Its value, as it would stand in a file.
    pub value: String,
    /// The file and line, the variable or the default that gave the value.
    pub origin: String,
}

impl Grounds {
    /// Grounds with the rule, or the state of the gate, that spoke.
    pub fn of_rule(rule: impl Into<String>) -> Self {
        Self { rule: Some(beginning(rule.into())), ..Self::default() }
    }

    /// With a fact more. Facts beyond [`MAX_GROUNDS`] are left out.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if self.facts.len() < MAX_GROUNDS {
            self.facts.push(Fact { name: beginning(name.into()), value: beginning(value.into()) });
        }
        self
    }

    /// With a setting more. Settings beyond [`MAX_GROUNDS`] are left out.
    #[must_use]
    pub fn setting(
        mut self,
        key: impl Into<String>,
        value: impl Into<String>,
        origin: impl Into<String>,
    ) -> Self {
        if self.settings.len() < MAX_GROUNDS {
            self.settings.push(UsedSetting {
                key: beginning(key.into()),
                value: beginning(value.into()),
                origin: beginning(origin.into()),
            });
        }
        self
    }

    /// The rule, or the state of the gate, that spoke.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// What was looked up.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The settings that took part.
    pub fn settings(&self) -> &[UsedSetting] {
        &self.settings
    }

    /// Whether nothing is known of the grounds.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn beginning(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_GROUND_BYTES));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_are_bounded_in_number_and_length() {
        let long = "é".repeat(MAX_GROUND_BYTES);
        let cut = "é".repeat(MAX_GROUND_BYTES / 2);
        let grounds = (0..2 * MAX_GROUNDS).fold(Grounds::of_rule(&*long), |grounds, _| {
            grounds.fact(&*long, &*long).setting(&*long, &*long, &*long)
        });
        let fact = Fact { name: cut.clone(), value: cut.clone() };
        let setting = UsedSetting { key: cut.clone(), value: cut.clone(), origin: cut.clone() };
        let expected = Grounds {
            rule: Some(cut),
            facts: vec![fact; MAX_GROUNDS],
            settings: vec![setting; MAX_GROUNDS],
        };
        assert_eq!(grounds, expected);
    }
}
