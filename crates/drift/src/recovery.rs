//! The state machine of recovery: which corrections the agent gets, at which level, and when
//! recovery ends.
//!
//! The agent is told of a finding once at each level. Recovery ends with a score that needs no
//! correction, or with the person's next prompt. If a limit is broken a third time, the action is
//! denied from then on, up to the number of refusals that gates may make.

use serde::{Deserialize, Serialize};

use crate::score::{Level, Score};

/// The maximum number of findings that the agent is told of between two prompts.
const MAX_TOLD: usize = 24;

/// The name of a finding. Equal findings have equal names.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingKey(pub String);

/// A correction for the agent: findings, and how strongly the agent is told of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The level of the correction.
    pub level: Level,
    /// The findings in the correction, the worst first.
    pub findings: Vec<FindingKey>,
}

/// The phase of recovery that the agent is in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// There is no finding, or only one that needs a short reminder.
    #[default]
    Normal,
    /// There is a finding, and the agent is told to return to the instructions.
    Drifted {
        /// The name of the worst finding.
        finding: FindingKey,
        /// The level of the correction.
        level: Level,
    },
    /// A limit was broken three times, so the forbidden action is denied.
    Forced {
        /// The finding for the broken limit.
        finding: FindingKey,
    },
}

/// The state of recovery: the phase, and the corrections since the person's last prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recovery {
    phase: Phase,
    /// The correction that waits for an event with which it can be sent to the agent.
    pending: Option<Correction>,
    /// The findings that the agent was told of, each with the level of the correction.
    told: Vec<(FindingKey, Level)>,
    /// The finding for which verger stopped denying the action, because it was denied as often as
    /// allowed.
    released: Option<FindingKey>,
}

/// The input of recovery: the findings of one score.
#[derive(Debug, Clone, Copy)]
pub struct Findings<'a> {
    /// The score. `None` if there is neither a limit nor a circle to measure.
    pub score: Option<Score>,
    /// The findings, the worst first.
    pub keys: &'a [FindingKey],
    /// Whether the worst finding is a limit that was broken three times. If so, the forbidden
    /// action is denied.
    pub is_forced: bool,
}

impl Recovery {
    /// The phase of recovery that the agent is in.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The correction that waits for an event with which it can be sent to the agent.
    pub fn pending(&self) -> Option<&Correction> {
        self.pending.as_ref()
    }

    /// Whether the agent was told of all these findings.
    pub fn has_told(&self, findings: &[FindingKey]) -> bool {
        let is_told = |finding: &FindingKey| self.told.iter().any(|(told, _)| told == finding);
        !findings.is_empty() && findings.iter().all(is_told)
    }

    /// Applies a score of the session: updates the phase and the pending correction.
    pub fn scored(&mut self, findings: Findings<'_>) {
        self.pending = None;
        let level = findings.score.and_then(Score::level);
        let (Some(level), Some(worst)) = (level, findings.keys.first()) else {
            *self = Self::default();
            return;
        };
        let is_new = |key: &&FindingKey| {
            let told = self.told.iter().find(|(told, _)| told == *key);
            told.map_or(self.told.len() < MAX_TOLD, |(_, before)| level > *before)
        };
        let new: Vec<FindingKey> = findings.keys.iter().filter(is_new).cloned().collect();
        if !new.is_empty() {
            self.pending = Some(Correction { level, findings: new });
        }
        let is_released = self.released.as_ref() == Some(worst);
        self.phase = match level {
            Level::Nudge => Phase::Normal,
            Level::Halt if findings.is_forced && !is_released => {
                Phase::Forced { finding: worst.clone() }
            }
            level => Phase::Drifted { finding: worst.clone(), level },
        };
    }

    /// Marks the pending correction as told, and returns it.
    pub fn deliver(&mut self) -> Option<Correction> {
        let correction = self.pending.take()?;
        for finding in &correction.findings {
            match self.told.iter_mut().find(|(told, _)| told == finding) {
                Some((_, level)) => *level = correction.level,
                None => self.told.push((finding.clone(), correction.level)),
            }
        }
        Some(correction)
    }

    /// Forgets all findings after a prompt, because the person may have reacted to them.
    pub fn prompted(&mut self) {
        *self = Self::default();
    }

    /// Stops denying the forbidden action until the person's next prompt. Called when the action
    /// was denied as often as allowed.
    pub fn release(&mut self) {
        if let Phase::Forced { finding } = &self.phase {
            self.released = Some(finding.clone());
            self.phase = Phase::Drifted { finding: finding.clone(), level: Level::Halt };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> FindingKey {
        FindingKey(name.to_owned())
    }

    fn scored(recovery: &mut Recovery, score: Option<i64>, keys: &[&str]) {
        let keys: Vec<FindingKey> = keys.iter().map(|name| key(name)).collect();
        let score = score.map(Score::new);
        recovery.scored(Findings { score, keys: &keys, is_forced: true });
    }

    fn delivered(recovery: &mut Recovery) -> Option<(Level, Vec<FindingKey>)> {
        recovery.deliver().map(|correction| (correction.level, correction.findings))
    }

    #[test]
    fn a_finding_is_told_once_at_each_level() {
        let mut recovery = Recovery::default();
        scored(&mut recovery, Some(5), &["a"]);
        assert_eq!(delivered(&mut recovery), Some((Level::Correct, vec![key("a")])));
        scored(&mut recovery, Some(5), &["a"]);
        assert_eq!(delivered(&mut recovery), None);
        scored(&mut recovery, Some(5), &["a", "b"]);
        assert_eq!(delivered(&mut recovery), Some((Level::Correct, vec![key("b")])));
        scored(&mut recovery, Some(3), &["a"]);
        assert_eq!(delivered(&mut recovery), Some((Level::Intervene, vec![key("a")])));
        assert!(recovery.has_told(&[key("a"), key("b")]));
    }

    #[test]
    fn a_third_breach_forces_until_the_agent_is_released_or_the_person_speaks() {
        let mut recovery = Recovery::default();
        scored(&mut recovery, Some(2), &["a"]);
        assert_eq!(recovery.phase(), &Phase::Forced { finding: key("a") });
        recovery.release();
        let halted = Phase::Drifted { finding: key("a"), level: Level::Halt };
        assert_eq!(recovery.phase(), &halted);
        scored(&mut recovery, Some(2), &["a"]);
        assert_eq!(recovery.phase(), &halted, "it is not forced to the same again");
        recovery.prompted();
        scored(&mut recovery, Some(2), &["a"]);
        assert_eq!(recovery.phase(), &Phase::Forced { finding: key("a") });
    }

    #[test]
    fn a_finding_that_is_no_limit_forces_nothing() {
        let mut recovery = Recovery::default();
        let keys = [key("judged")];
        recovery.scored(Findings { score: Some(Score::new(1)), keys: &keys, is_forced: false });
        let expected = Phase::Drifted { finding: key("judged"), level: Level::Halt };
        assert_eq!(recovery.phase(), &expected);
    }

    #[test]
    fn a_good_score_or_no_score_ends_it() {
        for score in [Some(10), None] {
            let mut recovery = Recovery::default();
            scored(&mut recovery, Some(3), &["a"]);
            scored(&mut recovery, score, &[]);
            assert_eq!(recovery, Recovery::default(), "{score:?}");
        }
    }
}
