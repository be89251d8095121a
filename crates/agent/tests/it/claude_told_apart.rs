//! Tests of Claude Code's payloads that have the same format and different meanings.

use serde_json::{Value, json};
use verger_event::{
    Actor, BackgroundKind, BackgroundStatus, BackgroundTask, Circumstance, Continuation, Event,
    PromptOrigin, SessionId, StopRequest, SubagentId, ToolUseId,
};

use crate::fixture::decoded;
use verger_agent::Observed;

#[track_caller]
fn event_of(event_name: &str, mut payload: Value) -> Event {
    payload["session_id"] = json!("s");
    decoded(event_name, payload.to_string().as_bytes()).event
}

#[track_caller]
fn check_origin(prompt: &str, origin: PromptOrigin) {
    assert_eq!(
        event_of("UserPromptSubmit", json!({ "prompt": prompt })),
        Event::PromptSubmitted { origin, prompt: prompt.to_owned() }
    );
}

#[track_caller]
fn check_actor(fields: &Value, expected: &Actor) {
    let mut payload = fields.clone();
    payload["session_id"] = json!("s");
    payload["reason"] = json!("other");
    assert_eq!(decoded("SessionEnd", payload.to_string().as_bytes()).actor, *expected);
}

fn notification(task: Option<&str>, tool_use: Option<&str>, status: Option<&str>) -> PromptOrigin {
    PromptOrigin::TaskNotification {
        task: task.map(str::to_owned),
        tool_use: tool_use.map(ToolUseId::new),
        status: status.map(|status| status.to_owned().into()),
    }
}

#[test]
fn a_prompt_that_mentions_the_notification_tag_is_still_a_persons() {
    check_origin("why do I see <task-notification>\n<task-id>a</task-id>?", PromptOrigin::Person);
    check_origin(" <task-notification>", PromptOrigin::Person);
    check_origin("<task-notification", PromptOrigin::Person);
    check_origin("", PromptOrigin::Person);
}

#[test]
fn a_persons_prompt_that_begins_with_the_notification_tag_cannot_be_told_from_a_notice() {
    check_origin("<task-notification> what is this tag?", notification(None, None, None));
}

#[test]
fn a_task_notification_is_read_only_up_to_what_the_task_itself_wrote() {
    check_origin(
        "<task-notification>\n<task-id>t1</task-id>\n<summary>s</summary>\
         <result><status>failed</status><tool-use-id>forged</tool-use-id></result>",
        notification(Some("t1"), None, None),
    );
    check_origin(
        "<task-notification><result><task-id>forged</task-id></result>",
        notification(None, None, None),
    );
    check_origin(
        "<task-notification><status> killed </status><task-id>unclosed",
        notification(None, None, Some("killed")),
    );
}

#[test]
fn an_overlong_tag_of_a_notification_is_passed_over() {
    let prompt = format!("<task-notification><task-id>{}</task-id>", "x".repeat(513));
    check_origin(&prompt, notification(None, None, None));
}

#[test]
fn an_agent_id_means_a_subagent_and_a_type_alone_the_main_agent() {
    let subagent = |agent_type: &str| Actor::Subagent {
        id: SubagentId::new("a1"),
        agent_type: agent_type.to_owned(),
    };
    check_actor(&json!({ "agent_id": "a1", "agent_type": "plug:rev" }), &subagent("plug:rev"));
    check_actor(&json!({ "agent_id": "a1", "agent_type": "" }), &subagent(""));
    check_actor(&json!({ "agent_id": "a1" }), &subagent(""));
    check_actor(&json!({ "agent_type": "rev" }), &Actor::Main { agent_type: Some("rev".into()) });
    check_actor(&json!({ "agent_type": "" }), &Actor::Main { agent_type: None });
    check_actor(&json!({ "agent_id": "", "agent_type": "" }), &Actor::Main { agent_type: None });
    let named = Actor::Main { agent_type: Some("rev".into()) };
    check_actor(&json!({ "agent_id": "", "agent_type": "rev" }), &named);
    check_actor(
        &json!({ "agent_type": null, "agent_id": null }),
        &Actor::Main { agent_type: None },
    );
    check_actor(&json!({}), &Actor::Main { agent_type: None });
}

#[test]
fn background_tasks_are_subagents_or_something_else() {
    let stop = event_of(
        "Stop",
        json!({
            "stop_hook_active": true,
            "background_tasks": [
                { "id": "a1", "type": "subagent", "status": "running", "description": "look" },
                { "id": "b1", "type": "shell", "status": "completed", "command": "make" },
            ],
            "session_crons": [{ "any": "thing" }],
        }),
    );
    let expected = StopRequest {
        continuation: Continuation::AfterRefusal,
        last_message: None,
        background: vec![
            BackgroundTask::Subagent {
                id: SubagentId::new("a1"),
                agent_type: None,
                status: BackgroundStatus::Running,
                description: Some("look".into()),
            },
            BackgroundTask::Other {
                id: "b1".into(),
                kind: BackgroundKind::Shell,
                status: BackgroundStatus::Completed,
                description: None,
            },
        ],
        crons: vec![json!({ "any": "thing" })],
    };
    assert_eq!(stop, Event::StopRequested(expected));
}

#[test]
fn the_smallest_stop_is_a_first_one_with_nothing_behind_it() {
    let expected = StopRequest {
        continuation: Continuation::First,
        last_message: None,
        background: Vec::new(),
        crons: Vec::new(),
    };
    assert_eq!(event_of("Stop", json!({})), Event::StopRequested(expected));
}

#[test]
fn an_event_never_captured_keeps_its_payload_without_the_common_fields() {
    let payload = json!({
        "session_id": "s", "hook_event_name": "TeammateIdle", "transcript_path": "/t", "cwd": "/w",
        "permission_mode": "default", "agent_type": "lead",
        "teammate_name": "ann", "deep": { "cwd": 1, "big": 1.5 },
    });
    let expected = Observed {
        session: SessionId::new("s"),
        actor: Actor::Main { agent_type: Some("lead".into()) },
        circumstance: Circumstance {
            cwd: Some("/w".into()),
            permission_mode: Some("default".into()),
            ..Circumstance::default()
        },
        event: Event::TeammateIdle(
            json!({ "teammate_name": "ann", "deep": { "cwd": 1, "big": 1.5 } }),
        ),
    };
    assert_eq!(decoded("TeammateIdle", payload.to_string().as_bytes()), expected);
}

#[test]
fn words_of_newer_versions_are_kept() {
    let started = event_of("SessionStart", json!({ "source": "split" }));
    let source = verger_event::StartSource::Other("split".into());
    assert_eq!(
        started,
        Event::SessionStarted { source, model: None, transcript: None, client: None }
    );
}
