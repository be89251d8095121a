//! The score: how well an agent follows the person's limits, from 1 to 10. Other instructions have
//! no effect on it, because rules can't measure them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::circle::Circle;
use crate::limit::Limit;
use crate::recovery::FindingKey;

/// A score from 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Score(u8);

impl Score {
    /// The score if all limits are kept.
    pub const KEPT: Self = Self(10);
    /// The score if the agent goes in circles.
    pub const CIRCLE: Self = Self(6);

    /// The score nearest to `value`, from 1 to 10.
    pub fn new(value: i64) -> Self {
        // The conversion can't fail after the clamp.
        Self(u8::try_from(value.clamp(1, 10)).unwrap_or(1))
    }

    /// The score as a number.
    pub fn get(self) -> u8 {
        self.0
    }

    /// The score of a limit that was broken this many times: once, a second time after the agent
    /// was told, or more often.
    pub fn of_breach(times: u8) -> Self {
        match times {
            0 => Self::KEPT,
            1 => Self(5),
            2 => Self(3),
            3.. => Self(2),
        }
    }

    /// The level of the correction for this score. `None` if no correction is needed.
    pub fn level(self) -> Option<Level> {
        match self.get() {
            8.. => None,
            7 => Some(Level::Nudge),
            5 | 6 => Some(Level::Correct),
            3 | 4 => Some(Level::Intervene),
            0..=2 => Some(Level::Halt),
        }
    }

    /// Whether the score is so low that it counts as drift.
    pub fn is_drift(self) -> bool {
        self.get() <= 6
    }
}

/// The strength of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A short reminder.
    Nudge,
    /// The correction names the finding and how to fix it.
    Correct,
    /// The correction names the finding, how to fix it, and the first step.
    Intervene,
    /// The agent must stop. The forbidden action is denied from now on.
    Halt,
}

/// The score of a session, from the rules and from the scorer program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assessment {
    /// The score. `None` if there is neither a limit nor a circle to measure.
    pub score: Option<Score>,
    /// The findings, the worst first.
    pub reasons: Vec<Reason>,
}

/// A finding: one reason for a low score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A limit of the person was broken.
    LimitBroken(LimitBroken),
    /// The agent goes in circles.
    Circle(Circle),
    /// The scorer program reported drift.
    Judged {
        /// The reason that the scorer program gave.
        reason: String,
    },
}

/// A limit that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitBroken {
    /// The limit that was broken.
    pub limit: Limit,
    /// The reader that recognized the limit.
    pub by: ReadBy,
    /// The path or the command that broke the limit.
    pub what: String,
    /// The paths that must be restored.
    pub paths: Vec<String>,
    /// 1 for the first break, 2 for the next break after the agent was told, 3 for all later
    /// breaks.
    pub times: u8,
}

/// The reader that recognized a limit in the person's words: the rules or the reader program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadBy {
    /// The rules recognized the limit.
    #[default]
    Rules,
    /// The reader program recognized the limit when it interpreted the person's words.
    Program,
}

impl Limit {
    /// The name of the finding for a break of this limit.
    pub(crate) fn finding_key(&self) -> FindingKey {
        FindingKey(format!("limit: {self}"))
    }
}

impl Reason {
    /// The name of this finding. Equal findings have equal names.
    pub fn key(&self) -> FindingKey {
        match self {
            Self::LimitBroken(broken) => broken.limit.finding_key(),
            Self::Circle(circle) => FindingKey(format!("circle: {}", circle.failure)),
            Self::Judged { .. } => FindingKey("judged".to_owned()),
        }
    }

    /// The first step that the agent should take to fix the finding.
    pub fn way_back(&self) -> String {
        match self {
            Self::LimitBroken(LimitBroken { by: ReadBy::Program, what, .. }) => {
                format!("go on without `{what}`, or ask the person whether it is wanted")
            }
            Self::LimitBroken(LimitBroken { paths, .. }) if !paths.is_empty() => {
                let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
                format!("restore {} to the content before this task", paths.join(", "))
            }
            Self::LimitBroken(LimitBroken { what, .. }) => {
                format!("do not run `{what}` again, and tell the person that it ran")
            }
            Self::Circle(_) => "look at the failure itself, say what you learned from it, then \
                try another way or ask the person"
                .to_owned(),
            Self::Judged { .. } => "go back to what the person asked for".to_owned(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LimitBroken(LimitBroken { limit, by, what, .. }) => {
                let said = match by {
                    ReadBy::Rules => "the person said",
                    ReadBy::Program => "the prompt may mean",
                };
                write!(f, "`{what}`: {said}: {limit}")
            }
            Self::Circle(Circle { check, failure, times }) => {
                let same_way = "times in the same way, with edits in between";
                write!(f, "`{check}` failed {times} {same_way}: {failure}")
            }
            Self::Judged { reason } => f.write_str(reason),
        }
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
