//! The changes of drift's state, in the form in which the log stores them.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::FindingKey;
use verger_drift::score::{Assessment, LimitBroken, Reason, Score};

/// The maximum number of reasons in a finding.
const MAX_REASONS: usize = 6;
/// The maximum number of characters of the goal in a finding.
pub const MAX_GOAL: usize = 240;

/// A change of drift's state. This is a stored form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The session was scored, and the result differs from the last score.
    Scored {
        /// The score from 1 to 10. Absent if there is no longer anything to measure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Score>,
        /// The finding, if the score needs a correction.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finding: Option<Finding>,
        /// Whether the agent gets a message about the finding.
        is_told: bool,
    },
    /// The content of paths that broke a limit is again that from the start of the task.
    Restored {
        /// The paths whose content was restored.
        restored: Vec<String>,
    },
    /// A call was denied, because its action broke a limit three times.
    Denied {
        /// A short description of the denied call.
        what: String,
    },
    /// A call was allowed although its action broke a limit three times, because it was denied as
    /// often as allowed.
    Released {
        /// A short description of the allowed call.
        what: String,
    },
}

/// The reasons for a low score: broken limits, a circle, or the scorer program's judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the worst reason. Equal reasons have equal names.
    pub key: FindingKey,
    /// The names of the other reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<FindingKey>,
    /// The kind of the worst reason.
    pub kind: FindingKind,
    /// The number of times that the worst limit counts as broken. 0 if no limit is broken.
    #[serde(default, skip_serializing_if = "super::watch::is_default")]
    pub times: u8,
    /// The goal of the task, in the person's words.
    pub goal: String,
    /// The reasons in words, the worst first.
    pub reasons: Vec<String>,
    /// Paths whose content must be restored to that from the start of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The first step that the agent should take to fix the finding.
    pub back: String,
}

/// The kind of a finding's worst reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A limit of the person was broken.
    Limit,
    /// The agent goes in circles: a check fails again and again in the same way.
    Circle,
    /// The scorer program gave a low score.
    Judged,
}

impl FindingKind {
    fn of(worst: &Reason) -> Self {
        match worst {
            Reason::LimitBroken(_) => Self::Limit,
            Reason::Circle(_) => Self::Circle,
            Reason::Judged { .. } => Self::Judged,
        }
    }

    /// The rule that the agent broke, as `verger why` shows it.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Limit => "the agent did something that the person forbade",
            Self::Circle => {
                "the same check failed three times in the same way, with edits in between"
            }
            Self::Judged => "the program drift.scorer gave a low score",
        }
    }
}

impl Finding {
    /// The finding of an assessment. `None` if the score needs no correction.
    pub fn of(assessment: &Assessment, goal: &str) -> Option<Self> {
        assessment.score?.level()?;
        let worst = assessment.reasons.first()?;
        let reasons = || assessment.reasons.iter().take(MAX_REASONS);
        let paths = reasons().flat_map(|reason| match reason {
            Reason::LimitBroken(LimitBroken { paths, .. }) => paths.as_slice(),
            Reason::Circle(_) | Reason::Judged { .. } => &[],
        });
        Some(Self {
            key: worst.key(),
            more: reasons().skip(1).map(Reason::key).collect(),
            kind: FindingKind::of(worst),
            times: match worst {
                Reason::LimitBroken(broken) => broken.times,
                Reason::Circle(_) | Reason::Judged { .. } => 0,
            },
            goal: goal.split_whitespace().collect::<Vec<_>>().join(" "),
            reasons: reasons().map(ToString::to_string).collect(),
            paths: paths.cloned().collect(),
            back: worst.way_back(),
        })
    }

    /// Whether the forbidden action is denied from now on, because it broke a limit three times.
    pub fn is_forced(&self) -> bool {
        self.times >= 3
    }

    /// The names of the finding's reasons, the worst first.
    pub fn keys(&self) -> Vec<FindingKey> {
        [&self.key].into_iter().chain(&self.more).cloned().collect()
    }
}

impl Change {
    /// The cause of the change in a few words, for the log.
    pub fn cause(&self) -> String {
        match self {
            Self::Scored { score: None, .. } => "not measured".to_owned(),
            Self::Scored { score: Some(score), finding: None, .. } => {
                format!("score {}", score.get())
            }
            Self::Scored { score: Some(score), finding: Some(finding), .. } => {
                let reason = finding.reasons.first().map_or("", String::as_str);
                format!("score {}: {reason}", score.get())
            }
            Self::Restored { restored } => format!("restored: {}", restored.join(", ")),
            Self::Denied { what } => format!("denied: {what}"),
            Self::Released { what } => {
                format!("ran after it was denied `gates.max_blocks` times: {what}")
            }
        }
    }
}
