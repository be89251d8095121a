//! The opinion of a model, or of another program that the user chose, about a call that the rules
//! don't know.
//!
//! The guard asks for an opinion only if it would otherwise ask a person. The rules come first: an
//! opinion never overrides a denial.

use serde::Deserialize;

use super::judgement::{Finding, Judgement, Triage};

/// The name under which calls of the opinion program are in the log.
pub const OPINION: &str = "guard-opinion";

/// The rule name in findings that come from an opinion.
pub const RULE: &str = "opinion";

/// The minimum confidence of an opinion. An opinion with less confidence has no effect.
pub const LEAST_CONFIDENCE: f64 = 0.7;

const MAX_REASON_CHARS: usize = 300;

/// The opinion program's answer about a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// The decision that the program recommends.
    pub advice: Advice,
    /// The program's confidence in its advice, from 0 to 1.
    pub confidence: f64,
    /// The reason for the advice, as the end of a sentence.
    pub reason: String,
}

/// The decision that an opinion recommends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// The program recommends that the call runs.
    Allow,
    /// The program recommends that the call is denied.
    Deny,
    /// The program recommends that a person is asked.
    Ask,
}

/// The reason why an answer of the opinion program isn't valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoOpinion {
    /// The answer doesn't have the required format.
    #[error("the answer does not have the required format: {0}")]
    Malformed(String),
    /// The confidence isn't between 0 and 1.
    #[error("the answer's confidence is not from 0 to 1")]
    Confidence,
}

#[derive(Deserialize)]
struct Answer {
    verdict: Advice,
    confidence: f64,
    reason: String,
}

impl Opinion {
    /// Parses the opinion program's answer, such as `{"verdict": "allow", "confidence": 0.9,
    /// "reason": "it only reads"}`.
    pub fn parse(answer: &[u8]) -> Result<Self, NoOpinion> {
        let Answer { verdict, confidence, reason } = serde_json::from_slice(answer)
            .map_err(|error| NoOpinion::Malformed(error.to_string()))?;
        if !(0.0..=1.0).contains(&confidence) {
            return Err(NoOpinion::Confidence);
        }
        let reason = reason.chars().take(MAX_REASON_CHARS).collect();
        Ok(Self { advice: verdict, confidence, reason })
    }
}

impl Judgement {
    /// Whether the guard may ask for an opinion. The whole command line must be parsed, the rules
    /// must not know a command, and no other finding may be against the call.
    pub fn is_open_to_opinion(&self) -> bool {
        let is_open = |finding: &Finding| match finding.triage {
            Triage::Allow => true,
            Triage::Unknown => finding.command.is_some() && finding.rule == "no-rule",
            Triage::Risky | Triage::Deny => false,
        };
        self.triage == Triage::Unknown && self.findings.iter().all(is_open)
    }

    /// The judgement combined with an opinion. If the guard may not ask for an opinion, the
    /// judgement stays the same.
    #[must_use]
    pub fn with_opinion(self, opinion: &Opinion) -> Self {
        let triage = match opinion.advice {
            Advice::Allow => Triage::Allow,
            Advice::Deny => Triage::Deny,
            Advice::Ask => return self,
        };
        let is_sure = opinion.confidence >= LEAST_CONFIDENCE;
        if !is_sure || !self.is_open_to_opinion() {
            return self;
        }
        let decided = Finding {
            triage,
            rule: RULE.to_owned(),
            why: opinion.reason.clone(),
            instead: None,
            command: None,
        };
        let mut findings = self.findings;
        findings.push(decided.clone());
        Self { triage, decided, findings, conditions: self.conditions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Condition;

    fn opinion(advice: Advice, confidence: f64) -> Opinion {
        Opinion { advice, confidence, reason: "it is so".to_owned() }
    }

    fn finding(triage: Triage, rule: &str, command: Option<usize>) -> Finding {
        Finding { triage, rule: rule.to_owned(), why: String::new(), instead: None, command }
    }

    #[test]
    fn an_answer_is_read_or_it_is_none() {
        let answer = br#" {"verdict":"allow","confidence":0.9,"reason":"it is so","more":1}
"#;
        assert_eq!(Opinion::parse(answer), Ok(opinion(Advice::Allow, 0.9)));
        let long = "x".repeat(1000);
        let answer = format!(r#"{{"verdict":"ask","confidence":1,"reason":"{long}"}}"#);
        assert_eq!(Opinion::parse(answer.as_bytes()).unwrap().reason.len(), MAX_REASON_CHARS);
        for confidence in ["-0.1", "1.1"] {
            let answer = format!(r#"{{"verdict":"deny","confidence":{confidence},"reason":""}}"#);
            assert_eq!(Opinion::parse(answer.as_bytes()), Err(NoOpinion::Confidence));
        }
        for answer in [
            "",
            "allow",
            "{}",
            r#"{"verdict":"yes","confidence":1,"reason":""}"#,
            r#"{"verdict":"allow","confidence":"1","reason":""}"#,
            r#"{"verdict":"allow","confidence":1}"#,
            r#"{"verdict":"allow","confidence":1,"reason":""} {}"#,
            r#"{"verdict":"deny","verdict":"allow","confidence":1,"reason":""}"#,
        ] {
            let parsed = Opinion::parse(answer.as_bytes());
            assert!(matches!(parsed, Err(NoOpinion::Malformed(_))), "{answer}: {parsed:?}");
        }
    }

    #[test]
    fn an_opinion_counts_for_what_no_rule_knows_and_for_nothing_else() {
        use Triage::{Allow, Deny, Risky, Unknown};
        let no_rule = finding(Unknown, "no-rule", Some(0));
        let sure = opinion(Advice::Allow, LEAST_CONFIDENCE);
        for (findings, opinion, expected) in [
            (vec![no_rule.clone()], &sure, (Allow, RULE)),
            (vec![finding(Allow, "ls", Some(0)), no_rule.clone()], &sure, (Allow, RULE)),
            (vec![no_rule.clone()], &opinion(Advice::Deny, 0.8), (Deny, RULE)),
            (vec![no_rule.clone()], &opinion(Advice::Ask, 1.0), (Unknown, "no-rule")),
            (vec![no_rule.clone()], &opinion(Advice::Allow, 0.69), (Unknown, "no-rule")),
            (vec![no_rule.clone()], &opinion(Advice::Allow, f64::NAN), (Unknown, "no-rule")),
            (vec![no_rule.clone(), finding(Deny, "rm", Some(1))], &sure, (Deny, "rm")),
            (vec![no_rule.clone(), finding(Risky, "x", Some(1))], &sure, (Risky, "x")),
            (vec![finding(Unknown, "unread", None), no_rule], &sure, (Unknown, "unread")),
            (vec![finding(Unknown, "hidden-program", Some(0))], &sure, (Unknown, "hidden-program")),
            (vec![finding(Allow, "ls", Some(0))], &opinion(Advice::Deny, 1.0), (Allow, "ls")),
        ] {
            let judgement = Judgement::of(findings, vec![Condition::CleanPath]);
            let weighed = judgement.with_opinion(opinion);
            assert_eq!((weighed.triage, weighed.decided.rule.as_str()), expected, "{opinion:?}");
        }
    }
}
