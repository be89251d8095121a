//! The records of drift in the log.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::FindingKey;
use verger_drift::score::{Assessment, LimitBroken, Reason, Score};

/// The most reasons that a finding names.
const MAX_REASONS: usize = 6;
/// The most characters of the goal that a finding names.
pub const MAX_GOAL: usize = 240;

/// A change of drift's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The session was scored, with a result that differs from the last one.
    Scored {
        /// The score from 1 to 10; absent if nothing is measured any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Score>,
        /// The finding.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finding: Option<Finding>,
        /// Whether the agent gets a message about the finding.
        is_told: bool,
    },
    /// Paths that broke a limit have their content from the start of the task again.
    Restored {
        /// The paths.
        restored: Vec<String>,
    },
    /// An action that broke a limit three times was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// A denied action ran, because the limit of denials was reached.
    Released {
        /// The call.
        what: String,
    },
}

/// A broken limit, a circle, or the scorer program's judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the worst reason. Equal findings have equal keys.
    pub key: FindingKey,
    /// The names of the other reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<FindingKey>,
    /// The kind of the finding.
    pub kind: FindingKind,
    /// How often the worst limit counts as broken; 0 if no limit is broken.
    #[serde(default, skip_serializing_if = "super::watch::is_default")]
    pub times: u8,
    /// The goal in the person's words.
    pub goal: String,
    /// The reasons, the worst first.
    pub reasons: Vec<String>,
    /// Paths that must be restored to their content from the start of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The first step back on track.
    pub back: String,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A limit of the person was broken.
    Limit,
    /// The agent repeats the same steps.
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

    /// The rule behind the correction, for `verger why`.
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
    /// The finding in an assessment. `None` if the score needs no correction.
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

    /// Whether the action is denied from now on, because it broke a limit three times.
    pub fn is_forced(&self) -> bool {
        self.times >= 3
    }

    /// The names of the finding's reasons, the worst first.
    pub fn keys(&self) -> Vec<FindingKey> {
        [&self.key].into_iter().chain(&self.more).cloned().collect()
    }
}

impl Change {
    /// The cause of the change, in a few words.
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
