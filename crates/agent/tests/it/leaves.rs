//! Tests that no value of a payload is lost by mistake. Each value of every captured payload is
//! changed in turn. The decoded event must change too, unless the value is in a list of
//! exceptions.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use verger_agent::{AGENTS, Malformed};

use crate::fixture::{Fixture, decoded_fixtures};

/// A value that no event has.
struct Omission {
    agent: &'static str,
    /// The path, or its beginning before a `*`.
    path: &'static str,
    holds_for: fn(&Fixture) -> bool,
    because: &'static str,
}

impl Omission {
    fn is_of(&self, fixture: &Fixture, path: &str) -> bool {
        let has_path = match self.path.strip_suffix('*') {
            Some(head) => path.starts_with(head),
            None => path == self.path,
        };
        self.agent == fixture.agent.name && has_path && (self.holds_for)(fixture)
    }
}

fn anywhere(_: &Fixture) -> bool {
    true
}

const IT_STAYS: &str = "it stays what it was when the session started";
const IT_IS_NO_SUBAGENT: &str = "the fork that summarises does not work on anything";
const CACHE_FIGURES: &str = "no decision needs the figures of the prompt's cache";
const OWN_CLOCK: &str = "verger has its own clock";
const ITS_NAME_TELLS: &str = "the tool's name has the server";
const MODEL_OF_START: &str = "the session's start names the model";
const FOR_PEOPLE: &str = "the text for the model says the same";

const OMISSIONS: &[Omission] = &[
    Omission {
        agent: "claude",
        path: "transcript_path",
        holds_for: |fixture| fixture.event_name() != "SessionStart",
        because: IT_STAYS,
    },
    Omission {
        agent: "claude",
        path: "turn_id",
        holds_for: |fixture| fixture.event_name() == "MessageDisplay",
        because: "the prompt's id says which turn it is",
    },
    Omission {
        agent: "claude",
        path: "final",
        holds_for: |fixture| fixture.event_name() == "MessageDisplay",
        because: "pieces of messages are not put together",
    },
    Omission {
        agent: "claude",
        path: "expansion_type",
        holds_for: |fixture| fixture.event_name() == "UserPromptExpansion",
        because: "only slash commands were ever seen to be expanded",
    },
    of_claude_fork("agent_transcript_path"),
    of_claude_fork("stop_hook_active"),
    of_claude_fork("background_tasks"),
    of_claude_fork("session_crons"),
    of_claude_start("seconds_since_last_response"),
    of_claude_start("context_tokens"),
    of_claude_start("prompt_cache_likely_expired"),
    of_claude_start("estimated_cache_write_usd"),
    Omission {
        agent: "claude",
        path: "mcp_server.*",
        holds_for: anywhere,
        because: ITS_NAME_TELLS,
    },
    Omission {
        agent: "codex",
        path: "transcript_path",
        holds_for: |fixture| fixture.event_name() != "SessionStart",
        because: IT_STAYS,
    },
    Omission {
        agent: "codex",
        path: "model",
        holds_for: |fixture| fixture.event_name() != "SessionStart",
        because: MODEL_OF_START,
    },
    Omission {
        agent: "gemini",
        path: "transcript_path",
        holds_for: |fixture| fixture.event_name() != "SessionStart",
        because: IT_STAYS,
    },
    Omission { agent: "gemini", path: "timestamp", holds_for: anywhere, because: OWN_CLOCK },
    Omission {
        agent: "gemini",
        path: "prompt",
        holds_for: |fixture| fixture.event_name() == "AfterAgent",
        because: "`BeforeAgent` came with the same prompt",
    },
    Omission {
        agent: "gemini",
        path: "mcp_context.command",
        holds_for: anywhere,
        because: "how a server is started is no part of a call",
    },
    Omission {
        agent: "gemini",
        path: "mcp_context.args*",
        holds_for: anywhere,
        because: "how a server is started is no part of a call",
    },
    Omission {
        agent: "gemini",
        path: "details.*",
        holds_for: |fixture| fixture.event_name() == "Notification",
        because: "the tool's own events have the call",
    },
    Omission {
        agent: "gemini",
        path: "tool_response.returnDisplay*",
        holds_for: |fixture| !is_gemini_edit(fixture) && !fixture.name.ends_with("like_exit_code"),
        because: FOR_PEOPLE,
    },
    of_gemini_write("tool_response.returnDisplay.fileName"),
    of_gemini_write("tool_response.returnDisplay.filePath"),
    of_gemini_write("tool_response.returnDisplay.originalContent"),
    of_gemini_write("tool_response.returnDisplay.newContent"),
    of_gemini_write("tool_response.returnDisplay.diffStat.*"),
    of_gemini_write("tool_response.returnDisplay.isBuildFile"),
    Omission { agent: "copilot", path: "timestamp", holds_for: anywhere, because: OWN_CLOCK },
    Omission {
        agent: "copilot",
        path: "transcriptPath",
        holds_for: |fixture| !fixture.name.ends_with("-nested"),
        because: "its path follows from the session's id",
    },
    Omission {
        agent: "copilot",
        path: "sessionId",
        holds_for: |fixture| ["subagentStart", "subagentStop"].contains(&fixture.event_name()),
        because: "the transcript's path has the id of the main agent's session",
    },
    Omission {
        agent: "copilot",
        path: "initialPrompt",
        holds_for: |fixture| fixture.event_name() == "sessionStart",
        because: "`userPromptSubmitted` comes with the same prompt",
    },
    Omission {
        agent: "copilot",
        path: "stopReason",
        holds_for: anywhere,
        because: "other reasons have their own events",
    },
    Omission {
        agent: "copilot",
        path: "hookName",
        holds_for: anywhere,
        because: "the command line names the event",
    },
    Omission {
        agent: "copilot",
        path: "hook_event_name",
        holds_for: anywhere,
        because: "the command line names the event",
    },
    Omission {
        agent: "copilot",
        path: "title",
        holds_for: |fixture| fixture.event_name() == "notification",
        because: "the kind of notice says the same",
    },
    Omission {
        agent: "copilot",
        path: "agentName",
        holds_for: anywhere,
        because: "the agent's type says the same",
    },
    Omission {
        agent: "copilot",
        path: "parentAgentId",
        holds_for: |fixture| fixture.json()["sessionId"] != fixture.json()["agentId"],
        because: "the session's id is known without it",
    },
];

