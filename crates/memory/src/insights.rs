//! Suggestions from the statistics: rules with thresholds, their findings, and the remedies.

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

/// The facts that rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// All learnings.
    pub accounts: &'a [Account],
    /// All events.
    pub lines: &'a [StatsLine],
    /// The lines as numbers.
    pub overview: &'a Overview,
    /// The limits of decay.
    pub decay: DecayPolicy,
    /// A change with fewer lines than this is small.
    pub auto_skip_lines: u64,
    /// The current time.
    pub now: Timestamp,
}

/// A rule with its threshold.
#[derive(Debug)]
pub struct Rule {
    /// The rule's name.
    pub name: &'static str,
    /// The priority: 1 is the most important.
    pub priority: u8,
    /// The number in [`Self::when`].
    pub number: u64,
    /// The share in [`Self::when`].
    pub share: f64,
    /// The rule in words.
    pub when: &'static str,
    finds: fn(&Self, &Facts<'_>) -> Option<Found>,
}

/// A finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    says: String,
    advice: String,
    learnings: Vec<LearningId>,
}

/// A finding with its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// The rule's name.
    pub rule: &'static str,
    /// The rule's priority.
    pub priority: u8,
    /// The finding.
    pub says: String,
    /// The remedy, with the command.
    pub advice: String,
    /// The learnings that the finding is about.
    pub learnings: Vec<LearningId>,
}

/// The findings of all rules, the most important first.
pub fn insights(facts: &Facts<'_>) -> Vec<Insight> {
    let found = RULES.iter().filter_map(|rule| {
        let Found { says, advice, learnings } = (rule.finds)(rule, facts)?;
        Some(Insight { rule: rule.name, priority: rule.priority, says, advice, learnings })
    });
    let mut insights: Vec<_> = found.collect();
    insights.sort_by_key(|insight| insight.priority);
    insights
}
