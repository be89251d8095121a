//! The reader program, which finds a goal and limits in a person's prompt.
//!
//! The reader may be a model or any other program that the user chose. The hook calls it when a
//! person sends a prompt, before the prompt is recorded. The answer has limits for its size and
//! adds to the result of the rules. The log has the answer before the prompt, so a replay doesn't
//! call the program again.

use verger_drift::{READER, Reading};
use verger_event::Event;

use crate::asking::{Asked, asked, with_answer};

/// The error for an answer of the reader program that can't be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer does not have the required format: {0}")]
pub struct NoReading(String);

/// Parses the reader program's answer: `{"goal": "...", "paths": [], "keywords": [], "constraints":
/// [], "task": "continue"}`. Every field may be left out.
pub fn parse_reading(answer: &[u8]) -> Result<Reading, NoReading> {
    let reading: Reading =
        serde_json::from_slice(answer).map_err(|error| NoReading(error.to_string()))?;
    Ok(reading.bounded())
}

/// The log event for an answer of the reader program.
pub fn reading_event(reading: &Reading) -> Event {
    with_answer(asked(READER, Asked::Answered, &reading.to_string()), Reading::FIELD, reading)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verger_drift::PromptAction;

    use super::*;

    #[test]
    fn an_answer_has_what_it_wants_to_say() {
        let cases = [
            ("{}", Reading::default()),
            (
                r#"{"goal": " Fix\nit ", "task": "parallel_task", "paths": [], "other": 1}"#,
                Reading {
                    goal: Some("Fix it".to_owned()),
                    task: Some(PromptAction::ParallelTask),
                    ..Reading::default()
                },
            ),
            (
                r#"{"paths": ["a"], "keywords": ["b"], "constraints": ["no c"], "goal": null}"#,
                Reading {
                    paths: vec!["a".to_owned()],
                    keywords: vec!["b".to_owned()],
                    constraints: vec!["no c".to_owned()],
                    ..Reading::default()
                },
            ),
        ];
        for (answer, expected) in cases {
            assert_eq!(parse_reading(answer.as_bytes()), Ok(expected), "{answer}");
        }
    }

    #[test]
    fn an_answer_in_another_format_is_rejected() {
        for answer in [
            "",
            "Sure! Here is the JSON:",
            "null",
            "\"fix\"",
            r#"{"goal": 7}"#,
            r#"{"paths": "src"}"#,
            r#"{"paths": [1]}"#,
            r#"{"task": "task_complete"}"#,
            r#"{"goal": "a"} {"goal": "b"}"#,
        ] {
            assert!(parse_reading(answer.as_bytes()).is_err(), "{answer}");
        }
    }

    #[test]
    fn the_log_keeps_what_was_read_where_others_look_for_whether_it_was() {
        let reading = Reading { goal: Some("Fix it".to_owned()), ..Reading::default() };
        let event = reading_event(&reading);
        let Event::GateChanged { change: Some(change), .. } = &event else { panic!("{event:?}") };
        assert_eq!(*change, json!({ "is": "answered", "reading": { "goal": "Fix it" } }));
        assert_eq!(serde_json::from_value::<Asked>(change.clone()).unwrap(), Asked::Answered);
        assert_eq!(Reading::kept_in(change), Some(reading));
    }
}
