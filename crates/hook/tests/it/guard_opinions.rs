//! Tests the opinion program, which verger asks about calls for which no rule exists.

use serde_json::Value;
use verger_event::{Event, Sent, Triage};
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::{asked, begun, judged, kept};
use crate::log::Log;

/// A session with an opinion program. The program writes a file when it is asked.
#[track_caller]
fn with_oracle(script: &str) -> Conversation {
    let conversation = begun("");
    let root = conversation.environment.root().to_owned();
    let noted = root.join("asked");
    let script = format!("#!/bin/sh\ncat >> '{}'\n{script}\n", noted.display());
    let oracle = conversation.environment.write_program(root.join("oracle"), script);
    conversation.configure(format!(
        "[guard]\nmode = \"enforce\"\nopinion = {{ command = [\"{}\"] }}\n",
        oracle.display()
    ));
    conversation
}

fn times_asked(conversation: &Conversation) -> usize {
    let noted = std::fs::read_to_string(conversation.environment.root().join("asked"));
    noted.unwrap_or_default().matches("\"command\"").count()
}

fn behavior(conversation: &Conversation, line: &str) -> Value {
    asked(conversation, "default", line)["hookSpecificOutput"]["decision"]["behavior"].take()
}

fn answer(verdict: &str, confidence: &str) -> String {
    format!(
        r#"echo '{{"verdict":"{verdict}","confidence":{confidence},"reason":"it is a formatter"}}'"#
    )
}

#[test]
fn calls_without_a_rule_get_the_programs_answer() {
    let conversation = with_oracle(&answer("allow", "0.9"));
    assert_eq!(behavior(&conversation, "frob --fmt"), "allow");
    assert_eq!(judged(&conversation), [kept(Triage::Allow, "opinion", "enforce", Sent::Allow)]);
    assert_eq!(behavior(&with_oracle(&answer("deny", "0.8")), "frob"), "deny");
    assert_eq!(behavior(&with_oracle(&answer("allow", "0.6")), "frob"), Value::Null);
    assert_eq!(behavior(&with_oracle(&answer("ask", "1")), "frob"), Value::Null);
}

#[test]
fn the_program_is_not_asked_about_known_or_unreadable_calls() {
    let conversation = with_oracle(&answer("allow", "1"));
    assert_eq!(behavior(&conversation, "git reset --hard"), "deny");
    assert_eq!(behavior(&conversation, "frob && git reset --hard"), "deny");
    assert_eq!(behavior(&conversation, "ls"), "allow");
    assert_eq!(behavior(&conversation, "frob 'open"), Value::Null);
    assert_eq!(behavior(&conversation, "$PROGRAM x"), Value::Null);
    assert_eq!(conversation.bash(Speaker::Main, "frob"), HookAnswer::default());
    assert_eq!(times_asked(&conversation), 0);
}

#[test]
fn after_three_failures_in_a_row_nobody_is_asked_for_a_while() {
    let conversation = with_oracle("exit 1");
    for _ in 0..5 {
        assert_eq!(behavior(&conversation, "frob"), Value::Null);
    }
    assert_eq!(times_asked(&conversation), 3);
    let kept: Vec<_> = Log::of(&conversation.environment)
        .all()
        .into_iter()
        .filter_map(|record| match record.draft.event {
            Event::GateChanged { gate, to, cause, .. } => Some(format!("{gate} {to}: {cause}")),
            _ => None,
        })
        .collect();
    assert_eq!(kept, ["guard-opinion failed: it ended with exit status: 1"; 3]);
}
