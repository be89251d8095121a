//! Parses the decision in the output of a reviewer's program.
//!
//! A program may print other text before the decision. So the last JSON object with the key
//! `decision` counts, anywhere in the text. Nested objects don't count.

use std::str::Utf8Error;

use serde_json::{Map, Value};

use super::decision::{BadDecision, Decision};

/// The maximum number of bytes of a decision's summary, which is one line.
const MAX_SUMMARY_BYTES: usize = 1024;
/// The maximum number of bytes of a decision's message, and of the opinions in it.
const MAX_TEXT_BYTES: usize = 16 * 1024;

/// The reason why the output of a reviewer's program has no usable decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswer {
    /// The output isn't UTF-8.
    #[error("its answer is not UTF-8")]
    NotText(#[from] Utf8Error),
    /// The output has no JSON object with a decision.
    #[error("its answer has no JSON object with a \"decision\"")]
    NoDecision,
    /// The value of the key with this name isn't a string.
    #[error("\"{0}\" in its answer is not text")]
    NotAString(&'static str),
    /// The decision in the output is invalid.
    #[error("its answer cannot be used: {0}")]
    Bad(#[from] BadDecision),
}

/// Parses the decision in the standard output of a reviewer's program.
pub fn read_answer(stdout: &[u8]) -> Result<Decision, BadAnswer> {
    let text = std::str::from_utf8(stdout)?;
    let object = last_object(text).ok_or(BadAnswer::NoDecision)?;
    let outcome = match object.get("decision") {
        Some(Value::String(word)) => Decision::outcome_of(word.trim())?,
        _ => return Err(BadAnswer::NotAString("decision")),
    };
    let decision = Decision {
        outcome,
        summary: one_line(&text_of(&object, "summary")?.unwrap_or_default()),
        message: text_of(&object, "message")?,
        opinions: object.get("opinions").and_then(opinions),
    };
    Ok(decision.checked()?)
}

/// Finds the last JSON object with a decision. Each attempt ends at the first byte that isn't valid
/// JSON, or at the parser's depth limit, so the time is linear in the length of the text.
fn last_object(text: &str) -> Option<Map<String, Value>> {
    let (mut last, mut at) = (None, 0);
    while let Some(start) = text[at..].find('{').map(|offset| at + offset) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        at = match values.next() {
            Some(Ok(Value::Object(object))) => {
                if object.contains_key("decision") {
                    last = Some(object);
                }
                start + values.byte_offset()
            }
            _ => start + 1,
        };
    }
    last
}

fn text_of(object: &Map<String, Value>, name: &'static str) -> Result<Option<String>, BadAnswer> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(beginning(text, MAX_TEXT_BYTES))),
        Some(_) => Err(BadAnswer::NotAString(name)),
    }
}

/// The opinions of other models, as text. In the decision, they may have any JSON form.
fn opinions(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(beginning(text, MAX_TEXT_BYTES)),
        other => Some(beginning(&other.to_string(), MAX_TEXT_BYTES)),
    }
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    beginning(&line, MAX_SUMMARY_BYTES)
}

