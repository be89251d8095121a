//! Tests of the output for every agent, event by event.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec, CLAUDE, CODEX, COPILOT, GEMINI, Part};
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

/// Every kind of answer, by a name for the table.
fn answers() -> Vec<(&'static str, Answer)> {
    let [nothing, allow, ask, deny] = verdicts().map(|(_, verdict)| verdict);
    let (context, notice) = (Some("know this"), Some("person: `y`"));
    let all = rewritten(deny.clone());
    vec![
        ("allow", answer(allow.clone(), None, None)),
        ("ask", answer(ask.clone(), None, None)),
        ("deny", answer(deny.clone(), None, None)),
        ("context", answer(nothing.clone(), context, None)),
        ("notice", answer(nothing.clone(), None, notice)),
        ("told", answer(nothing.clone(), context, notice)),
        ("allow+", answer(allow.clone(), context, notice)),
        ("ask+", answer(ask.clone(), context, notice)),
        ("deny+", answer(deny, context, notice)),
        ("rewrite", rewritten(nothing)),
        ("allow/r", rewritten(allow)),
        ("ask/r", rewritten(ask)),
        ("deny/r", all),
    ]
}

#[test]
fn every_event_prints_exactly_what_the_program_honours() {
    for agent in AGENTS {
        let mut table = String::new();
        for event in agent.events {
            writeln!(table, "{}", event.name).unwrap();
            for (name, answer) in answers() {
                if let Some(printed) = (agent.encode)(event.name, &answer) {
                    writeln!(table, "  {name:8} {printed}").unwrap();
                }
            }
        }
        insta::assert_snapshot!(format!("replies_{}", agent.name), table);
    }
}

#[test]
fn nothing_to_say_is_silence_everywhere() {
    for agent in AGENTS {
        for event in agent.events {
            for texts in [None, Some("")] {
                let silent = answer(Verdict::NoOpinion, texts, texts);
                assert_eq!((agent.encode)(event.name, &silent), None, "{}", event.name);
            }
        }
    }
}

#[test]
fn an_event_that_is_not_known_is_not_answered() {
    let loud = answer(Verdict::Deny { reason: "no".into() }, Some("c"), Some("n"));
    for agent in AGENTS {
        assert_eq!((agent.encode)("NotYet", &loud), None);
    }
}

#[test]
fn a_part_is_printed_exactly_where_the_table_says_so() {
    for agent in AGENTS {
        for event in agent.events {
            let alone = verdicts()
                .into_iter()
                .filter_map(|(part, verdict)| Some((part?, answer(verdict, None, None))))
                .chain([
                    (Part::Context, answer(Verdict::NoOpinion, Some("c"), None)),
                    (Part::Notice, answer(Verdict::NoOpinion, None, Some("n"))),
                    (Part::Rewrite, rewritten(Verdict::NoOpinion)),
                ]);
            for (part, answer) in alone {
                let is_printed = (agent.encode)(event.name, &answer).is_some();
                let is_in_table = event.proof(part).is_some();
                assert_eq!(is_printed, is_in_table, "{} {} {part:?}", agent.name, event.name);
            }
        }
    }
}

