//! What the log keeps of the course.

use serde::{Deserialize, Serialize};
use verger_drift::recovery::{Alignment, FindingKey};
use verger_drift::score::{Assessment, Reason, Score};

/// So many reasons are told.
const MAX_REASONS: usize = 3;
/// And so many prohibitions: the next are named when some of these are taken back.
const MAX_FORBIDDEN: usize = 6;
/// So many characters of the goal are told.
pub const MAX_GOAL: usize = 240;

/// Something that the log keeps of the gate. A stored form: variants and fields are only added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Change {
    /// The course was scored.
    Scored {
        /// From 1 to 10.
        score: Score,
        /// What speaks against it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finding: Option<Finding>,
        /// Whether the agent is told of it.
        is_told: bool,
    },
    /// An agent that is to go back did something that says whether it does.
    Stepped {
        /// Whether it does.
        alignment: Alignment,
        /// What speaks against the course by now, where it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        finding: Option<Finding>,
    },
    /// A change of an agent that did not go back was denied.
    Denied {
        /// The call.
        what: String,
    },
    /// It was denied as often as may be, and let go.
    LetGo {
        /// The call.
        what: String,
    },
}

/// What was found to be off course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Equal whenever the same is found.
    pub key: FindingKey,
    /// The same of what else was forbidden and is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<FindingKey>,
    /// What is the matter.
    #[serde(default, skip_serializing_if = "super::watch::is_default")]
    pub matter: Matter,
    /// What was asked for.
    pub goal: String,
    /// What speaks against the course, the weightiest first.
    pub reasons: Vec<String>,
    /// What the way back begins with.
    pub back: String,
}

/// What is the matter with a course.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// The agent leaves what it was asked for.
    #[default]
    Leaving,
    /// It changes the same again and again while the same goes on failing.
    Circles,
}

impl Matter {
    fn of(worst: &Reason) -> Self {
        match worst {
            Reason::Circles { .. } => Self::Circles,
            _ => Self::Leaving,
        }
    }

    /// The rule by which an agent is told of it.
    pub fn told_by(self) -> &'static str {
        match self {
            Self::Leaving => "the agent leaves what it was asked for",
            Self::Circles => "the agent changes the same while the same goes on failing",
        }
    }

    /// The rule by which a change is denied for it.
    pub fn denied_by(self) -> &'static str {
        match self {
            Self::Leaving => "the agent was told to go back and goes on elsewhere",
            Self::Circles => "the agent was told to look first and goes on changing the same",
        }
    }
}

impl Finding {
    /// What an assessment found; nothing where the agent is on course.
    pub fn of(assessment: &Assessment, goal: &str) -> Option<Self> {
        let worst =
            assessment.reasons.first().filter(|_| assessment.score.asks_for_correction())?;
        let goal = goal.split_whitespace().collect::<Vec<_>>().join(" ");
        let goal = match goal.char_indices().nth(MAX_GOAL) {
            Some((at, _)) => format!("{}…", &goal[..at]),
            None => goal,
        };
        // Each prohibition is named, however often another one was broken.
        let mut forbidden: Vec<&Reason> = vec![];
        for reason in assessment.reasons.iter().filter(|reason| reason.constraint().is_some()) {
            if !forbidden.iter().any(|known| known.constraint() == reason.constraint()) {
                forbidden.push(reason);
            }
        }
        let others = assessment.reasons.iter().filter(|reason| !forbidden.contains(reason));
        let others: Vec<&Reason> = others.collect();
        forbidden.truncate(MAX_FORBIDDEN);
        let count = MAX_REASONS.max(forbidden.len());
        let named = forbidden.iter().copied().chain(others).take(count);
        let key = FindingKey(worst.key());
        let keys = forbidden.iter().map(|reason| FindingKey(reason.key()));
        Some(Self {
            more: keys.filter(|other| *other != key).collect(),
            key,
            matter: Matter::of(worst),
            goal,
            reasons: named.map(ToString::to_string).collect(),
            back: worst.way_back(),
        })
    }

    /// What is named in it, the worst first.
    pub fn keys(&self) -> Vec<FindingKey> {
        [&self.key].into_iter().chain(&self.more).cloned().collect()
    }
}

impl Change {
    /// In a few words.
    pub fn cause(&self) -> String {
        match self {
            Self::Scored { score, finding: None, .. } => format!("score {}", score.get()),
            Self::Scored { score, finding: Some(finding), .. } => {
                let reason = finding.reasons.first().map_or("", String::as_str);
                format!("score {}: {reason}", score.get())
            }
            Self::Stepped { alignment: Alignment::Aligned, .. } => "it goes back".to_owned(),
            Self::Stepped { alignment: Alignment::Astray, .. } => "it goes on elsewhere".to_owned(),
            Self::Stepped { alignment: Alignment::Neutral, .. } => "it looks around".to_owned(),
            Self::Denied { what } => format!("denied: {what}"),
            Self::LetGo { what } => format!("denied often enough: {what}"),
        }
    }
}
