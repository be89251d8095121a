//! Parses the arguments of `verger decide`.
//!
//! The hook parses the arguments on the command line before it runs, and `verger decide` parses its
//! arguments again. A decision counts only if both results are equal.

use super::change::Refusal;
use super::decision::Decision;

/// The parts of a `verger decide` command on which the hook and the command itself must agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecideLine {
    /// The session that the command names, if it names one.
    pub session: Option<String>,
    /// The token that the command has, if it has one.
    pub token: Option<String>,
    /// The decision that the command makes.
    pub decision: Decision,
}

impl DecideLine {
    /// Parses the arguments of `verger decide` and its standard input.
    pub fn read(words: &[&str], stdin: Option<&str>) -> Result<Self, Refusal> {
        let mut plain = vec![];
        let (mut session, mut token, mut message, mut opinions) = (None, None, None, None);
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let Some(option) = word.strip_prefix("--").filter(|option| !option.is_empty()) else {
                plain.push(word);
                continue;
            };
            let (name, joined) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            let place = match name {
                "session" => &mut session,
                "token" => &mut token,
                "message" => &mut message,
                "opinions" => &mut opinions,
                "json" | "quiet" if joined.is_none() => continue,
                _ => return Err(unknown(word)),
            };
            let value = joined.or_else(|| words.next().copied()).ok_or_else(|| unknown(word))?;
            if place.replace(value.to_owned()).is_some() {
                return Err(unknown(word));
            }
        }
        let [outcome, summary] = plain[..] else {
            let problem = "a decision has two arguments: the outcome, and a summary in quotes";
            return Err(Refusal::Bad { problem: problem.to_owned() });
        };
        let message = match (message.as_deref(), stdin) {
            (Some("-"), Some(text)) => Some(text.to_owned()),
            (Some("-"), None) | (_, Some(_)) => return Err(Refusal::NotPlain),
            (_, None) => message,
        };
        let outcome = Decision::outcome_of(outcome)?;
        let decision = Decision { outcome, summary: summary.to_owned(), message, opinions };
        Ok(Self { session, token, decision: decision.checked()? })
    }
}

fn unknown(word: &str) -> Refusal {
    Refusal::Bad {
        problem: format!("{word} is not an option of `verger decide`, or was given twice"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    fn line(outcome: Outcome, message: Option<&str>) -> DecideLine {
        let decision = Decision {
            outcome,
            summary: "fine".into(),
            message: message.map(Into::into),
            opinions: None,
        };
        DecideLine { session: Some("s1".into()), token: Some("t".into()), decision }
    }

    #[test]
    fn a_decision_is_read_in_every_order_and_both_forms_of_options() {
        let cases: &[(&[&str], Option<&str>, DecideLine)] = &[
            (
                &["complete", "fine", "--session", "s1", "--token", "t"],
                None,
                line(Outcome::Complete, None),
            ),
            (
                &["--token=t", "COMPLETE", "--json", "--session=s1", " fine "],
                None,
                line(Outcome::Complete, None),
            ),
            (
                &["issues", "fine", "--session", "s1", "--token", "t", "--message", "do x"],
                None,
                line(Outcome::Issues, Some("do x")),
            ),
            (
                &["issues", "fine", "--session", "s1", "--token", "t", "--message", "-"],
                Some("do x\nand y\n"),
                line(Outcome::Issues, Some("do x\nand y")),
            ),
        ];
        for (words, stdin, expected) in cases {
            assert_eq!(DecideLine::read(words, *stdin).as_ref(), Ok(expected), "{words:?}");
        }
    }

    #[test]
    fn an_invalid_line_is_refused() {
        let cases: &[(&[&str], Option<&str>)] = &[
            (&[], None),
            (&["complete"], None),
            (&["complete", "a", "b"], None),
            (&["approved", "a"], None),
            (&["complete", "  "], None),
            (&["issues", "a"], None),
            (&["issues", "a", "--message", " "], None),
            (&["issues", "a", "--message", "-"], None),
            (&["complete", "a"], Some("text")),
            (&["complete", "a", "--token"], None),
            (&["complete", "a", "--token", "t", "--token", "u"], None),
            (&["complete", "a", "--force"], None),
        ];
        for (words, stdin) in cases {
            assert!(DecideLine::read(words, *stdin).is_err(), "{words:?}");
        }
    }
}