/// Every output for every answer, with its event.
fn replies_of(agent: &AgentSpec) -> Vec<(&'static str, Value)> {
    let mut replies = vec![];
    for event in agent.events {
        for (_, answer) in answers() {
            let printed = (agent.encode)(event.name, &answer);
            // The only output that is no JSON is Claude Code's text for the summary.
            let is_text = agent.name == "claude" && event.name == "PreCompact";
            if let Some(printed) = printed.filter(|_| !is_text) {
                replies.push((event.name, serde_json::from_str(&printed).unwrap()));
            }
        }
    }
    replies
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

/// The keys that Codex accepts for an event: at the top level, and below `hookSpecificOutput`. It
/// rejects the whole answer for any other key.
const CODEX_KEYS: &[(&str, &[&str], &[&str])] = &[
    (
        "SessionStart",
        &["continue", "hookSpecificOutput", "stopReason", "suppressOutput", "systemMessage"],
        &["additionalContext", "hookEventName"],
    ),
    ("SessionEnd", &[], &[]),
    (
        "UserPromptSubmit",
        &[
            "continue",
            "decision",
            "hookSpecificOutput",
            "reason",
            "stopReason",
            "suppressOutput",
            "systemMessage",
        ],
        &["additionalContext", "hookEventName"],
    ),
    (
        "PreToolUse",
        &[
            "continue",
            "decision",
            "hookSpecificOutput",
            "reason",
            "stopReason",
            "suppressOutput",
            "systemMessage",
        ],
        &[
            "additionalContext",
            "hookEventName",
            "permissionDecision",
            "permissionDecisionReason",
            "updatedInput",
        ],
    ),
    (
        "PermissionRequest",
        &["continue", "hookSpecificOutput", "stopReason", "suppressOutput", "systemMessage"],
        &["decision", "hookEventName"],
    ),
    (
        "PostToolUse",
        &[
            "continue",
            "decision",
            "hookSpecificOutput",
            "reason",
            "stopReason",
            "suppressOutput",
            "systemMessage",
        ],
        &["additionalContext", "hookEventName", "updatedMCPToolOutput"],
    ),
    (
        "Stop",
        &["continue", "decision", "reason", "stopReason", "suppressOutput", "systemMessage"],
        &[],
    ),
    (
        "SubagentStart",
        &["continue", "hookSpecificOutput", "stopReason", "suppressOutput", "systemMessage"],
        &["additionalContext", "hookEventName"],
    ),
    (
        "SubagentStop",
        &["continue", "decision", "reason", "stopReason", "suppressOutput", "systemMessage"],
        &[],
    ),
    ("PreCompact", &["continue", "stopReason", "suppressOutput", "systemMessage"], &[]),
    ("PostCompact", &["continue", "stopReason", "suppressOutput", "systemMessage"], &[]),
    ("Interrupt", &["systemMessage"], &[]),
    ("PreModelRequest", &[], &[]),
    ("PostModelRequest", &[], &[]),
];

#[test]
fn an_answer_to_codex_has_only_keys_of_its_events_schema() {
    assert_eq!(
        CODEX.events.iter().map(|event| event.name).collect::<Vec<_>>(),
        CODEX_KEYS.iter().map(|(name, ..)| *name).collect::<Vec<_>>()
    );
    for event in CODEX.events {
        let (_, top, specific) = CODEX_KEYS.iter().find(|(name, ..)| *name == event.name).unwrap();
        for (_, answer) in answers() {
            let Some(printed) = (CODEX.encode)(event.name, &answer) else { continue };
            let reply: Value = serde_json::from_str(&printed).unwrap();
            assert!(keys(&reply).is_subset(&top.iter().copied().collect()), "{printed}");
            let inner = &reply["hookSpecificOutput"];
            assert!(keys(inner).is_subset(&specific.iter().copied().collect()), "{printed}");
            assert!(inner.is_null() || inner["hookEventName"] == event.name, "{printed}");
            let decision = &inner["decision"];
            assert!(keys(decision).is_subset(&["behavior", "message"].into()), "{printed}");
            // An allow or a rewritten input would skip the program's own rules.
            assert!(!["allow", "ask"].iter().any(|it| inner["permissionDecision"] == *it));
            assert!(reply["decision"].is_null() || reply["decision"] == "block", "{printed}");
        }
    }
}

#[test]
fn an_answer_to_copilot_has_its_keys_at_the_top() {
    for (name, reply) in replies_of(&COPILOT) {
        let allowed: &[&str] = match name {
            "preToolUse" => {
                &["permissionDecision", "permissionDecisionReason", "additionalContext"]
            }
            "permissionRequest" => &["behavior", "message"],
            _ => &["decision", "reason", "additionalContext"],
        };
        assert!(keys(&reply).is_subset(&allowed.iter().copied().collect()), "{name} {reply}");
        assert!(reply.as_object().unwrap().values().all(Value::is_string), "{name} {reply}");
        assert!(reply["decision"].is_null() || reply["decision"] == "block", "{name} {reply}");
    }
}

#[test]
fn an_answer_to_gemini_denies_or_tells() {
    for (name, reply) in replies_of(&GEMINI) {
        let allowed = ["decision", "reason", "hookSpecificOutput", "systemMessage"];
        assert!(keys(&reply).is_subset(&allowed.into()), "{name} {reply}");
        assert!(reply["decision"].is_null() || reply["decision"] == "deny", "{name} {reply}");
        let specific = &reply["hookSpecificOutput"];
        let allowed = ["hookEventName", "additionalContext"];
        assert!(keys(specific).is_subset(&allowed.into()), "{name} {reply}");
        assert!(specific.is_null() || specific["hookEventName"] == name, "{name} {reply}");
    }
}

#[test]
fn no_answer_ends_the_agents_run() {
    for agent in AGENTS {
        for (name, reply) in replies_of(agent) {
            for key in ["continue", "stopReason", "suppressOutput"] {
                assert!(reply.get(key).is_none(), "{} {name} {reply}", agent.name);
            }
        }
    }
}

#[test]
fn only_claude_and_copilot_are_told_to_ask() {
    let asks = |agent: &&AgentSpec| {
        replies_of(agent).iter().any(|(_, reply)| reply.to_string().contains("\"ask\""))
    };
    let asking: Vec<_> = AGENTS.iter().filter(asks).map(|agent| agent.name).collect();
    assert_eq!(asking, [CLAUDE.name, COPILOT.name]);
}
