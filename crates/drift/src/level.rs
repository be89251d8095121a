//! The level of a correction: how strongly the agent is told.

use serde::{Deserialize, Serialize};

use crate::score::Score;

/// The strength of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A short reminder.
    Nudge,
    /// The finding and the way back.
    Correct,
    /// The same, and what has to be done first.
    Intervene,
    /// The agent has to stop; the action is denied from now on.
    Halt,
}

impl Score {
    /// The level of correction that it asks for, if any.
    pub fn level(self) -> Option<Level> {
        match self.get() {
            8.. => None,
            7 => Some(Level::Nudge),
            5 | 6 => Some(Level::Correct),
            3 | 4 => Some(Level::Intervene),
            0..=2 => Some(Level::Halt),
        }
    }

    /// Whether the agent has to be corrected.
    pub fn is_drift(self) -> bool {
        self.get() <= 6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_its_level() {
        let levels: Vec<_> = (0..=11).map(|value| Score::new(value).level()).collect();
        let [halt, intervene, correct] = [Level::Halt, Level::Intervene, Level::Correct].map(Some);
        let expected = [
            halt,
            halt,
            halt,
            intervene,
            intervene,
            correct,
            correct,
            Some(Level::Nudge),
            None,
            None,
            None,
            None,
        ];
        assert_eq!(levels, expected);
        assert!(Score::new(6).is_drift() && !Score::new(7).is_drift());
    }
}
