//! The scorer program: parses its answer, and combines its score with the score by rules.
//!
//! The program's score replaces the score by rules. If a limit is broken, the program can only
//! lower the score.

use serde::Deserialize;
use verger_drift::score::{Assessment, Reason, Score};

const MAX_REASON_CHARS: usize = 300;

/// A score that the scorer program gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreGiven {
    /// The score from 1 to 10.
    pub score: Score,
    /// The scorer program's reason for the score.
    pub reason: String,
}

/// The reason why an answer of the scorer program is not usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoScore {
    /// The answer can't be parsed.
    #[error("the answer does not have the required format: {0}")]
    Malformed(String),
    /// The number in the answer isn't a score from 1 to 10.
    #[error("the answer's score is not from 1 to 10")]
    Score,
}

#[derive(Deserialize)]
struct Answer {
    score: i64,
    #[serde(default)]
    reason: String,
}

impl ScoreGiven {
    /// Parses the scorer program's answer, such as `{"score": 4, "reason": "it restyles pages that
    /// nobody asked for"}`.
    pub fn parse(answer: &[u8]) -> Result<Self, NoScore> {
        let Answer { score, reason } = serde_json::from_slice(answer)
            .map_err(|error| NoScore::Malformed(error.to_string()))?;
        if !(1..=10).contains(&score) {
            return Err(NoScore::Score);
        }
        let reason = reason.chars().take(MAX_REASON_CHARS).collect();
        Ok(Self { score: Score::new(score), reason })
    }

    /// The assessment by rules, with the scorer program's score and reason added.
    pub fn applied_to(&self, assessment: Assessment) -> Assessment {
        let Assessment { score: by_rules, mut reasons } = assessment;
        let limits =
            reasons.iter().filter(|reason| matches!(reason, Reason::LimitBroken(_))).count();
        let score = match by_rules {
            Some(by_rules) if limits > 0 => self.score.min(by_rules),
            _ => self.score,
        };
        if self.score.level().is_some() {
            reasons.insert(limits, Reason::Judged { reason: self.reason.clone() });
        }
        Assessment { score: Some(score), reasons }
    }
}

#[cfg(test)]
mod tests {
    use verger_drift::circle::Circle;
    use verger_drift::limit::Limit;
    use verger_drift::score::{LimitBroken, ReadBy};

    use super::*;

    fn given(score: i64) -> ScoreGiven {
        ScoreGiven { score: Score::new(score), reason: "it restyles pages".to_owned() }
    }

    #[test]
    fn only_an_answer_of_the_right_form_is_a_score() {
        let answer = br#"{"score": 4, "reason": "it restyles pages", "more": 1}"#;
        assert_eq!(ScoreGiven::parse(answer), Ok(given(4)));
        for answer in [r#"{"score": 0}"#, r#"{"score": 11}"#] {
            assert_eq!(ScoreGiven::parse(answer.as_bytes()), Err(NoScore::Score), "{answer}");
        }
        for answer in ["", "8", r#"{"score": "8"}"#, r#"{"reason": "x"}"#] {
            let read = ScoreGiven::parse(answer.as_bytes());
            assert!(matches!(read, Err(NoScore::Malformed(_))), "{answer}");
        }
    }

    #[test]
    fn its_score_counts_unless_a_limit_is_broken() {
        let judged = Reason::Judged { reason: "it restyles pages".to_owned() };
        let broken = Reason::LimitBroken(LimitBroken {
            limit: Limit::NoChanges,
            by: ReadBy::Rules,
            what: "a.rs".to_owned(),
            paths: vec!["a.rs".to_owned()],
            times: 1,
        });
        let circle = Reason::Circle(Circle {
            check: "cargo test".to_owned(),
            failure: "login".to_owned(),
            times: 3,
        });
        let ours = |score: Option<i64>, reasons: &[&Reason]| Assessment {
            score: score.map(Score::new),
            reasons: reasons.iter().map(|reason| (*reason).clone()).collect(),
        };
        for (before, score, expected) in [
            (ours(None, &[]), 9, ours(Some(9), &[])),
            (ours(None, &[]), 4, ours(Some(4), &[&judged])),
            (ours(Some(6), &[&circle]), 9, ours(Some(9), &[&circle])),
            (ours(Some(6), &[&circle]), 4, ours(Some(4), &[&judged, &circle])),
            (ours(Some(5), &[&broken]), 9, ours(Some(5), &[&broken])),
            (ours(Some(5), &[&broken]), 2, ours(Some(2), &[&broken, &judged])),
        ] {
            assert_eq!(given(score).applied_to(before.clone()), expected, "{score} on {before:?}");
        }
    }
}
