//! The table of Gemini CLI's events: the events they are decoded to, the answers they can carry,
//! and whether verger registers a hook for them.

use crate::event_table::{CONTEXT, DENY, DOCUMENTED_NOTICE, captured};
use crate::spec::HookEvent;

pub(super) const EVENTS: &[HookEvent] = &[
    captured("SessionStart", &["session.started"], &[CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per session and resume", "begins the record of a session"),
    captured("SessionEnd", &["session.ended"], &[])
        .registered("once per session", "records how the session ended"),
    captured("BeforeAgent", &["prompt.submitted"], &[DENY, CONTEXT, DOCUMENTED_NOTICE])
        .registered("once per prompt and blocked stop", "a person's prompt begins a task"),
    captured("BeforeTool", &["tool.requested"], &[DENY, DOCUMENTED_NOTICE])
        .registered("once per tool call", "shows each tool call before it runs"),
    captured(
        "AfterTool",
        &["tool.succeeded", "tool.failed", "tool.ended"],
        &[CONTEXT, DOCUMENTED_NOTICE],
    )
    .registered("once per tool call", "shows the result of a call"),
    captured("AfterAgent", &["stop.requested"], &[DENY, DOCUMENTED_NOTICE])
        .registered("once per turn", "comes when the agent wants to stop"),
    captured("Notification", &["notification.shown"], &[]).registered(
        "whenever the agent waits for a person",
        "shows how long an agent waited for a person",
    ),
    captured("PreCompress", &[], &[])
        .left("comes before every request to the model, whether or not anything is compressed"),
    captured("BeforeModel", &[], &[]).left("starts a process for every request to the model"),
    captured("BeforeToolSelection", &[], &[])
        .left("starts a process for every request to the model"),
    captured("AfterModel", &[], &[]).left("starts a process for every piece of every answer"),
];
