//! What a model, or any other program of the user's choice, thinks of a course.
//!
//! It is asked where the course is scored anyway, and its score counts instead of ours. What a person
//! forbade stays forbidden, whatever it says.

use serde::Deserialize;
use verger_drift::score::{Assessment, Reason, Score};

const MAX_REASON_CHARS: usize = 300;

/// A score that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreGiven {
    /// From 1 to 10.
    pub score: Score,
    /// Why.
    pub reason: String,
}

/// An answer that is no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoScore {
    /// It is not of the form that was asked for.
    #[error("the answer is not of the form that was asked for: {0}")]
    Malformed(String),
    /// Another number.
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
    /// Reads an answer: `{"score": 4, "reason": "it restyles pages that nobody asked for"}`.
    pub fn parse(answer: &[u8]) -> Result<Self, NoScore> {
        let Answer { score, reason } = serde_json::from_slice(answer)
            .map_err(|error| NoScore::Malformed(error.to_string()))?;
        if !(1..=10).contains(&score) {
            return Err(NoScore::Score);
        }
        let reason = reason.chars().take(MAX_REASON_CHARS).collect();
        Ok(Self { score: Score::new(score), reason })
    }

    /// The assessment with this score in place of its own.
    pub fn applied_to(&self, assessment: Assessment) -> Assessment {
        let mut reasons = assessment.reasons;
        let score = if reasons.iter().any(Reason::is_forbidden) {
            self.score.min(assessment.score)
        } else {
            self.score
        };
        if self.score.asks_for_correction() {
            let judged = Reason::Judged { what: self.reason.clone() };
            let (forbidden, others): (Vec<_>, Vec<_>) =
                reasons.into_iter().partition(Reason::is_forbidden);
            reasons = forbidden.into_iter().chain([judged]).chain(others).collect();
        }
        Assessment { score, reasons }
    }
}

#[cfg(test)]
mod tests {
    use verger_drift::goal::Constraint;

    use super::*;

    fn given(score: i64) -> ScoreGiven {
        ScoreGiven { score: Score::new(score), reason: "it restyles pages".to_owned() }
    }

    #[test]
    fn an_answer_is_read_or_it_is_none() {
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
    fn its_score_counts_and_what_is_forbidden_stays_so() {
        let outside = Reason::OutsideScope { what: "web/a.css".to_owned() };
        let judged = Reason::Judged { what: "it restyles pages".to_owned() };
        let forbidden =
            Reason::ForbiddenRun { what: "git push".to_owned(), constraint: Constraint::NoPushes };
        let ours = |score, reasons: &[&Reason]| Assessment {
            score: Score::new(score),
            reasons: reasons.iter().map(|reason| (*reason).clone()).collect(),
        };
        for (before, score, expected) in [
            (ours(10, &[]), 4, ours(4, &[&judged])),
            (ours(5, &[&outside]), 9, ours(9, &[&outside])),
            (ours(4, &[&forbidden]), 9, ours(4, &[&forbidden])),
            (ours(4, &[&forbidden]), 2, ours(2, &[&forbidden, &judged])),
        ] {
            assert_eq!(given(score).applied_to(before.clone()), expected, "{score} on {before:?}");
        }
    }
}
