//! Tests the gates with payloads of Codex, Gemini CLI and Copilot CLI.

use std::fs;

use serde_json::{Value, json};
use verger_event::{Actor, Event};

use crate::agent_session::{AgentSession, refused};

/// The fixtures of one agent's events.
struct Fixtures {
    agent: &'static str,
    prompt: &'static str,
    stop: &'static str,
    next_stop: &'static str,
    /// A call that writes a file.
    write: &'static str,
    /// A call of a shell line, and its end.
    shell: [&'static str; 2],
    /// The keys of a shell call's input and output.
    keys: [&'static str; 2],
}

const CODEX: Fixtures = Fixtures {
    agent: "codex",
    prompt: "UserPromptSubmit",
    stop: "Stop-first",
    next_stop: "Stop-active",
    write: "PreToolUse-apply_patch",
    shell: ["PreToolUse-Bash", "PostToolUse-Bash"],
    keys: ["tool_input", "tool_response"],
};

const GEMINI: Fixtures = Fixtures {
    agent: "gemini",
    prompt: "BeforeAgent",
    stop: "AfterAgent-first",
    next_stop: "AfterAgent-active",
    write: "BeforeTool-write_file",
    shell: ["BeforeTool-run_shell_command", "AfterTool-run_shell_command"],
    keys: ["tool_input", "tool_response"],
};

const COPILOT: Fixtures = Fixtures {
    agent: "copilot",
    prompt: "userPromptSubmitted",
    stop: "agentStop-first",
    next_stop: "agentStop-active",
    write: "preToolUse-create",
    shell: ["preToolUse-bash", "postToolUse-bash"],
    keys: ["toolArgs", "toolResult"],
};

/// A session whose prompt asks for a review, and in which a file is about to be written.
#[track_caller]
fn wanted(fixtures: &Fixtures) -> AgentSession {
    let session = AgentSession::new(fixtures.agent);
    let prompt = session.call(fixtures.prompt, &[("prompt", json!("#review fix the parser"))]);
    assert_eq!(prompt, Value::Null);
    assert_eq!(session.call(fixtures.write, &[]), Value::Null);
    session.environment.write("a.txt", "x\n");
    session
}

#[test]
fn a_refusal_that_comes_back_as_a_prompt_begins_and_closes_nothing() {
    for fixtures in [GEMINI, COPILOT] {
        let session = wanted(&fixtures);
        let mut stop = fixtures.stop;
        let mut answers = vec![];
        for _ in 0..4 {
            let answer = session.call(stop, &[]);
            stop = fixtures.next_stop;
            answers.push(!answer["reason"].is_null());
            if !answer["reason"].is_null() {
                let again = session.call(fixtures.prompt, &[("prompt", json!(refused(&answer)))]);
                assert_eq!(again, Value::Null, "{}", fixtures.agent);
            }
        }
        // The fourth stop in a row without progress passes.
        assert_eq!(answers, [true, true, true, false], "{}", fixtures.agent);
        let records = session.records();
        let task = records[0].draft.standing.task;
        assert!(task.is_some() && records.iter().all(|record| record.draft.standing.task == task));
        let wanted = records.iter().filter(|record| {
            matches!(&record.draft.event, Event::GateChanged { cause, .. } if cause.contains("wanted by"))
        });
        assert_eq!(wanted.count(), 1, "{}", fixtures.agent);
    }
}

#[test]
fn a_person_who_writes_something_else_begins_the_count_anew() {
    for fixtures in [GEMINI, COPILOT] {
        let session = wanted(&fixtures);
        for _ in 0..2 {
            refused(&session.call(fixtures.stop, &[]));
        }
        session.call(fixtures.prompt, &[("prompt", json!("go on"))]);
        refused(&session.call(fixtures.stop, &[]));
        assert_eq!(session.refusals(), 3, "{}", fixtures.agent);
    }
}

#[test]
fn no_more_than_seven_stops_in_a_row_are_refused() {
    for fixtures in [CODEX, GEMINI, COPILOT] {
        let session = wanted(&fixtures);
        let mut answers = vec![];
        for number in 0..9 {
            session.environment.write("a.txt", format!("{number}\n"));
            let answer = session.call(fixtures.next_stop, &[]);
            answers.push(!answer["reason"].is_null());
            if let (Some(reason), true) = (answer["reason"].as_str(), fixtures.agent != "codex") {
                session.call(fixtures.prompt, &[("prompt", json!(reason))]);
            }
        }
        let expected = [&[true; 7][..], &[false; 2]].concat();
        assert_eq!(answers, expected, "{}", fixtures.agent);
    }
}

#[test]
fn gemini_without_a_tool_call_is_refused_nothing() {
    let session = AgentSession::new("gemini");
    session.call(GEMINI.prompt, &[("prompt", json!("#review fix the parser"))]);
    let answer = session.call(GEMINI.stop, &[]);
    insta::assert_snapshot!(answer["systemMessage"].as_str().unwrap(), @"verger: the review gate refused nothing: this session has made no tool call, and without tools Gemini CLI can't run the commands that satisfy a gate. Its work counts as not checked.");
    assert_eq!((answer["reason"].clone(), session.refusals()), (Value::Null, 0));
}

/// A program in place of `verger` that prints its arguments and input.
const TELLS: &str = "#!/bin/sh\nprintf '<%s>' \"$@\"; printf ' fed <%s>' \"$(cat)\"\n";

/// The output of a shell line, in the agent's format.
fn output_of(fixtures: &Fixtures, text: &str) -> Value {
    match fixtures.agent {
        "codex" => json!(text),
        "gemini" => json!({ "llmContent": format!("Output: {text}\nProcess Group PGID: 7") }),
        _ => json!({
            "resultType": "success",
            "textResultForLlm": format!("{text}\n<shellId: 0 completed with exit code 0>"),
        }),
    }
}

#[test]
fn a_command_that_could_not_write_in_a_sandbox_is_run_by_the_hook() {
    for fixtures in [CODEX, GEMINI, COPILOT] {
        let mut session = AgentSession::new(fixtures.agent);
        let programs = session.environment.home().join("bin");
        fs::create_dir(&programs).unwrap();
        let hook = programs.join("verger-hook");
        fs::copy(&session.hook, &hook).unwrap();
        session.environment.write_program(programs.join("verger"), TELLS);
        session.hook = hook;
        session.call(fixtures.prompt, &[]);
        let left = |line: &str| {
            let input = (fixtures.keys[0], json!({ "command": line }));
            let id = ("tool_use_id", json!(line));
            session.call(fixtures.shell[0], &[input.clone(), id.clone()]);
            let printed = output_of(&fixtures, "left to verger's hook, for session x");
            let ended = session.call(fixtures.shell[1], &[input, id, (fixtures.keys[1], printed)]);
            let nested = ended.pointer("/hookSpecificOutput/additionalContext");
            let context = nested.or(ended.get("additionalContext")).cloned().unwrap_or_default();
            context.as_str().unwrap_or_default().to_owned()
        };
        let of_session = format!("<--session={}>", crate::agent_session::ID);
        let head = "verger: the hook ran this outside of the sandbox:";
        for (line, words) in [
            ("verger reflect <<'EOF'\n{}\nEOF", format!("<reflect>{of_session} fed <{{}}>")),
            ("verger observe 'a b'", format!("<observe>{of_session}<a b> fed <>")),
            ("verger skip --gate learning", format!("<skip>{of_session}<--gate><learning> fed <>")),
        ] {
            assert_eq!(left(line), format!("{head}\n{words}"), "{}", fixtures.agent);
        }
        // These run the project's code, a reviewer, or nothing that has to write.
        for line in ["verger verify", "verger review run", "verger status"] {
            assert_eq!(left(line), "", "{}: {line}", fixtures.agent);
        }
    }
}

const CONDUCTOR: &str = "[delegation]\nmode = \"enforce\"\ndeny_at = 2\n";

/// Whether the hook denied a call.
fn is_denied(answer: &Value) -> bool {
    let nested = answer.pointer("/hookSpecificOutput/permissionDecision");
    let word = nested.or(answer.get("permissionDecision")).or(answer.get("decision"));
    word == Some(&json!("deny"))
}

#[test]
fn a_conductor_is_told_from_its_subagents() {
    for (fixtures, in_subagent, start) in [
        (CODEX, "PreToolUse-Bash-in_subagent", "SubagentStart"),
        (COPILOT, "preToolUse-bash-in_subagent", "subagentStart"),
    ] {
        let mut session = AgentSession::new(fixtures.agent);
        session.environment.set("AGENT_ROLE", "conductor");
        session.configure(CONDUCTOR);
        session.call(fixtures.prompt, &[]);
        let write = |number: u32| {
            is_denied(&session.call(fixtures.write, &[("tool_use_id", json!(number.to_string()))]))
        };
        assert_eq!([write(1), write(2)], [false, true], "{}", fixtures.agent);
        session.call(start, &[]);
        let line = (fixtures.keys[0], json!({ "command": "some-program" }));
        for number in 3..7 {
            let id = ("tool_use_id", json!(number.to_string()));
            let answer = session.call(in_subagent, &[line.clone(), id]);
            assert!(!is_denied(&answer), "{}: {answer}", fixtures.agent);
        }
        let is_subagents = |actor: &Actor| matches!(actor, Actor::Subagent { .. });
        let records = session.records();
        let by_subagent = records.iter().filter(|record| is_subagents(&record.draft.origin.actor));
        assert!(by_subagent.count() >= 5, "{}", fixtures.agent);
    }
}

#[test]
fn without_a_mark_of_subagents_no_call_counts_as_the_conductors() {
    let mut session = AgentSession::new("gemini");
    session.environment.set("AGENT_ROLE", "conductor");
    session.configure(CONDUCTOR);
    session.call(GEMINI.prompt, &[]);
    for _ in 0..4 {
        assert_eq!(session.call(GEMINI.write, &[]), Value::Null);
    }
}