const fn of_claude_fork(path: &'static str) -> Omission {
    Omission { agent: "claude", path, holds_for: is_fork, because: IT_IS_NO_SUBAGENT }
}

fn is_fork(fixture: &Fixture) -> bool {
    fixture.name.ends_with("compaction_fork")
}

const fn of_claude_start(path: &'static str) -> Omission {
    Omission {
        agent: "claude",
        path,
        holds_for: |fixture| fixture.event_name() == "SessionStart",
        because: CACHE_FIGURES,
    }
}

const fn of_gemini_write(path: &'static str) -> Omission {
    Omission {
        agent: "gemini",
        path,
        holds_for: is_gemini_edit,
        because: "the call has the text; only the first line and whether it is new are kept",
    }
}

fn is_gemini_edit(fixture: &Fixture) -> bool {
    fixture.json()["tool_response"]["returnDisplay"]["fileDiff"].is_string()
}

#[test]
fn every_value_of_a_payload_is_decoded_or_deliberately_left_out() {
    let mut used = BTreeSet::new();
    for fixture in decoded_fixtures() {
        let payload = fixture.json();
        let whole = fixture.observed();
        for pointer in leaves(&payload) {
            let path = readable(&pointer);
            let at = format!("{} {} {path}", fixture.agent.name, fixture.name);
            let mut changed = payload.clone();
            let leaf = changed.pointer_mut(&pointer).unwrap();
            *leaf = other_than(leaf);
            let text = leaf.as_str().map(str::to_owned);
            let decoded = fixture.decode(&changed);
            if path == "hook_event_name" && fixture.agent.name != "copilot" {
                let Err(Malformed::EventMismatch { event, found }) = decoded else {
                    panic!("{at}: {decoded:?}");
                };
                assert_eq!((event, Some(found)), (fixture.event_name(), text));
                continue;
            }
            let observed = decoded.unwrap().unwrap();
            let omission = OMISSIONS.iter().position(|omission| omission.is_of(&fixture, &path));
            if let Some(omission) = omission {
                let because = OMISSIONS[omission].because;
                assert_eq!(observed, whole, "{at} is not left out, though {because}");
                used.insert(omission);
            } else {
                assert_ne!(observed, whole, "{at} is lost");
                let debug = format!("{observed:?}");
                let is_kept = text.is_none_or(|text| debug.contains(&text));
                assert!(is_kept || is_partly_kept(&path), "{at} is lost: {debug}");
            }
        }
    }
    let unused = OMISSIONS.iter().enumerate().filter(|(at, _)| !used.contains(at));
    let unused: Vec<_> = unused.map(|(_, it)| (it.agent, it.path)).collect();
    assert_eq!(unused, [], "omissions that no payload needs");
    assert!(AGENTS.iter().all(|agent| OMISSIONS.iter().any(|it| it.agent == agent.name)));
}

/// A text of which only a part is kept: a number, an id, or the length.
fn is_partly_kept(path: &str) -> bool {
    let response = path.strip_prefix("tool_response.");
    response.is_some_and(|it| ["returnDisplay", "returnDisplay.fileDiff"].contains(&it))
        || path == "transcriptPath"
}

/// JSON pointers to all values that contain no other values.
fn leaves(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (escaped(key), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
        }
        _ => Vec::new(),
    };
    if children.is_empty() {
        return vec![String::new()];
    }
    children
        .iter()
        .flat_map(|(key, child)| leaves(child).into_iter().map(move |rest| format!("/{key}{rest}")))
        .collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn readable(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        if step.bytes().all(|b| b.is_ascii_digit()) {
            path.push_str("[]");
        } else {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(step);
        }
    }
    path
}

/// A different value of the same type.
fn other_than(leaf: &Value) -> Value {
    match leaf {
        Value::Null | Value::String(_) => json!("quite another text"),
        Value::Bool(it) => json!(!it),
        Value::Number(it) => it.as_u64().map_or(json!(1.5), |it| json!(it + 1)),
        Value::Array(_) => json!([{ "id": "b1", "type": "shell", "status": "running" }]),
        Value::Object(_) => json!({ "another": 1 }),
    }
}
