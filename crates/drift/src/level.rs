//! How strongly a score asks to be corrected.

use serde::{Deserialize, Serialize};

use crate::score::Score;

/// How a correction is said, from a hint to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A short reminder.
    Nudge,
    /// What is off course, and the way back.
    Correct,
    /// The same, with what has to be done first.
    Intervene,
    /// Everything else has to stop.
    Halt,
}

impl Score {
    /// How it is to be corrected, if it is.
    pub fn level(self) -> Option<Level> {
        match self.get() {
            8.. => None,
            7 => Some(Level::Nudge),
            5 | 6 => Some(Level::Correct),
            3 | 4 => Some(Level::Intervene),
            0..=2 => Some(Level::Halt),
        }
    }

    /// Whether what was done is so far off course that it is no step towards the goal.
    pub fn is_off_course(self) -> bool {
        self.get() < 5
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
        assert!(Score::new(4).is_off_course() && !Score::new(5).is_off_course());
    }
}
