//! Suggestions for the person, derived from the statistics by rules with thresholds. Each has a
//! finding and a remedy.

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

/// The data that the rules examine.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// All learnings with their usage and status.
    pub accounts: &'a [Account],
    /// All lines of the statistics file.
    pub lines: &'a [StatsLine],
    /// The numbers computed from `lines` and `accounts`.
    pub overview: &'a Overview,
    /// The rule for archiving unused learnings.
    pub decay: DecayPolicy,
    /// Changes with fewer lines than this are too small for a reflection.
    pub auto_skip_lines: u64,
    /// The time for which the rules are evaluated.
    pub now: Timestamp,
}

/// A rule with its threshold.
#[derive(Debug)]
pub struct Rule {
    /// The rule's name, such as `rubber-stamping`.
    pub name: &'static str,
    /// The rule's priority: 1 is the most important.
    pub priority: u8,
    /// The rule's threshold that is a number. [`Self::when`] describes it.
    pub number: u64,
    /// The rule's threshold that is a share. [`Self::when`] describes it.
    pub share: f64,
    /// The condition under which the rule finds something, as text.
    pub when: &'static str,
    finds: fn(&Self, &Facts<'_>) -> Option<Found>,
}

/// The result of a rule that found something.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    says: String,
    advice: String,
    learnings: Vec<LearningId>,
}

/// A finding with its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insight {
    /// The name of the rule that made the finding.
    pub rule: &'static str,
    /// The priority of the rule that made the finding: 1 is the most important.
    pub priority: u8,
    /// The text of the finding.
    pub says: String,
    /// The text of the remedy, with the command to run.
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
