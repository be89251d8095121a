//! Tests of the context in the output for Claude Code.

use serde_json::Value;
use verger_agent::{CLAUDE, CONTEXT_LIMIT_CHARS};
use verger_event::{Answer, Verdict};

fn answer(verdict: Verdict, context: Option<&str>, notice: Option<&str>) -> Answer {
    let text = |text: Option<&str>| text.map(str::to_owned);
    Answer { verdict, context: text(context), notice: text(notice), ..Answer::default() }
}

#[test]
fn text_before_a_compaction_is_never_taken_for_json() {
    let context = |text| answer(Verdict::NoOpinion, Some(text), None);
    assert_eq!(
        (CLAUDE.encode)("PreCompact", &context(" {\"decision\":\"block\"}")),
        Some("verger:\n {\"decision\":\"block\"}".to_owned())
    );
    assert_eq!((CLAUDE.encode)("PreCompact", &context("keep {x}")), Some("keep {x}".to_owned()));
}

/// The context in the output for a session's start.
#[track_caller]
fn printed_context(text: &str) -> String {
    let printed =
        (CLAUDE.encode)("SessionStart", &answer(Verdict::NoOpinion, Some(text), None)).unwrap();
    let reply: Value = serde_json::from_str(&printed).unwrap();
    reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

#[test]
fn context_up_to_the_limit_is_whole() {
    for unit in ["x", "é", "😀"] {
        let text = unit.repeat(CONTEXT_LIMIT_CHARS / unit.encode_utf16().count());
        assert_eq!(printed_context(&text), text);
    }
}

#[test]
fn context_over_the_limit_ends_in_a_line_that_says_how_much_is_missing() {
    assert_eq!(
        printed_context(&"x".repeat(10_001)),
        format!("{}\n[verger: 101 of 10001 characters are left out here]", "x".repeat(9_900))
    );
    assert_eq!(
        printed_context(&format!("x{}", "😀".repeat(10_000))),
        format!("x{}\n[verger: 10102 of 20001 characters are left out here]", "😀".repeat(4_949))
    );
}
