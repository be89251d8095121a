//! Writes sample sessions to the log, similar to those of agents.

use serde_json::json;
use verger_agent::CLAUDE;
use verger_engine::State;
use verger_event::{
    Access, Actor, Circumstance, Continuation, Draft, Event, EventId, Origin, ProjectId, PromptId,
    PromptOrigin, SessionId, SessionKey, Standing, StartTree, StopRequest, Timestamp, ToolOutput,
    ToolUseId,
};
use verger_store::{Sessions, StoreError, Turn};
use verger_store_local::{LocalStore, Probe};

/// The number of records per append. Many records per append are fast, but with too many the append
/// would be large.
const BATCH: usize = 250;
/// The number of records of one task: a prompt, some tool calls and a stop.
const TASK_RECORDS: usize = 20;
const START_MS: u64 = 1_794_767_961_556;
/// The project of all sample sessions.
pub(crate) const PROJECT: &str = "3f9f0e4f2a1c";

pub(crate) fn key(session: &str) -> Option<SessionKey> {
    Some(SessionKey { agent: "claude".parse().ok()?, session: SessionId::new(session) })
}

/// A sample record of this session. Its id and its time are derived from `number`, so each record
/// of a log needs another number.
pub(crate) fn draft(key: &SessionKey, number: usize, event: Event) -> Draft {
    let at = Timestamp::from_millis(START_MS + number as u64);
    Draft {
        id: EventId::new(at, number as u128),
        at,
        origin: Origin {
            agent: key.agent.clone(),
            agent_version: Some("2.1.325".to_owned()),
            session: key.session.clone(),
            actor: Actor::Main { agent_type: None },
            user: Some("dev".to_owned()),
            role: Some("developer".to_owned()),
            project: Some(ProjectId::new(PROJECT)),
            circumstance: Circumstance {
                cwd: Some("/home/dev/project".to_owned()),
                prompt: Some(PromptId::new(format!("prompt-{}", number / TASK_RECORDS))),
                permission_mode: Some("default".to_owned()),
                effort: Some("high".to_owned()),
            },
        },
        standing: Standing::default(),
        access: Access::default(),
        event,
    }
}

/// Appends sample records to a session, with numbers from `first` on.
pub(crate) fn fill<P: Probe>(
    store: &LocalStore<P>,
    key: &SessionKey,
    numbers: std::ops::Range<usize>,
) -> Result<(), StoreError> {
    let mut numbers = numbers.peekable();
    while numbers.peek().is_some() {
        let batch = numbers.by_ref().take(BATCH).map(|number| draft(key, number, event(number)));
        let batch = batch.collect();
        store.open::<State>(key)?.commit(batch)?;
    }
    Ok(())
}

/// The event of the sample record with this number. Events follow each other as in a task.
pub(crate) fn event(number: usize) -> Event {
    let call = |number: usize| {
        let input = json!({
            "command": format!("cargo test --package parser case_{number} && git diff --stat"),
            "description": "Run one case of the parser's tests and look at what changed",
        });
        let id = Some(ToolUseId::new(format!("toolu_{number:024}")));
        (CLAUDE.call)(id, "Bash".to_owned(), input)
    };
    match number % TASK_RECORDS {
        0 => Event::PromptSubmitted {
            origin: PromptOrigin::Person,
            prompt:
                "The parser drops the last token of a line without a newline. Find out why, fix \
                     it and add a test that fails without the fix."
                    .to_owned(),
        },
        19 => Event::StopRequested(StopRequest {
            continuation: Continuation::First,
            last_message: Some("The last token is kept now, and a test shows it.".to_owned()),
            background: vec![],
            crons: vec![],
        }),
        1 => Event::StartTreeTaken(StartTree::Tree(json!({
            "root": "/home/dev/project",
            "head": "8a1c0f7d2f1f4e0c9b7f6f5d3c2b1a0998877665",
            "id": "0d5a".repeat(16),
        }))),
        step if step % 2 == 0 => Event::ToolRequested(call(number)),
        _ => Event::ToolSucceeded {
            call: call(number - 1),
            output: ToolOutput {
                rest: json!({ "interrupted": false, "isImage": false }),
                ..ToolOutput::text(
                    "running 12 tests\ntest parser::line::keeps_order ... ok\n"
                        .repeat(1 + number % 7),
                )
            },
            duration_ms: Some(120 + number as u64 % 900),
        },
    }
}
