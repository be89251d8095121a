//! Grounds: the rule, facts and settings behind an opinion of verger.
//!
//! Grounds are written with their verdict, so that it can be explained after the settings and the
//! working tree have changed. Their size is limited when they are made.

use crate::{GateName, Verdict};

/// The most facts, and the most settings, of one opinion.
pub const MAX_GROUNDS: usize = 32;
/// The most bytes of a text in the grounds.
pub const MAX_GROUND_BYTES: usize = 512;

/// The verdict of one gate or guard, with its grounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    /// The gate or guard.
    pub by: GateName,
    /// The verdict. A record of the first release names only the gates; there this is their joined
    /// verdict.
    pub verdict: Verdict,
    /// The grounds.
    pub grounds: Grounds,
}

/// The basis of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grounds {
    pub(crate) rule: Option<String>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) settings: Vec<UsedSetting>,
}

/// A fact that was looked up before deciding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The name of the fact, such as `files changed`.
    pub name: String,
    /// The value that was found.
    pub value: String,
}

/// A setting that took part in a decision, with its value at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedSetting {
    /// Its key.
    pub key: String,
    /// Its value, in the syntax of a configuration file.
    pub value: String,
    /// The file and line, the variable or the default that gave the value.
    pub origin: String,
}

impl Grounds {
    /// Grounds with the rule, or the gate's state, that decided.
    pub fn of_rule(rule: impl Into<String>) -> Self {
        Self { rule: Some(beginning(rule.into())), ..Self::default() }
    }

    /// Adds a fact. Facts beyond [`MAX_GROUNDS`] are left out.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if self.facts.len() < MAX_GROUNDS {
            self.facts.push(Fact { name: beginning(name.into()), value: beginning(value.into()) });
        }
        self
    }

    /// Adds a setting. Settings beyond [`MAX_GROUNDS`] are left out.
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

    /// The rule, or the gate's state, that decided.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// The facts that were looked up.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The settings that took part.
    pub fn settings(&self) -> &[UsedSetting] {
        &self.settings
    }

    /// Whether there are no grounds.
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