fn beginning(text: &str, max_bytes: usize) -> String {
    text[..text.floor_char_boundary(max_bytes)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    fn read(text: &str) -> Result<(Outcome, String, Option<String>, Option<String>), String> {
        let decision = read_answer(text.as_bytes()).map_err(|error| error.to_string())?;
        let Decision { outcome, summary, message, opinions } = decision;
        Ok((outcome, summary, message, opinions))
    }

    #[track_caller]
    fn check(text: &str, outcome: Outcome, summary: &str, message: Option<&str>) {
        let expected = (outcome, summary.to_owned(), message.map(str::to_owned), None);
        assert_eq!(read(text), Ok(expected), "{text}");
    }

    #[track_caller]
    fn check_bad(text: &str, expected: &str) {
        assert_eq!(read(text), Err(expected.to_owned()), "{text}");
    }

    #[test]
    fn the_last_decision_counts_wherever_it_stands() {
        use Outcome::{Complete, Issues, Unavailable};
        check(r#"{"decision":"complete","summary":"fine"}"#, Complete, "fine", None);
        check(
            "{\n  \"decision\": \"COMPLETE\",\n  \"summary\": \"a\\nb\"\n}\n",
            Complete,
            "a b",
            None,
        );
        let fenced = "I looked {at} it.\n```json\n{\"decision\":\"issues\",\"summary\":\"one\",\"message\":\"fix {it}\"}\n```\nBye }";
        check(fenced, Issues, "one", Some("fix {it}"));
        let lines = "{\"type\":\"progress\"}\n{\"decision\":\"complete\",\"summary\":\"early\"}\n{\"decision\":\"unavailable\",\"summary\":\"quota\"}\n{\"type\":\"end\"}\n";
        check(lines, Unavailable, "quota", None);
        check(
            r#"{"decision":"complete","summary":"x","message":null,"more":{"a":[1]}}"#,
            Complete,
            "x",
            None,
        );
        check(r#"broken {"a": {"decision":"complete","summary":"x"}"#, Complete, "x", None);
    }

    #[test]
    fn opinions_may_have_any_form_and_decide_nothing() {
        let text = r#"{"decision":"complete","summary":"x","opinions":[{"model":"m","decision":"issues"}]}"#;
        let opinions = r#"[{"decision":"issues","model":"m"}]"#.to_owned();
        assert_eq!(read(text), Ok((Outcome::Complete, "x".to_owned(), None, Some(opinions))));
        let text = r#"{"decision":"complete","summary":"x","opinions":"both agree"}"#;
        let opinions = Some("both agree".to_owned());
        assert_eq!(read(text), Ok((Outcome::Complete, "x".to_owned(), None, opinions)));
    }

    #[test]
    fn an_invalid_answer_has_a_reason() {
        let none = "its answer has no JSON object with a \"decision\"";
        for text in [
            "",
            "complete",
            "{}",
            "[1]",
            "{\"decision\":\"complete\"",
            "{{{{",
            "{\"a\":{\"decision\":\"complete\"}}",
        ] {
            check_bad(text, none);
        }
        let outer = r#"{"result":{"decision":"complete","summary":"inside"}}"#;
        check_bad(outer, none);
        check_bad(
            r#"{"decision":"ok","summary":"x"}"#,
            "its answer cannot be used: a decision is complete, issues or unavailable, not \"ok\"",
        );
        check_bad(
            r#"{"decision":"issues","summary":"x"}"#,
            "its answer cannot be used: issues need a message that says what to change",
        );
        check_bad(
            r#"{"decision":"complete","summary":" "}"#,
            "its answer cannot be used: a decision needs a summary in one line",
        );
        check_bad(r#"{"decision":true,"summary":"x"}"#, "\"decision\" in its answer is not text");
        check_bad(
            r#"{"decision":"complete","summary":"x","message":["y"]}"#,
            "\"message\" in its answer is not text",
        );
        let not_text = read_answer(b"\xff{\"decision\":\"complete\",\"summary\":\"x\"}");
        assert_eq!(
            not_text.map_err(|error| error.to_string()),
            Err("its answer is not UTF-8".into())
        );
    }

    #[test]
    fn texts_are_bounded_and_depth_costs_nothing() {
        let long = "é".repeat(MAX_TEXT_BYTES);
        let text = format!(r#"{{"decision":"issues","summary":"{long}","message":"{long}"}}"#);
        let (_, summary, message, _) = read(&text).unwrap();
        assert_eq!((summary.len(), message.unwrap().len()), (MAX_SUMMARY_BYTES, MAX_TEXT_BYTES));
        let deep = r#"{"a":"#.repeat(5_000);
        check(
            &format!(r#"{deep}{{"decision":"complete","summary":"x"}}"#),
            Outcome::Complete,
            "x",
            None,
        );
    }
}
