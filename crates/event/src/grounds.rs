//! Grounds: the rule, facts and settings that led to a decision of verger.
//!
//! Grounds are stored with their verdict, so that it can be explained after the settings and the
//! working tree have changed. Their constructors limit their size.

use crate::{GateName, Verdict};

/// Maximum number of facts, and of settings, in one opinion.
pub const MAX_GROUNDS: usize = 32;
/// Maximum number of bytes of a text in the grounds.
pub const MAX_GROUND_BYTES: usize = 512;

/// The verdict of one gate or guard, with the grounds for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    /// The name of the gate or guard.
    pub by: GateName,
    /// The verdict of the gate or guard. Records of the first release have only the joined verdict
    /// of all gates; it is then used for each gate.
    pub verdict: Verdict,
    /// The grounds for the verdict.
    pub grounds: Grounds,
}

/// The grounds for a decision: a rule, facts and settings.
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
    /// The value of the fact that was found.
    pub value: String,
}

/// A setting that influenced a decision, with its value at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedSetting {
    /// The path of the setting's key.
    pub key: String,
    /// The setting's value, in the syntax of a configuration file.
    pub value: String,
    /// The origin of the value: a file and line, a variable, or the default.
    pub origin: String,
}

impl Grounds {
    /// Creates grounds with the rule, or the state of the gate, that decided.
    pub fn of_rule(rule: impl Into<String>) -> Self {
        Self { rule: Some(beginning(rule.into())), ..Self::default() }
    }

    /// Adds a fact. Drops it if there are already [`MAX_GROUNDS`] facts.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if self.facts.len() < MAX_GROUNDS {
            self.facts.push(Fact { name: beginning(name.into()), value: beginning(value.into()) });
        }
        self
    }

    /// Adds a setting. Drops it if there are already [`MAX_GROUNDS`] settings.
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

    /// The rule, or the state of the gate, that decided.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// The facts that were looked up.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The settings that influenced the decision.
    pub fn settings(&self) -> &[UsedSetting] {
        &self.settings
    }

    /// Whether there are no rule, facts and settings.
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
