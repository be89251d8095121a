//! How strongly a score asks to be corrected.

use serde::{Deserialize, Serialize};

/// How well an agent keeps its course: 10 is on course, 1 is as far from it as can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Score(u8);

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
    /// As well as can be.
    pub const BEST: Self = Self(10);
    /// As far off course as can be.
    pub const WORST: Self = Self(1);
    /// From here on an agent that had left its course is back.
    pub const RECOVERED: Self = Self(5);

    /// The nearest score there is.
    pub fn of(value: u8) -> Self {
        Self(value.clamp(Self::WORST.0, Self::BEST.0))
    }

    /// As a number.
    pub fn get(self) -> u8 {
        self.0
    }

    /// How it is to be corrected, if it is.
    pub fn level(self) -> Option<Level> {
        match self.0 {
            8.. => None,
            7 => Some(Level::Nudge),
            5 | 6 => Some(Level::Correct),
            3 | 4 => Some(Level::Intervene),
            0..=2 => Some(Level::Halt),
        }
    }

    /// Whether what was done is so far off course that it is no step towards the goal.
    pub fn is_off_course(self) -> bool {
        self < Self::RECOVERED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_its_level() {
        let levels: Vec<_> = (0..=11).map(|value| Score::of(value).level()).collect();
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
        assert!(Score::of(4).is_off_course() && !Score::of(5).is_off_course());
    }
}
