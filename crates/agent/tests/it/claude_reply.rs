//! Tests of the output for Claude Code, event by event.

use std::fmt::Write;

use serde_json::{Value, json};
use verger_agent::{CLAUDE, CONTEXT_LIMIT_CHARS, Part};
use verger_event::{Answer, Verdict};

fn verdicts() -> [(Option<Part>, Verdict); 4] {
    [
        (None, Verdict::NoOpinion),
        (Some(Part::Allow), Verdict::Allow { reason: "fine".into() }),
        (Some(Part::Ask), Verdict::Ask { reason: "really?".into() }),
        (Some(Part::Deny), Verdict::Deny { reason: "not \"so\":\nrun `x`".into() }),
    ]
}

fn answer(verdict: Verdict, context: Option<&str>, notice: Option<&str>) -> Answer {
    let text = |text: Option<&str>| text.map(str::to_owned);
    Answer { verdict, context: text(context), notice: text(notice), ..Answer::default() }
}

fn rewritten(verdict: Verdict) -> Answer {
    let input = json!({ "command": "ls", "description": "x" });
    Answer { verdict, rewritten: Some(input), ..Answer::default() }
}

#[test]
fn every_event_prints_exactly_what_the_program_honours() {
    let mut table = String::new();
    for event in CLAUDE.events {
        writeln!(table, "{}", event.name).unwrap();
        let mut row = |answered: &str, answer: &Answer| {
            let printed = (CLAUDE.encode)(event.name, answer);
            writeln!(table, "  {answered:8} {}", printed.as_deref().unwrap_or("-")).unwrap();
        };
        let [nothing, allow, ask, deny] = verdicts().map(|(_, verdict)| verdict);
        row("allow", &answer(allow.clone(), None, None));
        row("ask", &answer(ask.clone(), None, None));
        row("deny", &answer(deny.clone(), None, None));
        row("context", &answer(nothing.clone(), Some("know this"), None));
        row("notice", &answer(nothing.clone(), None, Some("person: `y`")));
        row("deny+", &answer(deny.clone(), Some("know this"), Some("person: `y`")));
        if event.proof(Part::Rewrite).is_some() {
            row("rewrite", &rewritten(nothing));
            row("allow+", &rewritten(allow));
            row("ask+", &rewritten(ask));
            row("deny+", &rewritten(deny));
        }
    }
    insta::assert_snapshot!("claude_reply", table);
}

#[test]
fn nothing_to_say_is_silence_everywhere() {
    for event in CLAUDE.events {
        for silent in
            [answer(Verdict::NoOpinion, None, None), answer(Verdict::NoOpinion, Some(""), Some(""))]
        {
            assert_eq!((CLAUDE.encode)(event.name, &silent), None, "{}", event.name);
        }
    }
}

#[test]
fn an_event_that_is_not_known_is_not_answered() {
    let loud = answer(Verdict::Deny { reason: "no".into() }, Some("c"), Some("n"));
    assert_eq!((CLAUDE.encode)("BeforeTool", &loud), None);
}

#[test]
fn a_part_is_printed_exactly_where_the_table_says_so() {
    for event in CLAUDE.events {
        let alone = verdicts()
            .into_iter()
            .filter_map(|(part, verdict)| Some((part?, answer(verdict, None, None))))
            .chain([
                (Part::Context, answer(Verdict::NoOpinion, Some("c"), None)),
                (Part::Notice, answer(Verdict::NoOpinion, None, Some("n"))),
                (Part::Rewrite, rewritten(Verdict::NoOpinion)),
            ]);
        for (part, answer) in alone {
            let printed = (CLAUDE.encode)(event.name, &answer);
            assert_eq!(printed.is_some(), event.proof(part).is_some(), "{} {part:?}", event.name);
        }
    }
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
