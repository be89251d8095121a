//! What the statistics suggest to do: rules with thresholds, what each found, and what helps.

mod findings;
mod rules;
mod skips;
#[cfg(test)]
mod tests;

use verger_event::Timestamp;

use crate::decay::DecayPolicy;
use crate::learning_id::LearningId;
use crate::stats::{Account, Overview, StatsLine};

pub use rules::RULES;

/// What rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// All learnings.
    pub accounts: &'a [Account],
    /// Everything that happened.
    pub lines: &'a [StatsLine],
    /// The same in numbers.
    pub overview: &'a Overview,
    /// When learnings fade.
    pub decay: DecayPolicy,
    /// A change of fewer lines than this is small.
    pub auto_skip_lines: u64,
    /// The moment that is looked at.
    pub now: Timestamp,
}

/// When something is worth saying.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// From 1, which is looked at first.
    pub priority: u8,
    /// The number in [`Self::when`].
    pub number: u64,
    /// The share in [`Self::when`].
    pub share: f64,
    /// The rule in words.
    pub when: &'static str,
    finds: fn(&Self, &Facts<'_>) -> Option<Found>,
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    says: String,
    advice: String,
    learnings: Vec<LearningId>,
}

/// Something worth knowing, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// The rule's name.
    pub rule: &'static str,
    /// The rule's priority.
    pub priority: u8,
    /// What is so.
    pub says: String,
    /// What helps, with the command.
    pub advice: String,
    /// The learnings that it is about.
    pub learnings: Vec<LearningId>,
}

/// All that the rules find, what matters most first.
pub fn insights(facts: &Facts<'_>) -> Vec<Insight> {
    let found = RULES.iter().filter_map(|rule| {
        let Found { says, advice, learnings } = (rule.finds)(rule, facts)?;
        Some(Insight { rule: rule.name, priority: rule.priority, says, advice, learnings })
    });
    let mut insights: Vec<_> = found.collect();
    insights.sort_by_key(|insight| insight.priority);
    insights
}
